"""What a planner can choose in one step: calls, or to ask, refuse or finish."""

from typing import Annotated, Literal

from pydantic import Field

from runtime.contract.base import Json, Record


class ToolCall(Record):
    """One call. `arguments` is what the planner wrote, never repaired."""

    kind: Literal["call"] = "call"
    id: str
    """Unique in the episode; the observation answers to it."""
    name: str
    """The tool."""
    arguments: Json
    """As chosen."""


class Ask(Record):
    """A question to the user: something is missing or ambiguous."""

    kind: Literal["ask"] = "ask"
    question: str
    """In plain words."""


class Refuse(Record):
    """The planner declines: no tool can do this, or it must not be done."""

    kind: Literal["refuse"] = "refuse"
    reason: str
    """In plain words."""


class Finish(Record):
    """The planner declares that the request is done."""

    kind: Literal["finish"] = "finish"
    answer: str = ""
    """What the user is told."""


class ParseError(Record):
    """A malformed action survives as data; it is never run with guessed arguments."""

    kind: Literal["parse_error"] = "parse_error"
    message: str
    """What is wrong and what would be right."""
    raw: str
    """The text as generated, head and tail if long."""
    truncated: bool = False
    """True when the token limit, not the format, broke the action off."""


Action = Annotated[ToolCall | Ask | Refuse | Finish | ParseError, Field(discriminator="kind")]
"""Any one choice of a planner."""


class TokenTrace(Record):
    """One generated token (the learner's raw material)."""

    id: int
    """Token id in the planner's vocabulary."""
    logprob: float
    """Log-probability under the model itself."""
    sampled_logprob: float
    """Log-probability under the distribution that was sampled (grammar and temperature applied)."""
    forced: bool
    """The grammar left one choice; the learner masks this token."""


class Usage(Record):
    """Token counts of one decision."""

    prompt_tokens: int = 0
    """Tokens of the context, cached ones included."""
    cached_tokens: int = 0
    """Of those, how many were already in the KV cache."""
    output_tokens: int = 0
    """Generated tokens, thinking included."""


class Decision(Record):
    """What the planner chose in one step. Several calls are independent of each other."""

    actions: tuple[Action, ...]
    """At least one; ask, refuse and finish stand alone."""
    thought: str = ""
    """Optional short thought before the action."""
    raw: str = ""
    """The text as generated."""
    prompt_ids: tuple[int, ...] | None = None
    """Ids appended to the segment since the previous decision (None: the endpoint gives no ids)."""
    tokens: tuple[TokenTrace, ...] | None = None
    """Generated tokens (None: the endpoint gives no ids, so the episode is for SFT only)."""
    usage: Usage = Usage()
    """Token counts."""
    seconds: float = 0.0
    """Wall time of the decision."""
