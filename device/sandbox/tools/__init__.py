"""The tools of the programmatic phone, a module or a few for each domain."""
