"""Worker for BFCL multi-turn: the toolkit's classes, with instances of their own for each episode.

1. **Ours** (`begin`, `gold`, `call`, `state`, `end`): an episode makes its instances and drops them at its end. A call
   names a method and its arguments; nothing is evaluated as text.
2. **Theirs** (`theirs`): the toolkit's own executor plays a task's gold. It keeps its instances in module globals under
   the task's id, so a process gives what the toolkit means once a task; the parent asks a process of its own.
3. Both give the toolkit's wording of a result, and digests of the same attributes: all of every instance, private ones
   too, except readings of the clock.
"""

import ast
import hashlib
import importlib
import inspect
import json
import random
import time
from datetime import date, datetime
from pathlib import Path
from typing import Any

PACKAGE = "bfcl_eval"
CATEGORIES = ("base", "miss_func", "miss_param", "long_context")
TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": None}
Json = dict[str, Any]


def state_text(value: Any, seen: dict[int, int] | None = None) -> str:
    """Equal states give equal text: attributes by name, containers by items, an object met before by its number."""
    seen = {} if seen is None else seen
    if isinstance(value, datetime | date):
        return "clock"
    if isinstance(value, random.Random):
        return hashlib.sha256(repr(value.getstate()).encode()).hexdigest()
    if isinstance(value, list | tuple):
        return f"[{','.join(state_text(one, seen) for one in value)}]"
    if isinstance(value, set | frozenset):
        return f"{{{','.join(sorted(state_text(one, seen) for one in value))}}}"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key!r}:{state_text(one, seen)}' for key, one in value.items())}}}"
    if not hasattr(value, "__dict__"):
        return repr(value)
    if id(value) in seen:
        return f"#{seen[id(value)]}"
    seen[id(value)] = len(seen)
    inside = ",".join(f"{name}={state_text(one, seen)}" for name, one in sorted(vars(value).items()))
    return f"{type(value).__name__}({inside})"


def digests(instances: Json) -> dict[str, str]:
    """Digest of the state by class."""
    return {name: hashlib.sha256(state_text(one).encode()).hexdigest()[:16] for name, one in instances.items()}


def json_schema(doc: Any) -> Any:
    """JSON Schema of a schema in the toolkit's dialect (`dict`, `float`)."""
    if isinstance(doc, list):
        return [json_schema(one) for one in doc]
    if not isinstance(doc, dict):
        return doc
    named = {key: json_schema(value) for key, value in doc.items() if key != "type" or not isinstance(value, str)}
    kind = doc.get("type")
    wanted = TYPES.get(kind, kind) if isinstance(kind, str) else None
    return {"type": wanted, **named} if wanted else named


class Episode:
    """Fresh instances of a task's classes. Of methods with the same name the last class's counts, as in the toolkit."""

    def __init__(
        self, classes: dict[str, Any], methods: dict[str, list[str]], stateless: list[str], entry: Json
    ) -> None:
        self.entry = entry
        self.instances: dict[str, Any] = {}
        self.methods: dict[str, Any] = {}
        for name in entry["involved_classes"]:
            instance: Any = classes[name]()
            if name not in stateless:
                scenario = json.loads(entry["scenarios"].get(name, "{}"))
                instance._load_scenario(scenario, long_context="long_context" in entry["id"])
            self.instances[name] = instance
            self.methods.update({method: getattr(instance, method) for method in methods[name]})

    def call(self, name: str, arguments: Json) -> Json:
        """One call: the toolkit's text, and whether that text is the JSON of the value."""
        method = self.methods.get(name)
        if method is None:
            return {"text": f"Error during execution: name '{name}' is not defined", "raised": "NameError"}
        try:
            value = method(**arguments)
        except Exception as error:
            raised = (
                "BadCall" if isinstance(error, TypeError) and not binds(method, arguments) else type(error).__name__
            )
            return {"text": f"Error during execution: {error}", "raised": raised}
        if isinstance(value, dict):
            try:
                return {"text": json.dumps(value), "encoded": True}
            except (TypeError, ValueError):
                return {"text": str(value), "value": value if plain(value) else str(value)}
        return {"text": value if isinstance(value, str) else str(value), "value": value}


def plain(value: Json) -> bool:
    """Whether JSON can hold the value once foreign objects are texts."""
    try:
        json.dumps(value, default=str)
    except (TypeError, ValueError):
        return False
    return True


def binds(method: Any, arguments: Json) -> bool:
    """Whether the arguments fit the method's signature."""
    try:
        inspect.signature(method).bind(**arguments)
    except TypeError:
        return False
    return True


class Bfcl:
    """The toolkit, loaded once; episodes by number."""

    def __init__(self) -> None:
        config = importlib.import_module(f"{PACKAGE}.constants.executable_backend_config")
        self.executor = importlib.import_module(f"{PACKAGE}.eval_checker.multi_turn_eval.multi_turn_utils")
        self.data = Path(str(importlib.import_module(PACKAGE).__file__)).parent / "data"
        self.stateless: list[str] = list(config.STATELESS_CLASSES)
        self.entries = {entry["id"]: entry for category in CATEGORIES for entry in self._entries(category)}
        used = sorted({name for entry in self.entries.values() for name in entry["involved_classes"]})
        paths, self.docs = config.CLASS_FILE_PATH_MAPPING, config.MULTI_TURN_FUNC_DOC_FILE_MAPPING
        self.classes = {name: getattr(importlib.import_module(paths[name]), name) for name in used}
        self.methods = {name: _methods(one) for name, one in self.classes.items()}
        self.episodes: dict[int, Episode] = {}

    def _lines(self, *parts: str) -> list[Json]:
        text = self.data.joinpath(*parts).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.strip()]

    def _entries(self, category: str) -> list[Json]:
        name = f"BFCL_v4_multi_turn_{category}.json"
        gold = {line["id"]: line["ground_truth"] for line in self._lines("possible_answer", name)}
        entries = self._lines(name)
        for entry in entries:
            entry["gold"] = gold[entry["id"]]
            # As text, so that an episode gets a copy of its own for the price of reading it.
            entry["scenarios"] = {key: json.dumps(value) for key, value in entry["initial_config"].items()}
        return entries

    def tools(self, request: Json) -> Json:
        """Every tool of the classes in use, its class as its group."""
        rows = [(name, doc) for name in self.classes for doc in self._lines("multi_turn_func_doc", self.docs[name])]
        return {"tools": [{"name": doc["name"], "group": name, "description": doc["description"],
                           "parameters": json_schema(doc["parameters"])} for name, doc in rows]}  # fmt: skip

    def tasks(self, request: Json) -> Json:
        """Every task: the user's words turn by turn, the groups, the tools that come with a later turn."""
        return {"tasks": [{
            "id": entry["id"],
            "requests": ["\n".join(message["content"] for message in turn) for turn in entry["question"]],
            "groups": entry["involved_classes"],
            "held": {name: int(turn) for turn, names in entry.get("missed_function", {}).items() for name in names},
        } for entry in self.entries.values()]}  # fmt: skip

    def begin(self, request: Json) -> Json:
        """A new episode."""
        entry = self.entries[request["task"]]
        self.episodes[request["episode"]] = Episode(self.classes, self.methods, self.stateless, entry)
        return {"begun": True}

    def gold(self, request: Json) -> Json:
        """The task's own calls, turn by turn; arguments by position get their names."""
        entry = self.entries[request["task"]]
        owners = {method: self.classes[name] for name in entry["involved_classes"] for method in self.methods[name]}
        return {"turns": [[_named(owners, text) for text in turn] for turn in entry["gold"]]}

    def call(self, request: Json) -> Json:
        """One call in an episode."""
        return self.episodes[request["episode"]].call(request["name"], request["arguments"])

    def state(self, request: Json) -> Json:
        """Digests of an episode's state."""
        return {"parts": digests(self.episodes[request["episode"]].instances)}

    def end(self, request: Json) -> Json:
        """Drop an episode."""
        return {"ended": self.episodes.pop(request["episode"], None) is not None}

    def theirs(self, request: Json) -> Json:
        """The toolkit's own executor on a task's gold: texts and digests by turn, seconds of execution alone."""
        entry, outputs, states = self.entries[request["task"]], [], []
        seconds = cpu_s = 0.0
        instances: Json = {}
        for turn in entry["gold"]:
            texts: list[str] = []
            if turn:
                start, cpu = time.perf_counter(), time.process_time()
                texts, instances = self.executor.execute_multi_turn_func_call(
                    func_call_list=turn, initial_config=entry["initial_config"],
                    involved_classes=entry["involved_classes"], model_name="gold", test_entry_id=entry["id"],
                    long_context="long_context" in entry["id"], is_evaL_run=True)  # fmt: skip
                seconds, cpu_s = seconds + time.perf_counter() - start, cpu_s + time.process_time() - cpu
            outputs.append(texts)
            states.append(digests(instances))
        return {"outputs": outputs, "states": states, "seconds": seconds, "cpu_s": cpu_s}


def _methods(kind: Any) -> list[str]:
    """Names of a class's public methods."""
    return [name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")]


def _named(owners: Json, text: str) -> Json:
    """A call written as Python, as a name and arguments; every gold argument is a literal."""
    node = ast.parse(text.strip(), mode="eval").body
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ValueError(f"`{text}` is no plain call")
    arguments = {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
    names = list(inspect.signature(getattr(owners[node.func.id], node.func.id)).parameters)[1:] if node.args else []
    by_position = {names[place]: ast.literal_eval(one) for place, one in enumerate(node.args)}
    return {"name": node.func.id, "arguments": {**by_position, **arguments}}


def load() -> dict[str, Any]:
    """The operations by name."""
    toolkit = Bfcl()
    names = ("tools", "tasks", "begin", "gold", "call", "state", "end", "theirs")
    return {name: getattr(toolkit, name) for name in names}


if __name__ == "__main__":
    # By name, because the folder of this program stands in the path only where it is a program.
    importlib.import_module("loop").run(PACKAGE, load)
