"""Calls, and a runtime over functions that take the environment first."""

from typing import Any

from pydantic import BaseModel


class FunctionCall(BaseModel):
    """One call."""

    function: str
    args: dict[str, Any]


class Function(BaseModel):
    """One tool: its schema is a model."""

    name: str
    description: str
    parameters: Any
    run: Any


class FunctionsRuntime:
    """Runs functions by name."""

    def __init__(self, functions):
        self.functions = {one.name: one for one in functions}

    def run_function(self, environment, name, arguments):
        """Value, or the exception as text."""
        if name not in self.functions:
            return "", f"ToolNotFoundError: The requested function `{name}` is not available."
        try:
            return self.functions[name].run(environment, **arguments), None
        except Exception as error:
            return "", f"{type(error).__name__}: {error}"
