"""The outer planner of both sides: an oracle chooses, the embedded model reads and writes.

Every context is the real one, read by the embedded planner's engine in its own tokens; every decision is written by its
own decode loop under its own grammar, with the oracle's text put in the place of the model's. So tokens and seconds are
those of the embedded planner, and only the choice is not: a planner that errs would measure its errors.

What follows a result is a rule that holds on both sides: an obstacle is a question to the user, any other failure a
refusal, else the next step of the gold, and after the last one *finish*.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from runtime.contract import Action, Ask, ContextView, Deadline, Finish, Json, Refuse, ToolCall
from runtime.dialect import render_action
from runtime.planner.decoding import Decoder, Generated
from runtime.planner.engine import Logits
from runtime.planner.grammar import GrammarCache
from runtime.planner.llama import MIN_OUTPUT, LlamaPlanner
from runtime.planner.settings import PlannerSettings

OBSTACLES = ("permission_dialog", "sign_in", "secure_window")
ASKED = {
    "permission_dialog": "A permission dialog is open. Please answer it on the phone.",
    "sign_in": "The app wants a sign in. Please do it on the phone.",
    "secure_window": "A secure window is in front. Please go on by hand.",
}


class Oracle:
    """The choices for one side of one task."""

    def __init__(self, gold: Sequence[Json]) -> None:
        self._gold = list(gold)
        self._next = 0

    def action(self, context: ContextView) -> Action:
        """What follows the last result."""
        last = next((str(one["content"]) for one in reversed(context.messages) if one.get("role") == "tool"), "")
        met = next((name for name in OBSTACLES if f'"obstacle": "{name}"' in last or f"blocked ({name})" in last), "")
        if met:
            return Ask(question=ASKED[met])
        if last.startswith('{"error"'):
            return Refuse(reason=f"It did not work: {json.loads(last).get('message', '')}"[:120])
        if self._next >= len(self._gold):
            return Finish(answer="It is done.")
        step = self._gold[self._next]
        self._next += 1
        return ToolCall(id="", name=step["name"], arguments=step["arguments"])


class Lead:
    """Puts the oracle's text in the place of the model's, token by token (the interface of a `Copier`)."""

    def __init__(self, text: str, planner: "LedPlanner") -> None:
        self._text, self._vocabulary = text, planner.vocabulary

    def prefer(self, row: Logits, best: int, written: Sequence[int]) -> Sequence[int]:
        """The next token of the text."""
        so_far = self._vocabulary.decode(written)
        rest = self._text[len(so_far) :] if self._text.startswith(so_far) else ""
        wanted = self._vocabulary.encode(rest)[:1]
        return [] if wanted == [best] else wanted


class LedPlanner(LlamaPlanner):
    """The embedded planner, led."""

    def __init__(self, path: Path, settings: PlannerSettings, name: str) -> None:
        """One call a decision: what comes after it is the oracle's to say."""
        super().__init__(path, settings.model_copy(update={"max_calls": 1, "temperature": 0.0}), name)
        self.identity = f"oracle on {self.identity}"
        self.oracle = Oracle(())

    def _generate(self, context: ContextView, prompt: list[int], deadline: Deadline) -> Generated:
        if self._grammars is None:
            self._grammars = GrammarCache(self.vocabulary.for_grammar)
        matcher, _ = self._grammars.matcher(context.exposed, 1, False)
        text = render_action(self.oracle.action(context), context.exposed)
        decoder = Decoder(self.engine, matcher, self.vocabulary.end, 0.0, (0,), Lead(text, self))  # type: ignore[arg-type]
        room = self.context_tokens - len(prompt) - MIN_OUTPUT // 2
        made = decoder.run(prompt[len(self.engine.ids) :], min(self.settings.max_output_tokens, room), deadline)
        written = self.vocabulary.decode([token.id for token in made.tokens if token.id != self.vocabulary.end])
        if made.end == "closed" and written != text:
            raise AssertionError(f"the planner could not be led: {written!r} is not {text!r}")
        return made


def open_led(settings: PlannerSettings) -> LedPlanner:
    """Over the embedded planner's file."""
    from runtime.planner.checkpoints import choose
    from runtime.planner.embedded import base_file, embedded_file

    folder = choose(settings.checkpoint)
    path, name = (base_file(), "base") if folder is None else (embedded_file(folder), f"embedded-{folder.name}")
    return LedPlanner(path, settings, name)
