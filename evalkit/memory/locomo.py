"""LoCoMo: conversations of two people over months; evidence is a list of turn ids such as `D1:3`.

Some ids are malformed in the published set: `D:11:26`, `D9:1 D4:4`, `D30:05`, several in one string. What names a turn
beyond doubt is read and counted as repaired; what names none is counted as unknown and left out.
"""

import re
from pathlib import Path
from typing import Any

from evalkit.memory.dataset import Dataset, Question, Sample, Turn, cut, fingerprint, moment, read_json, wrong

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_PLAIN = re.compile(r"D\d+:\d+")
_LOOSE = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


def read(path: Path) -> Dataset:
    """The conversations of a file."""
    rows = read_json(path, "LoCoMo")
    if not isinstance(rows, list) or not rows:
        raise wrong(path, "the file", "a list of samples is expected", "LoCoMo")
    samples = []
    for number, row in enumerate(rows):
        try:
            samples.append(_sample(row, str(row.get("sample_id", f"sample {number + 1}"))))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise wrong(path, f"sample {number + 1}", f"{type(error).__name__} {error}", "LoCoMo") from None
    return Dataset(
        format="locomo", name=path.name, fingerprint=fingerprint([path], path.parent), samples=tuple(samples)
    )


def evidence_ids(given: Any) -> tuple[list[str], int]:
    """Turn ids in a question's evidence, each once, and how many entries were not one plain id."""
    found: list[str] = []
    repaired = 0
    for entry in given if isinstance(given, list) else [given] if given else []:
        text = str(entry).strip()
        read_here = [f"D{int(session)}:{int(turn)}" for session, turn in _LOOSE.findall(text)]
        repaired += not _PLAIN.fullmatch(text) or read_here != [text]
        found += read_here
    return list(dict.fromkeys(found)), repaired


def _sample(row: Any, name: str) -> Sample:
    conversation = row["conversation"]
    turns = [turn for number in _sessions(conversation) for turn in _turns(conversation, number)]
    known = {turn.id for turn in turns}
    questions = [_question(number, one, known) for number, one in enumerate(row["qa"])]
    return Sample(id=name, turns=tuple(turns), questions=tuple(questions))


def _sessions(conversation: Any) -> list[int]:
    return sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key)))


def _turns(conversation: Any, number: int) -> list[Turn]:
    at = moment(conversation.get(f"session_{number}_date_time"))
    return [
        Turn(
            id=said["dia_id"],
            session=f"session {number}",
            order=place,
            speaker=said["speaker"],
            text=_text(said),
            at=at,
        )
        for place, said in enumerate(conversation[f"session_{number}"])
    ]


def _text(said: Any) -> str:
    """The words, and what a shared picture shows."""
    caption = said.get("blip_caption")
    return cut(f"{said['text']} [shares {caption}]" if caption else said["text"])


def _question(number: int, one: Any, known: set[str]) -> Question:
    named, repaired = evidence_ids(one.get("evidence"))
    evidence = [name for name in named if name in known]
    return Question(
        id=f"q{number + 1:04d}",
        text=one["question"],
        category=CATEGORIES.get(one["category"], str(one["category"])),
        evidence=tuple(evidence),
        answer=str(one.get("answer", "")),
        unanswerable=one["category"] == 5,
        scored=one["category"] != 5 and bool(evidence),
        repaired=repaired,
        unknown=len(named) - len(evidence),
    )
