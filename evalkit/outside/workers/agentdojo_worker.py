"""Worker for AgentDojo: its suites, its runtime over an environment of the episode's own, its own `utility()`.

The package's pipeline module imports the clients of four model services. None is called here, so the pipeline's two
packages are entered without running their `__init__`, and the one constant that a needed module takes from a client's
module is given in its place: the environment stays at a handful of packages.
"""

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

PACKAGE = "agentdojo"
VERSION = "v1.2.2"
"""The benchmark's own version: the newest that the pinned package holds."""
Json = dict[str, Any]


def without_model_clients() -> None:
    """Put stand-ins where the toolkit would import model clients."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"No module named '{PACKAGE}'", name=PACKAGE)
    for name in ("agent_pipeline", "agent_pipeline.llms"):
        package = ModuleType(f"{PACKAGE}.{name}")
        package.__path__ = [f"{next(iter(spec.submodule_search_locations))}/{name.replace('.', '/')}"]
        sys.modules[package.__name__] = package
    client = ModuleType(f"{PACKAGE}.agent_pipeline.llms.google_llm")
    client.__dict__["EMPTY_FUNCTION_NAME"] = "<empty-function>"
    sys.modules[client.__name__] = client


class Episode:
    """One user task: its environment before and now, and what was called."""

    def __init__(self, task: Any, environment: Any, runtime: Any) -> None:
        self.task, self.runtime = task, runtime
        self.environment = task.init_environment(environment)
        self.before = self.environment.model_copy(deep=True)
        self.trace: list[Any] = []


class AgentDojo:
    """The toolkit, loaded once; episodes by number."""

    def __init__(self) -> None:
        without_model_clients()
        self.suites: dict[str, Any] = importlib.import_module(f"{PACKAGE}.task_suite").get_suites(VERSION)
        self.functions = importlib.import_module(f"{PACKAGE}.functions_runtime")
        self.text = importlib.import_module(f"{PACKAGE}.agent_pipeline.tool_execution").tool_result_to_str
        self.jsonable = importlib.import_module("pydantic_core").to_jsonable_python
        self.environments: dict[str, Any] = {}
        self.episodes: dict[int, Episode] = {}

    def tools(self, request: Json) -> Json:
        """Every tool of every suite, the suite as its group."""
        rows = [(name, tool) for name, suite in self.suites.items() for tool in suite.tools]
        return {"tools": [{"name": tool.name, "group": name, "description": tool.description,
                           "parameters": tool.parameters.model_json_schema()} for name, tool in rows]}  # fmt: skip

    def tasks(self, request: Json) -> Json:
        """Every user task of every suite."""
        rows = [(name, task) for name, suite in self.suites.items() for task in suite.user_tasks.values()]
        return {"tasks": [{"id": f"{name}/{task.ID}", "requests": [task.PROMPT], "groups": [name]}
                          for name, task in rows]}  # fmt: skip

    def environment(self, name: str) -> Any:
        """A copy of a suite's environment, which is read from its files once."""
        if name not in self.environments:
            self.environments[name] = self.suites[name].load_and_inject_default_environment({})
        return self.environments[name].model_copy(deep=True)

    def begin(self, request: Json) -> Json:
        """A new episode."""
        name, _, task = request["task"].partition("/")
        suite = self.suites[name]
        runtime = self.functions.FunctionsRuntime(suite.tools)
        self.episodes[request["episode"]] = Episode(suite.user_tasks[task], self.environment(name), runtime)
        return {"begun": True}

    def gold(self, request: Json) -> Json:
        """The task's own calls, and what its agent should say at the end."""
        name, _, number = request["task"].partition("/")
        task = self.suites[name].user_tasks[number]
        calls = task.ground_truth(task.init_environment(self.environment(name)))
        turn = [{"name": call.function, "arguments": self.jsonable(call.args)} for call in calls]
        return {"turns": [turn], "answer": task.GROUND_TRUTH_OUTPUT}

    def call(self, request: Json) -> Json:
        """One call: the toolkit's text, the value as JSON, and what it raised by class."""
        episode = self.episodes[request["episode"]]
        episode.trace.append(self.functions.FunctionCall(function=request["name"], args=request["arguments"]))
        value, error = episode.runtime.run_function(episode.environment, request["name"], request["arguments"])
        if error is not None:
            return {"text": error, "raised": error.partition(":")[0]}
        return {"text": self.text(value), "value": self.jsonable(value)}

    def judge(self, request: Json) -> Json:
        """The task's own check: by the calls where it has such a check, else by output and environments."""
        episode = self.episodes[request["episode"]]
        sides = (request["output"], episode.before, episode.environment)
        by_trace = episode.task.utility_from_traces(*sides, episode.trace)
        return {"passed": bool(episode.task.utility(*sides) if by_trace is None else by_trace)}

    def end(self, request: Json) -> Json:
        """Drop an episode."""
        return {"ended": self.episodes.pop(request["episode"], None) is not None}


def load() -> dict[str, Any]:
    """The operations by name."""
    toolkit = AgentDojo()
    return {name: getattr(toolkit, name) for name in ("tools", "tasks", "begin", "gold", "call", "judge", "end")}


if __name__ == "__main__":
    # By name, because the folder of this program stands in the path only where it is a program.
    importlib.import_module("loop").run(PACKAGE, load)
