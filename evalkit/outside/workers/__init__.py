"""Programs that run in an optional environment's Python and import a toolkit there; they import nothing of ours."""
