"""The four memory tools: what a planner sees of them, and their arguments as typed records."""

from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError, field_validator

from memory.records import MAX_CONTENT, Category, plain_text
from runtime.contract import SEARCH_MEMORY, Domain, Effect, ErrorCode, Json, Record, ToolFailure, ToolHints, ToolSpec

SEARCH, ADD, REPLACE, REMOVE = SEARCH_MEMORY, "add_user_memory", "replace_user_memory", "remove_user_memory"
MAX_RESULTS, DEFAULT_RESULTS = 20, 5

_CATEGORY: Json = {"type": "string", "enum": [category.value for category in Category]}
_TEXT: Json = {"type": "string"}


class Search(Record):
    """Arguments of `search_user_memory`."""

    query: str
    searchMode: Literal["relevance", "recent"] = "relevance"
    maxResults: int = Field(default=DEFAULT_RESULTS, ge=1, le=MAX_RESULTS)
    memoryCategory: Category | None = None

    @field_validator("query")
    @classmethod
    def _some_text(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("the text is empty")
        return value[:MAX_CONTENT]


class _Content(Record):
    content: str

    @field_validator("content")
    @classmethod
    def _plain(cls, value: str) -> str:
        return plain_text(value)


class Add(_Content):
    """Arguments of `add_user_memory`."""

    category: Category = Category.INFO


class Replace(_Content):
    """Arguments of `replace_user_memory`."""

    memoryId: str


class Remove(Record):
    """Arguments of `remove_user_memory`."""

    memoryId: str


A = TypeVar("A", Search, Add, Replace, Remove)


def read(kind: type[A], name: str, arguments: Json) -> A:
    """Typed arguments; a 400 that names the argument, its value and what is wrong."""
    try:
        return kind.model_validate(arguments)
    except ValidationError as error:
        first = error.errors()[0]
        field = str(first["loc"][0]) if first["loc"] else "arguments"
        value = "missing" if first["type"] == "missing" else f"`{str(first['input'])[:60]}`"
        why = first["msg"].removeprefix("Value error, ").lower()
        message = f"`{field}` of `{name}` is {value}: {why}"
        raise ToolFailure(ErrorCode.BAD_ARGUMENT, message, argument=field) from None


def _spec(
    name: str, description: str, properties: Json, required: list[str], effect: Effect, *phrases: str
) -> ToolSpec:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    reads = effect is Effect.READ
    return ToolSpec(
        name=name,
        domain=Domain.ASSISTANT,
        description=description,
        parameters={**schema, "additionalProperties": False},
        effects=frozenset({effect}),
        hints=ToolHints(read_only=reads, destructive=effect is Effect.DELETE, idempotent=reads),
        examples=phrases,
    )


SPECS: tuple[ToolSpec, ...] = (
    _spec(
        ADD,
        "Remember something about the user.",
        {"content": _TEXT, "category": _CATEGORY},
        ["content"],
        Effect.WRITE,
        "remember that I am allergic to peanuts",
        "keep in mind that I park on level two",
        "from now on know that my sister's name is Clara",
        "make a mental note that I prefer window seats",
        "don't forget that I go running on Tuesdays",
    ),
    _spec(
        REMOVE,
        "Forget a memory by its id.",
        {"memoryId": _TEXT},
        ["memoryId"],
        Effect.DELETE,
        "forget what I told you about my old job",
        "delete that memory about the gym",
        "you can stop remembering my landlord's name",
        "erase what you know about my diet",
        "that is no longer true, forget it",
    ),
    _spec(
        REPLACE,
        "Correct a memory by its id.",
        {"memoryId": _TEXT, "content": _TEXT},
        ["memoryId", "content"],
        Effect.WRITE,
        "I moved, so update the address you have for me",
        "correct what you remember about my shift times",
        "actually my favourite tea is green now, change that memory",
        "what you know about my locker code is out of date",
        "the memory of my dentist is wrong, it is Doctor Park",
    ),
    _spec(
        SEARCH,
        "Search what is remembered about the user.",
        {
            "query": _TEXT,
            "searchMode": {"type": "string", "enum": ["relevance", "recent"]},
            "maxResults": {"type": "integer", "minimum": 1, "maximum": MAX_RESULTS},
            "memoryCategory": _CATEGORY,
        },
        ["query"],
        Effect.READ,
        "what do you know about my habits",
        "do it the way I usually do",
        "set my usual wake-up alarm",
        "as I like it before going to bed",
        "what did I tell you about my doctor",
        "the place where I always go on Fridays",
        "use my preferred settings",
        "you know which one I mean",
    ),
)
"""By name."""
