"""LongMemEval: each question has its own history of sessions with an assistant; turns with `has_answer` are evidence.

Where no turn is marked, all turns of the answer sessions are. Ids that end in `_abs` ask for what was never said.
"""

from pathlib import Path
from typing import Any

from evalkit.memory.dataset import Dataset, Question, Sample, Turn, cut, fingerprint, moment, read_json, wrong


def read(path: Path) -> Dataset:
    """The questions of a file, a sample each."""
    rows = read_json(path, "LongMemEval")
    if not isinstance(rows, list) or not rows:
        raise wrong(path, "the file", "a list of questions is expected", "LongMemEval")
    samples = []
    for number, row in enumerate(rows):
        try:
            samples.append(_sample(row))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise wrong(path, f"question {number + 1}", f"{type(error).__name__} {error}", "LongMemEval") from None
    digest = fingerprint([path], path.parent)
    return Dataset(format="longmemeval", name=path.name, fingerprint=digest, samples=tuple(samples))


def _sample(row: Any) -> Sample:
    sessions = list(zip(row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"], strict=True))
    sessions.sort(key=lambda session: moment(session[1]))
    turns: list[Turn] = []
    marked: list[str] = []
    inside: list[str] = []
    for place, (name, date, said) in enumerate(sessions):
        for number, one in enumerate(said):
            # A session may stand in a history twice, so its place is part of the id.
            turn = Turn(id=f"{name}:{number}@{place}", session=f"{name}@{place}", order=number, speaker=one["role"],
                        text=cut(one["content"]), at=moment(date))  # fmt: skip
            turns.append(turn)
            marked += [turn.id] if one.get("has_answer") else []
            inside += [turn.id] if name in row["answer_session_ids"] else []
    return Sample(id=str(row["question_id"]), turns=tuple(turns), questions=(_question(row, tuple(marked or inside)),))


def _question(row: Any, evidence: tuple[str, ...]) -> Question:
    absent = str(row["question_id"]).endswith("_abs")
    return Question(
        id="q0001",
        text=row["question"],
        category=row["question_type"],
        evidence=() if absent else evidence,
        answer=str(row["answer"]),
        unanswerable=absent,
        asked_at=moment(row.get("question_date")),
        scored=bool(evidence) and not absent,
    )
