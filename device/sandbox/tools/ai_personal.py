"""Searching what the phone knows of its user in all apps at once, and the end of a dialogue over the camera."""

from typing import Literal

from device.sandbox.api import Domain, Effect, Json, Person, Sandbox, Text, conflict, folded, tool
from device.sandbox.rows.agents import MultimodalDialogue, PersonalCard
from device.sandbox.rows.communication import Email
from device.sandbox.rows.storage import File
from device.sandbox.rows.time_management import Event
from device.sandbox.rows.utilities import Note

_SHOWN = 5
_IDLE = frozenset(
    ("my", "our", "me", "of", "for", "about", "on", "in", "with", "to", "is", "what", "everything", "anything", "and")
)
SOURCES = ("cards", "notes", "calendar", "contacts", "email", "files")
"""Where personal information lies."""


@tool(
    Domain.ASSISTANT,
    permission="personal_data",
    effects=Effect.READ,
    phrases=(
        "what's my license plate number",
        "look up my frequent flyer number",
        "search everything on my phone about the lease",
        "find my passport number in my cards",
        "where did I note down something about the router",
        "what is my blood type according to my records",
        "what do I have about the dentist in notes, mails and files",
        "find everything I saved on the meeting, whatever app it's in",
    ),
)
def search_personal_information(
    phone: Sandbox,
    query: Text,
    source: Literal["cards", "notes", "calendar", "contacts", "email", "files"] | None = None,
) -> Json:
    """Search my cards, notes, calendar, contacts, mail, files."""
    words = [word for word in folded(query).split() if word not in _IDLE] or folded(query).split()
    hits: list[tuple[int, Json]] = []
    for name in SOURCES if source is None else (source,):
        for title, text in _entries(phone, name):
            held = set(folded(f"{title} {text} {name}").split())
            if score := sum(word in held for word in words):
                hits.append((score, {"source": name, "title": title, "text": text}))
    hits.sort(key=lambda hit: -hit[0])
    best = [entry for score, entry in hits if score == hits[0][0]]
    return {"total": len(hits), "best": best[:_SHOWN]}


def _entries(phone: Sandbox, source: str) -> list[tuple[str, str]]:
    """Title and text of everything in one source."""
    if source == "cards":
        return [(card.label, card.value) for card in phone.table(PersonalCard).all()]
    if source == "notes":
        return [(note.title, note.content) for note in phone.table(Note).all()]
    if source == "calendar":
        rows = phone.table(Event).all()
        return [(row.event, f"{row.date} {row.time} {row.person} {row.location}".strip()) for row in rows]
    if source == "contacts":
        people = phone.table(Person).all()
        return [(person.name, f"{person.relation} {person.phone} {person.address}".strip()) for person in people]
    if source == "email":
        return [(mail.subject, f"{mail.who}: {mail.content}") for mail in phone.table(Email).all()]
    return [(file.name.replace("_", " "), f"{file.folder}, {file.modified}") for file in phone.table(File).all()]


@tool(
    Domain.ASSISTANT,
    phrases=(
        "stop looking through my camera now",
        "end the video dialogue",
        "leave the multimodal conversation and keep a summary",
        "quit the live camera chat",
        "you don't need to see my screen any more",
    ),
)
def multimodal_dialogue_exit(phone: Sandbox, summary: Literal["save", "discard"] | None = None) -> Json:
    """Leave the camera and screen dialogue."""
    dialogue = phone.one(MultimodalDialogue)
    if not dialogue.active:
        raise conflict("no multimodal dialogue is going on; nothing is left to do")
    phone.change(MultimodalDialogue, active=False, topic="", turns=0)
    if summary != "save":
        return {"dialogue": "closed", "summary": "discarded"}
    text = f"{dialogue.turns} turns about {dialogue.topic or 'nothing in particular'}"
    moment = phone.now.isoformat(timespec="minutes")
    note = phone.table(Note).insert(Note(phone.new_id("note"), text, "Dialogue summary", moment))
    return {"dialogue": "closed", "summary": note}
