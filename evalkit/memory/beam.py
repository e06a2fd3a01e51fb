"""BEAM: a folder a chat, with `chat.json` (batches of turns) and `probing_questions.json` (ability -> questions).

`source_chat_ids` is a list of message ids, or an object of lists (first and second statement, original and updated
information), nested at will; abstention has none. A file is one chat's folder, or a folder of such folders.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalkit.memory.dataset import Dataset, Question, Sample, Turn, cut, fingerprint, moment, read_json, wrong

CHAT, QUESTIONS = "chat.json", "probing_questions.json"
_MARK = re.compile(r"\s*->->\s*[\d,\s]*$")
_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance", "correct_answer")


def read(path: Path) -> Dataset:
    """The chats under a folder, in the order of their names; numbers in them count as numbers."""
    folders = [path] if (path / CHAT).is_file() else sorted((one.parent for one in path.rglob(CHAT)), key=_order)
    if not folders:
        raise wrong(path, "the folder", f"no `{CHAT}` in it or below it", "BEAM")
    samples = []
    for folder in folders:
        name = folder.relative_to(path).as_posix() if folder != path else folder.name
        samples.append(_sample(folder, name))
    files = [folder / name for folder in folders for name in (CHAT, QUESTIONS)]
    return Dataset(format="beam", name=path.name, fingerprint=fingerprint(files, path), samples=tuple(samples))


def source_ids(given: Any) -> list[str]:
    """All message ids in a value of `source_chat_ids`, each once."""
    return list(dict.fromkeys(str(one) for one in _numbers(given)))


def _numbers(given: Any) -> Iterator[int]:
    if isinstance(given, dict):
        given = list(given.values())
    if isinstance(given, list):
        for one in given:
            yield from _numbers(one)
    elif isinstance(given, int) and not isinstance(given, bool):
        yield given
    elif isinstance(given, str):
        yield from (int(one) for one in re.findall(r"\d+", given))


def _order(folder: Path) -> list[tuple[int, str]]:
    return [(int(part), part) if part.isdigit() else (0, part) for part in folder.parts]


def _sample(folder: Path, name: str) -> Sample:
    questions_file = folder / QUESTIONS
    if not questions_file.is_file():
        raise wrong(folder, "the folder", f"no `{QUESTIONS}` beside `{CHAT}`", "BEAM")
    batches, asked = read_json(folder / CHAT, "BEAM"), read_json(questions_file, "BEAM")
    try:
        turns = tuple(_turns(batches))
        known = {turn.id for turn in turns}
        questions = tuple(
            _question(f"{ability}-{number + 1}", ability, one, known)
            for ability, several in asked.items()
            for number, one in enumerate(several)
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise wrong(folder, "chat or questions", f"{type(error).__name__} {error}", "BEAM") from None
    return Sample(id=name, turns=turns, questions=questions)


def _turns(batches: Any) -> Iterator[Turn]:
    for place, batch in enumerate(batches):
        anchor = batch.get("time_anchor")
        messages = [message for exchange in batch["turns"] for message in exchange]
        for order, message in enumerate(messages):
            anchor = message.get("time_anchor") or anchor
            yield Turn(
                id=str(message["id"]),
                session=f"batch {batch.get('batch_number', place + 1)}",
                order=order,
                speaker=message["role"],
                text=cut(_MARK.sub("", message["content"])),
                at=moment(anchor),
            )


def _question(name: str, ability: str, one: Any, known: set[str]) -> Question:
    named = source_ids(one.get("source_chat_ids"))
    evidence = tuple(turn for turn in named if turn in known)
    answer = next((one[key] for key in _ANSWERS if one.get(key)), "")
    return Question(
        id=name,
        text=one["question"],
        category=ability,
        evidence=evidence,
        answer=str(answer),
        rubric=tuple(str(item) for item in one.get("rubric") or ()),
        unanswerable=ability == "abstention",
        scored=bool(evidence),
        unknown=len(named) - len(evidence),
    )
