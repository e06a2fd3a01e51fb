"""The suite of a connected phone: calls of other suites that Android has, and tasks through the screen alone."""
