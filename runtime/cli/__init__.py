"""The command line: `root` holds the command `pocket`; each of its commands is an entry point of some room."""
