"""Planners: from a context to the next decision. `open_planner` makes one from a word on the command line."""
