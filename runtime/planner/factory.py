"""A planner from a word on the command line."""

from pathlib import Path

from runtime.contract import Planner, UserError
from runtime.planner.settings import PlannerSettings

VALID = "`embedded`, `base`, `keyword`, `scripted:FILE.json`, a path to a .gguf file, or an endpoint `http(s)://host/v1#model`"


def open_planner(spec: str, settings: PlannerSettings | None = None) -> Planner:
    """The planner that `spec` names; `UserError` listing what is valid where it names none."""
    chosen = settings or PlannerSettings()
    if spec == "embedded":
        from runtime.planner.embedded import open_embedded

        return open_embedded(chosen)
    if spec == "base":
        from runtime.planner.embedded import open_base

        return open_base(chosen)
    if spec == "keyword":
        from runtime.planner.keyword import KeywordPlanner

        return KeywordPlanner()
    if spec.startswith(("http://", "https://")):
        from runtime.planner.endpoint import EndpointPlanner

        return EndpointPlanner(spec, chosen)
    if spec.startswith("scripted:"):
        from runtime.planner.scripted import ScriptedPlanner, load_script

        return ScriptedPlanner(load_script(Path(spec.removeprefix("scripted:"))))
    if spec.endswith(".gguf") or Path(spec).is_file():
        from runtime.planner.llama import LlamaPlanner

        return LlamaPlanner(Path(spec).expanduser(), chosen)
    raise UserError(f"no planner `{spec}`. Valid are {VALID}.")
