"""Configuration: flags, `POCKET_*` variables, `pocket.toml` in the working folder, the user's, defaults; first wins.

A nested key is `budget.steps` in a message or a flag, `[budget] steps` in TOML, `POCKET_BUDGET__STEPS` in the
environment. An unknown key is refused with its near ones: a limit that is misspelt must not be a limit that is lost.
"""

import math
import os
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import BaseModel, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from runtime.arguments import near
from runtime.contract import Budget, Effect, Json, Record, StableSet, UserError
from runtime.guard.effects import ASKED
from runtime.planner.settings import APP, PlannerSettings, data_folder
from runtime.shown import MEMORY_CHARS, RESULT_CHARS, SKILL_CHARS

FILE_NAME = "pocket.toml"
PREFIX = "POCKET_"
HOME = "POCKET_HOME"
IN_MEMORY = ":memory:"
LEAST = 1
"""Of every limit of a budget."""


class PlannerSection(PlannerSettings):
    """Which planner, and what it is told."""

    use: str = "embedded"
    """`embedded`, `keyword`, `scripted:FILE`, a GGUF file, an ONNX folder or the URL of an endpoint."""


class PhoneSection(Record):
    """Which phone."""

    backend: str = "sandbox"
    """Name of a backend: sandbox, android."""
    serial: str = ""
    """Which connected phone; empty: the only one, or the one that `ANDROID_SERIAL` names."""
    seed: int = 0
    """Seeds the phone's ids and choices."""
    clock: str = ""
    """Local time on the phone at the start, ISO 8601; empty: now."""
    keep: bool = True
    """Keep the sandbox phone of a run on the disk until the run has ended, so that it can go on after a kill."""


class ContextSection(Record):
    """How a context is laid."""

    eta: str = "general"
    """Instructions: the name of a file of `runtime/eta/`."""
    steps_tokens: int = Field(default=512, ge=64)
    """Kept free for steps when the prefix is laid."""
    result_chars: int = Field(default=RESULT_CHARS, ge=120)
    """Longest text of one observation."""
    memory_items: int = Field(default=5, ge=0)
    """Remembered items that may enter."""
    likely: int | None = Field(default=None, ge=0, le=8)
    """Tools that are named after the request, as recall ranks them; unset: as the embedded checkpoint was trained."""
    domains: bool = False
    """Show the instructions of the nearest tools' domains. Off: the shipped planner has not been trained on them."""
    now: bool = False
    """Show the phone's clock. Off: values go to the tools as said, which know the time."""


class SectionsSection(Record):
    """Most tokens of each part of a context; unset: limited by the window alone. What goes over is named as cut."""

    domains: int | None = Field(default=160, ge=1)
    """Instructions of domains."""
    tools: int | None = Field(default=None, ge=1)
    """Tools; one always stays."""
    skills: int | None = Field(default=800, ge=1)
    """Guidance of Skills."""
    memory: int | None = Field(default=400, ge=1)
    """What is remembered; the least relevant goes first. 800 cost a first decision 0.4 s more."""
    turns: int | None = Field(default=None, ge=1)
    """Earlier turns of the dialogue."""


class GuardSection(Record):
    """What is asked about before it runs."""

    ask: StableSet[Effect] = frozenset(ASKED)
    """Effects."""


class MemorySection(Record):
    """What the agent remembers about its user."""

    use: bool = False
    """Offer the memory tools. Off: of `bench`'s memory tasks the shipped planner does one in six."""
    inject: bool = False
    """Let the harness put what it recalls into the context by itself. Off: the shipped planner then no longer searches,
    and does not use it either (13 points fewer on `bench`'s memory tasks)."""
    profile: int = Field(default=0, ge=0, le=50)
    """With `inject`: so many items of the validated model of the user are always there."""
    capture: bool = False
    """Let the harness keep what happened in a run: the request, what was done, questions and answers."""
    user: str = Field(default="user", min_length=1, max_length=80)
    """Whose memory it is."""
    workspace: str = Field(default="default", min_length=1, max_length=80)
    """The workspace that it belongs to."""
    file: str = ""
    """The store; empty: in the data folder; `:memory:`: forgotten when the process ends."""
    result_chars: int = Field(default=MEMORY_CHARS, ge=120)
    """Longest text of a memory search."""


class SkillsSection(Record):
    """Procedures that the planner may load."""

    use: bool = False
    """Offer a loader for each Skill. Off: of `bench`'s Skill tasks the shipped planner does one in sixteen."""
    result_chars: int = Field(default=SKILL_CHARS, ge=120)
    """Longest text of a loaded Skill."""
    shelves: StableSet[Literal["library", "more", "packs"]] = frozenset({"library", "packs"})
    """Which Skills are offered: the first ten, the further ones of the package, installed packs."""
    guidance: bool = False
    """Say in the context what the Skills know of the exposed tools. Off: the shipped planner gains nothing from it."""
    checks: bool = False
    """Report what a loaded Skill requires and ensures and does not find; with `guidance`, of all Skills at once."""


class HooksSection(Record):
    """Programs of the user's own that are run around every call."""

    before: tuple[str, ...] = ()
    """A program and its arguments, run before a call; exit code 2 stops it."""
    after: tuple[str, ...] = ()
    """A program and its arguments, run after a call; what it prints is shown beside the result."""
    seconds: float = Field(default=5.0, gt=0, le=60)
    """The longest that one run may take."""


class AgentsSection(Record):
    """Sub-agents that a planner may hand tasks to."""

    use: bool = False
    """Offer them as tools. Off: the shipped planner has not been trained on them."""
    seconds: float = Field(default=60.0, gt=0, le=600)
    """Longest that one handoff may take; a person who practises answers within it."""


class RecoverySection(Record):
    """What follows a failure."""

    use: bool = False
    """Allow one correction that something supports, then another tool or a question; the results say so. Off: the
    shipped planner has not been trained with that."""
    corrections: int = Field(default=1, ge=0, le=5)
    """How often a tool may be tried again after it failed."""


class ChatSection(Record):
    """How a dialogue is carried on."""

    turns_tokens: int = Field(default=1024, ge=64)
    """Tokens of earlier turns from which a dialogue is compressed; only what a memory holds is left out."""
    recent: int = Field(default=3, ge=1, le=50)
    """Exchanges that always stay."""
    notes: bool = False
    """Show what holds and what references mean. Off: the shipped planner has not been trained on such notes."""


class ScreenSection(Record):
    """The agent that works on the screen of a connected phone."""

    use: bool = False
    """Offer it as a tool. Off: the shipped planner has not been trained on it."""
    planner: str = "words"
    """Who chooses its actions: `words` (by rules, without a model), or a planner as in `planner.use`."""
    steps: int = Field(default=25, ge=1, le=100)
    """Most actions for one goal."""


class McpSection(Record):
    """Tools of MCP servers; which ones is kept by `pocket mcp`."""

    use: bool = False
    """Offer their tools. Off: the shipped planner has not been trained on tools that it can't know."""
    seconds: float = Field(default=30.0, gt=0, le=600)
    """The longest that one call may take."""
    connect_seconds: float = Field(default=10.0, gt=0, le=120)
    """The longest that starting or reaching a server may take."""
    result_bytes: int = Field(default=1_000_000, ge=1_000, le=10_000_000)
    """The largest result."""


class Settings(BaseSettings):
    """All settings of a run; saved with each episode."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        nested_model_default_partial_update=True,
    )

    planner: PlannerSection = PlannerSection()
    """The planner."""
    phone: PhoneSection = PhoneSection()
    """The phone."""
    budget: Budget = Budget()
    """Limits of an episode."""
    context: ContextSection = ContextSection()
    """The context."""
    sections: SectionsSection = SectionsSection()
    """Sizes of its parts."""
    guard: GuardSection = GuardSection()
    """The guard."""
    memory: MemorySection = MemorySection()
    """The memory."""
    skills: SkillsSection = SkillsSection()
    """The Skills."""
    hooks: HooksSection = HooksSection()
    """What is run around every call."""
    agents: AgentsSection = AgentsSection()
    """Sub-agents."""
    recovery: RecoverySection = RecoverySection()
    """What follows a failure."""
    chat: ChatSection = ChatSection()
    """Dialogues."""
    screen: ScreenSection = ScreenSection()
    """The screen agent."""
    mcp: McpSection = McpSection()
    """MCP servers."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, environment, the folder's file, the user's file."""
        files = [TomlConfigSettingsSource(settings_cls, path) for path in config_files() if path.is_file()]
        return (init_settings, env_settings, *files)


def config_files() -> tuple[Path, Path]:
    """The folder's file and the user's, whether or not they exist."""
    home = os.environ.get(HOME)
    user = Path(home) if home else Path(platformdirs.user_config_dir(APP))
    return Path(FILE_NAME), user / FILE_NAME


def trace_file() -> Path:
    """Where episodes are kept."""
    return data_folder() / "traces.sqlite3"


def phones_file() -> Path:
    """Where the sandbox phones of runs are kept until those have ended."""
    return data_folder() / "phones.sqlite3"


def eta_folder() -> Path:
    """Where the user's versions of the instructions are kept."""
    return data_folder() / "eta"


def approvals_file() -> Path:
    """Where the user's rules about calls are kept."""
    return data_folder() / "approvals.jsonl"


def mcp_file() -> Path:
    """Where the MCP servers and their accepted tools are kept."""
    return data_folder() / "mcp.json"


def memory_file(settings: Settings) -> Path | None:
    """Where memories are kept; None: in memory alone."""
    if settings.memory.file == IN_MEMORY:
        return None
    return Path(settings.memory.file) if settings.memory.file else data_folder() / "memory.sqlite3"


def load_settings(flags: Json | None = None, assignments: Iterable[str] = ()) -> Settings:
    """The settings in force. `assignments` are `key=value` as on the command line, and win over all else."""
    _refuse_no_files()
    given: Json = dict(flags or {})
    for assignment in assignments:
        _assign(given, assignment)
    _refuse_unknown_variables()
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise UserError(_sentence(error)) from None
    except SettingsError as error:
        raise UserError(f"a `POCKET_` variable can't be read: {error}. Correct or unset it.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        files = " or ".join(f"`{path}`" for path in config_files() if path.is_file())
        raise UserError(f"{files} is not TOML: {error}. Correct it.") from None
    except OSError as error:
        raise UserError(f"`{error.filename}` can't be read: {error.strerror}. Make it readable.") from None
    _refuse_impossible(settings.budget)
    return settings


def keys(model: type[BaseModel] = Settings, prefix: str = "") -> list[str]:
    """All keys with their sections: `budget.steps`."""
    found: list[str] = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found += keys(kind, f"{prefix}{name}.")
        else:
            found.append(prefix + name)
    return found


def recorded_settings(recorded: Json) -> Settings:
    """The settings of an earlier run; a `UserError` where this version does not know them."""
    try:
        return Settings(**recorded)
    except ValidationError as error:
        raise UserError(f"the run was made by another version: {_sentence(error)} Run the request anew.") from None


def _refuse_no_files() -> None:
    """A `pocket.toml` that is a folder or a broken link must not pass for none."""
    for path in config_files():
        if os.path.lexists(path) and not path.is_file():
            raise UserError(f"`{path}` is no file. Rename it, or put the settings there as TOML.")


def _refuse_impossible(budget: Budget) -> None:
    """A limit under which nothing can be done, or that is none (`nan`, `inf`)."""
    for name, value in budget:
        if not LEAST <= value < math.inf:
            raise UserError(f"`budget.{name}` is `{value}`; the least is {LEAST}, and it must be finite. Correct it.")


def _assign(given: Json, assignment: str) -> None:
    key, equals, text = assignment.partition("=")
    if not equals:
        raise UserError(f"`--set {assignment}` has no value. Write `--set budget.steps=5`.")
    _refuse_unknown(key.strip(), "`--set`")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    section, _, name = key.strip().partition(".")
    given[section] = {**given.get(section, {}), name: value}


def _refuse_unknown(key: str, where: str) -> None:
    known = keys()
    if key not in known:
        raise UserError(f"there is no key `{key}`{_meant(key, known)} It came from {where}.")


def _meant(key: str, known: list[str]) -> str:
    """Near keys, by the whole name or by the part after the section."""
    same_end = [one for one in known if one.partition(".")[2] == key.rpartition(".")[2]]
    if same_end:
        return near(same_end[0], same_end)
    return near(key, known) or f"; the sections are {', '.join(f'`{name}`' for name in Settings.model_fields)}."


def _refuse_unknown_variables() -> None:
    """Every `POCKET_*` variable must name a key; the home folder and the endpoint's key are no settings."""
    allowed = {HOME, PlannerSettings().api_key_env}
    for variable in sorted(os.environ):
        if variable.startswith(PREFIX) and variable not in allowed:
            key = variable.removeprefix(PREFIX).lower().replace("__", ".")
            if key not in Settings.model_fields:
                _refuse_unknown(key, f"the variable `{variable}`")


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        where = " or ".join(f"`{path}`" for path in config_files() if path.is_file()) or "the flags"
        return f"there is no key `{key}`{_meant(key, keys())} It came from {where}."
    value = str(first["input"])
    return (
        f"`{key}` is `{value[:80]}`: {first['msg'].lower()}. Correct it in `{FILE_NAME}`, the environment or the flag."
    )
