"""A name that stands in the dialogue is copied to its end, unless the model is certain of a word of its own."""

from collections.abc import Sequence

import numpy as np
import pytest

from runtime.contract import ContextPiece, Domain, Effect, Json, ToolSpec
from runtime.layout import Piece
from runtime.planner.copying import Copier, dialogue_of, free_texts

TOKENS = ["Ming", "Mei", " Lin", " Linda", '"', "Call", " my", '"}', "linda", "text"]
OPEN = '<tool_call>{"name": "make_call", "arguments": {"contact": "'


def spec(**properties: Json) -> ToolSpec:
    schema = {"type": "object", "properties": properties}
    return ToolSpec(
        name="make_call",
        domain=Domain.CALLS,
        description="Call.",
        parameters=schema,
        effects=frozenset({Effect.WRITE}),
    )


SPEC = spec(contact={"type": "string"}, mode={"type": "string", "enum": ["voice", "video"]}, times={"type": "integer"})


def copier(dialogue: str, before: str, bias: float = 2.0) -> Copier:
    def decode(ids: Sequence[int]) -> str:
        return before if not ids else "".join(TOKENS[i] for i in ids)

    return Copier(dialogue, [SPEC], decode, bias)


def row(**scores: float) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    values = np.full(64, -50.0, dtype=np.float32)
    for name, score in scores.items():
        values[TOKENS.index(name.replace("_", " "))] = score
    return values


def preferred(one: Copier, scores: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> list[str]:
    return [TOKENS[token] for token in one.prefer(scores, int(scores.argmax()), [])]


@pytest.fixture(autouse=True)
def room(monkeypatch: pytest.MonkeyPatch) -> None:
    TOKENS[10:] = ["#"] * 54


def test_a_name_of_the_dialogue_is_preferred_when_it_is_nearly_as_likely() -> None:
    assert preferred(copier("user\ncall Mei Lin", OPEN), row(Ming=5.0, Mei=3.5)) == ["Mei"]


def test_a_model_that_is_certain_keeps_its_word() -> None:
    assert preferred(copier("user\ncall Mei Lin", OPEN), row(Ming=5.0, Mei=2.5)) == []


def test_a_token_that_goes_on_copying_stays() -> None:
    assert preferred(copier("user\ncall Mei Lin", OPEN + "Mei"), row(_Lin=5.0, _my=4.9)) == []


def test_a_value_does_not_end_within_a_word() -> None:
    assert preferred(copier("user\ncall Meilinda", OPEN + "Mei"), row(**{'"': 5.0, "linda": 4.0})) == ["linda"]


def test_a_value_may_end_at_the_end_of_a_word() -> None:
    assert preferred(copier("user\ncall Mei Lin", OPEN + "Mei"), row(**{'"': 5.0, "_Lin": 4.0})) == []


def test_enumerations_and_other_actions_are_the_models_own() -> None:
    scores = row(Ming=5.0, Mei=4.5)
    said = "user\ncall Mei Lin"
    assert preferred(copier(said, '<tool_call>{"name": "make_call", "arguments": {"mode": "'), scores) == []
    assert preferred(copier(said, '<tool_call>{"name": "ask", "arguments": {"question": "'), scores) == []
    assert preferred(copier(said, '<tool_call>{"name": "'), scores) == []


def test_a_value_that_left_the_dialogue_is_free() -> None:
    assert preferred(copier("user\ncall Mei Lin", OPEN + "Bob"), row(Ming=5.0, Mei=4.5)) == []


def test_what_counts_as_dialogue() -> None:
    pieces: list[ContextPiece] = [
        Piece("system\nRules. Say Mei."),
        Piece("<tools>\nmake_call\n</tools>\n"),
        Piece('<memory>\n{"content": "Mei"}\n</memory>\n'),
        Piece("user\ncall her"),
        Piece('{"name": "Ming"}', "model"),
    ]
    assert dialogue_of(pieces) == '<memory>\n{"content": "Mei"}\n</memory>\n\nuser\ncall her'


def test_free_texts_are_neither_members_nor_numbers() -> None:
    assert free_texts(SPEC) == {"contact"}
