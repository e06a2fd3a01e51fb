"""Outside benchmarks behind the project's contract: their tools, their tasks, their checkers, our ToolProvider."""
