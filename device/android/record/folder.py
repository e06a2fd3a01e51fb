"""A recording's folder while it is written: whole after every line, whatever breaks.

`steps.jsonl` is what `pocket phone replay` reads; `events.jsonl` says when what happened: inputs as they were seen or
guessed, results, gaps, what was taken out. `episode.json` is the contract's `Episode`, for `pocket trace`.
"""

import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device.android.record.redaction import Finding, Redaction, painted
from device.android.record.shot import Shot
from runtime.contract import (
    Decision,
    Episode,
    ExecutedCall,
    Failure,
    Json,
    Observation,
    Segment,
    Step,
    Stop,
    TaskView,
    TextPart,
    Timing,
    ToolCall,
    UserError,
)

REPLAYED = ("tap", "hold", "swipe", "text", "key")
"""Inputs that a replay knows."""
CHANGE_KEYS = frozenset(("table",))
"""Keys of a change whose values say nothing of a person."""


class Folder:
    """Writes one recording."""

    def __init__(self, path: Path, request: str, redaction: Redaction, by: str) -> None:
        """Make the folder; raises `UserError` for one that holds something. `by`: `person` or `agent`."""
        try:
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise UserError(f"`{path}` is not empty. Name a new folder for the recording.")
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"`{path}` can't be made: {error.strerror}. Name another folder.") from None
        self.path, self.redaction, self.by = path, redaction, by
        self.found: list[Finding] = []
        self._ended, self._detail = Stop.FINISHED, ""
        self._lines: list[Json] = []
        self._steps: list[Step] = []
        self._request = redaction.text(request, "request", self.found)
        self._started = _now()
        self.event("start", request=self._request, by=by)
        self._episode(Stop.CANCELLED, "the recording goes on")

    @property
    def screens(self) -> int:
        """How many were written."""
        return len(self._lines)

    @property
    def kept(self) -> int:
        """How many stand in `steps.jsonl`, whatever went wrong since."""
        try:
            return (self.path / "steps.jsonl").read_bytes().count(b"\n")
        except OSError:
            return 0

    @property
    def gaps(self) -> int:
        """Screens whose way to the next one was not seen."""
        return sum(line["input"] is None for line in self._lines[:-1])

    def screen(self, shot: Shot) -> None:
        """One more screen."""
        number = f"{len(self._lines) + 1:04d}"
        xml, found, boxes = self.redaction.tree(shot.tree, f"{number}.xml")
        activity = self.redaction.text(shot.activity, f"{number} activity", found)
        (self.path / f"{number}.xml").write_text(xml, encoding="utf-8")
        line: Json = {"tree": f"{number}.xml", "activity": activity, "input": None}
        if shot.picture is not None:
            (self.path / f"{number}.png").write_bytes(painted(shot.picture, boxes))
            line["picture"] = f"{number}.png"
        self._lines.append(line)
        self._write()
        self._noted(found)
        self.event("screen", app=shot.folded.package, picture=self.redaction.text(shot.why) or "yes")

    def input(self, kind: str, values: Json, guessed: str = "") -> None:
        """What leads from the last screen to the next; `guessed`: how sure, where nobody told it."""
        found: list[Finding] = []
        kept = {name: self.redaction.text(value, "input", found) if isinstance(value, str) else value
                for name, value in values.items()}  # fmt: skip
        why = self.redaction.text(guessed, "input", found)
        self._noted(found)
        if kind in REPLAYED and self._lines:
            self._lines[-1]["input"] = {"kind": kind, **kept}
            self._write()
        self.event("input", what=kind, **kept, **({"guessed": why} if why else {}))
        if not self._steps or self._steps[-1].observations:
            self._step(kind, kept)

    def result(self, seen: Observation | None, lines: tuple[str, ...] = ()) -> None:
        """What came of the last input."""
        if not self._steps:
            return
        found: list[Finding] = []
        shown = [self.redaction.text(line, "result", found) for line in lines]
        failure = None
        if seen is not None and seen.failure is not None:
            message = self.redaction.text(seen.failure.message, "result", found)
            failure = Failure(code=seen.failure.code, message=message)
        self._noted(found)
        last = self._steps[-1]
        call = last.decision.actions[0]
        assert isinstance(call, ToolCall)
        landed = seen.call.landed if seen is not None and seen.call is not None else "yes"
        executed = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key="", landed=landed)
        observation = Observation(
            call_id=call.id,
            parts=(TextPart(text="\n".join(shown)),),
            data={"screen": shown},
            call=executed,
            failure=failure,
        )
        self._steps[-1] = last.model_copy(update={"observations": (observation,)})
        self.event("result", landed=landed, error=failure.code.value if failure else "")
        self._episode(Stop.CANCELLED, "the recording goes on")

    def gap(self, why: str) -> None:
        """Something was not seen: what leads on from the last screen is not known."""
        self.event("gap", why=self.redaction.text(why))

    def outcome(self, ok: bool, said: str) -> None:
        """How an agent's work ended."""
        found: list[Finding] = []
        told = self.redaction.text(said, "outcome", found)
        self._noted(found)
        self.event("outcome", ok=ok, said=told)
        self._ended, self._detail = (Stop.FINISHED if ok else Stop.REFUSED), ("" if ok else told)

    def again(self) -> None:
        """Forget the only screen: an app was opened by its name, and the recording begins there."""
        for line in self._lines:
            (self.path / line["tree"]).unlink(missing_ok=True)
            if "picture" in line:
                (self.path / line["picture"]).unlink(missing_ok=True)
        self._lines.clear()

    def close(self, changes: list[Json] | None = None) -> None:
        """The end; `changes`: what the phone says has changed, as rows."""
        if changes is not None:
            kept = self.redaction.value(changes, "changes.json", self.found, CHANGE_KEYS)
            self._whole("changes.json", json.dumps(kept, ensure_ascii=False, indent=1))
        self.event("end", screens=self.screens, gaps=self.gaps, redacted=len(self.found), detail=self._detail)
        self._episode(self._ended, self._detail)

    def event(self, kind: str, **values: Any) -> None:
        """One line of `events.jsonl`."""
        line = {"at": _now(), "kind": kind, "screen": self.screens, **values}
        with (self.path / "events.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _noted(self, found: list[Finding]) -> None:
        self.found += found
        if found:
            self.event("redacted", kinds=sorted(one.kind for one in found))

    def _write(self) -> None:
        self._whole("steps.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self._lines))

    def _whole(self, name: str, text: str) -> None:
        """The file, or the one of before: never a part of it."""
        part = self.path / f"{name}.part"
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(self.path / name)
        except OSError:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise

    def _step(self, kind: str, values: Json) -> None:
        call = ToolCall(id=f"s{len(self._steps)}a", name=kind, arguments=values)
        self._steps.append(Step(index=len(self._steps), decision=Decision(actions=(call,), raw=json.dumps(values))))

    def _episode(self, stop: Stop, detail: str) -> None:
        segment = Segment(prefix=self._request, reason=f"recorded, by a {self.by}", steps=tuple(self._steps))
        episode = Episode(
            id=f"recording-{self.path.name}",
            view=TaskView(request=self._request or "a recording"),
            segments=(segment,),
            stop=stop,
            stop_detail=detail,
            trainable="none",
            timing=Timing(started_at=self._started),
        )
        self._whole("episode.json", episode.model_dump_json(indent=1))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
