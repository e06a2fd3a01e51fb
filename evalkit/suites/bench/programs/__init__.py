"""Programs of the suite, a module for each kind of task."""
