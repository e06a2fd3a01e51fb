"""A software phone: a process of its own, reached over adb, backed by the sandbox's state."""
