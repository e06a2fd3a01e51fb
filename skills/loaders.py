"""Skills as tools: each has a loader, whose result is its instructions and the tools that it opens.

    skill__power_performance_battery(reason) -> {status, skill, loaded_tools, unknown_tools, instructions[, uses]}

A loader changes nothing on the phone. What it opens was offered by a provider already: a Skill can make a tool visible,
never create one. Names that no provider offers are said as `unknown_tools`.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from runtime.contract import (
    SKILL_PREFIX,
    Deadline,
    Domain,
    Effect,
    ErrorCode,
    ExecutedCall,
    Failure,
    Json,
    Observation,
    ToolCall,
    ToolHints,
    ToolSpec,
    UserError,
)
from skills.skill import FILE_NAME, Skill, read_skill

LIBRARY = Path(__file__).parent / "library"
"""Ten Skills, on which the suite `bench` is built: their texts stay as they are."""
MORE = Path(__file__).parent / "more"
"""The Skills for everything else."""
MAX_REASON = 300


def loader_name(slug: str) -> str:
    """`skill__travel_weather_navigation` for `travel-weather-navigation`."""
    return SKILL_PREFIX + slug.replace("-", "_")


def read_library(folder: Path = LIBRARY) -> tuple[Skill, ...]:
    """All Skills of a folder of Skill folders, by name; the first wrong one is a `UserError`."""
    if not folder.is_dir():
        raise UserError(f"there is no folder `{folder}`. Give a folder that holds Skills, each `<slug>/{FILE_NAME}`.")
    return tuple(read_skill(path / FILE_NAME) for path in sorted(folder.iterdir()) if path.is_dir())


@lru_cache(maxsize=1)
def library() -> tuple[Skill, ...]:
    """The first ten Skills."""
    return read_library()


@lru_cache(maxsize=1)
def more() -> tuple[Skill, ...]:
    """The other Skills of the package."""
    return read_library(MORE)


class SkillLoaders:
    """The contract's `SkillProvider` over some Skills."""

    opens_tools = True

    def __init__(self, skills: Sequence[Skill] | None = None, known: Callable[[], Iterable[str]] = tuple) -> None:
        """`known` gives the names of all tools that the other providers offer; it is asked at each load."""
        chosen = library() if skills is None else tuple(skills)
        self._skills = {loader_name(skill.name): skill for skill in chosen}
        self._known = known
        self._specs = tuple(_spec(name, skill) for name, skill in self._skills.items())

    def tools(self) -> Sequence[ToolSpec]:
        """A loader for each Skill."""
        return self._specs

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Load a Skill; a failure is in the observation."""
        skill = self._skills.get(call.name)
        if skill is None:
            message = f"there is no Skill loader `{call.name[:80]}`; use one of those shown"
            return _failed(call, ErrorCode.UNKNOWN_TOOL, message)
        if problem := _wrong_arguments(call.arguments):
            return _failed(call, ErrorCode.BAD_ARGUMENT, problem)
        if deadline.cancel.cancelled or deadline.expired:
            code = ErrorCode.CANCELLED if deadline.cancel.cancelled else ErrorCode.TIMEOUT
            return _failed(call, code, f"`{call.name}` did not run: no time was left")
        known = frozenset(self._known())
        data: Json = {
            "status": "loaded",
            "skill": skill.name,
            "loaded_tools": [name for name in skill.tools if name in known],
            "unknown_tools": [name for name in skill.tools if name not in known],
            "instructions": skill.instructions,
        }
        if skill.uses:
            data["uses"] = [loader_name(slug) for slug in skill.uses if loader_name(slug) in self._skills]
        done = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=idempotency_key, landed="yes")
        return Observation(call_id=call.id, data=data, call=done)


def _spec(name: str, skill: Skill) -> ToolSpec:
    """The loader as a tool: a short line for the planner, the rest of the description for recall."""
    more = skill.description.removeprefix(skill.about).strip()
    return ToolSpec(
        name=name,
        domain=Domain.ASSISTANT,
        description=skill.about,
        parameters={
            "type": "object",
            "properties": {"reason": {"type": "string", "maxLength": MAX_REASON}},
            "required": ["reason"],
            "additionalProperties": False,
        },
        effects=frozenset({Effect.READ}),
        hints=ToolHints(read_only=True, idempotent=True),
        examples=(*([more] if more else []), *skill.phrases),
    )


def _wrong_arguments(arguments: Json) -> str:
    reason = arguments.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        return "`reason` is missing: why this Skill helps, in a few words"
    if len(reason) > MAX_REASON:
        return f"`reason` has {len(reason):,} characters; the limit is {MAX_REASON}"
    extra = [name for name in arguments if name != "reason"]
    return f"there is no argument `{extra[0]}`; give `reason` alone" if extra else ""


def _failed(call: ToolCall, code: ErrorCode, message: str) -> Observation:
    return Observation(call_id=call.id, failure=Failure(code=code, message=message))
