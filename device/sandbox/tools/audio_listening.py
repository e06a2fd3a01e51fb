"""Everything that is listened to besides music, and the buttons of the player."""

import re
from typing import Literal

from device.sandbox.api import Domain, Json, Sandbox, Text, bad_argument, conflict, folded, not_found, tool
from device.sandbox.rows.listening import AmbientSound, Audiobook, Episode, Station
from device.sandbox.rows.music import Player
from device.sandbox.rows.storage import File
from device.sandbox.tools.audio_player import now_playing, set_state, start, step
from device.sandbox.tools.lookup import matches, need_online, only
from device.sandbox.tools.offline import came
from device.spoken.text import plain


@tool(
    Domain.AUDIO,
    phrases=(
        "turn on the radio",
        "tune in to 101.3",
        "I'd like the news station",
        "play a rock station",
        "put Jazz 24 on",
        "radio please, something classical",
    ),
)
def play_radio(phone: Sandbox, station: Text | None = None, genre: Text | None = None) -> Json:
    """Play radio."""
    stations = phone.table(Station).all()
    if genre is not None:
        stations = [s for s in stations if folded(s.genre) == folded(genre)] if station is None else stations
    if station is not None:
        digits = re.sub(r" (?:point|\.) ?", ".", plain(station)).removesuffix(" fm")
        tuned = [s for s in stations if s.frequency == digits]
        stations = tuned or matches(stations, station, lambda s: s.name)
    if len(stations) > 1 and station is not None:
        names = [s.name for s in stations]
        raise conflict(f"`{station}` fits {' and '.join(names)}; say which", candidates=names)
    if stations:
        found = stations[0]
        return start(phone, "radio", found.name, genre=genre or found.genre, source=f"FM {found.frequency}")
    need_online(phone, "stream a station that its tuner does not receive")
    return start(phone, "radio", station or f"{genre} radio", genre=genre or "", source="stream")


@tool(
    Domain.AUDIO,
    phrases=(
        "play the latest Heavyweight",
        "put on a podcast",
        "continue with Science Friday",
        "episode 12 of History Hour",
        "I want to listen to a true crime podcast",
        "start today's Morning Brief",
        "skip to the next episode",
        "rewind the podcast a little",
    ),
)
def play_podcast(phone: Sandbox, podcast: Text | None = None, episode: Text | None = None) -> Json:
    """Play podcasts."""
    episodes = phone.table(Episode).all()
    if podcast is not None:
        episodes = matches(episodes, re.sub(r"\bpodcasts?\b", "", podcast).strip() or podcast, lambda e: e.podcast)
    if not episodes:
        need_online(phone, "stream a podcast without a subscription")
        return start(phone, "podcast", episode or "latest episode", artist=podcast or "", source="stream")
    chosen = _episode(phone, episodes, episode)
    here = came(phone, chosen)
    if not here:
        need_online(phone, f"stream episode {chosen.number} of {chosen.podcast}")
    queue = tuple(e.title for e in episodes if e.podcast == chosen.podcast)
    source = "library" if here else "stream"
    at = queue.index(chosen.title)
    return start(phone, "podcast", chosen.title, artist=chosen.podcast, source=source, queue=queue, index=at)


def _episode(phone: Sandbox, episodes: list[Episode], said: str | None) -> Episode:
    """The episode that is meant: latest, first, next, previous, by number or by title; 404 when there is none."""
    ordered = sorted(episodes, key=lambda e: e.number)
    words = plain(said or "latest").replace("number ", "")
    if re.search(r"\b(latest|newest|last|recent|today)\b", words):
        return ordered[-1]
    if re.search(r"\b(next|previous)\b", words):
        playing = [n for n, e in enumerate(ordered) if e.title == phone.one(Player).title]
        at = (playing[0] if playing else len(ordered) - 1) + (1 if "next" in words else -1)
        if not playing or not 0 <= at < len(ordered):
            raise not_found(f"there is no {said} of `{ordered[0].podcast}`; the latest is number {ordered[-1].number}")
        return ordered[at]
    if match := re.search(r"\b(\d+)(?:st|nd|rd|th)?\b", words):
        ordered = [e for e in ordered if e.number == int(match[1])]
    else:
        ordered = matches(ordered, said or "", lambda e: e.title)
    if not ordered:
        there = [f"{e.podcast} {e.number}: {e.title}" for e in episodes][:8]
        raise not_found(f"there is no episode `{said}`; there is {'; '.join(there)}", candidates=there)
    return ordered[0]


@tool(
    Domain.AUDIO,
    phrases=(
        "read me Animal Farm",
        "carry on with my audiobook",
        "start Dracula from the beginning",
        "play something by Jane Austen",
        "open chapter five of Emma",
        "resume the book",
        "pick the story up where we left off",
        "pause the audiobook for ten minutes",
    ),
)
def play_audiobook(
    phone: Sandbox, title: Text | None = None, author: Text | None = None, playback: Text | None = None
) -> Json:
    """Play audiobooks."""
    books = phone.table(Audiobook).all()
    if author is not None:
        books = matches(books, author, lambda b: b.author)
        if not books:
            raise not_found(f"no audiobook by `{author}` is on this phone")
    if title is not None:
        book = only(books, title, lambda b: b.title, "audiobook")
    elif len(books) > 1 and author is not None:
        names = [b.title for b in books]
        raise conflict(f"there are {len(books)} books by `{author}`: {', '.join(names)}; say which", candidates=names)
    else:
        book = max(books, key=lambda b: b.chapter / b.chapters)
    chapter = _chapter(book, playback)
    phone.table(Audiobook).update(book, chapter=chapter)
    return start(phone, "audiobook", book.title, artist=book.author) | {"chapter": chapter, "chapters": book.chapters}


def _chapter(book: Audiobook, said: str | None) -> int:
    """Where to start: the kept place, the beginning, or a chapter by number; 400 when unreadable."""
    words = plain(said or "resume")
    if re.search(r"\b(beginning|restart|start over|begin|scratch)\b", words):
        return 1
    if match := re.search(r"\bchapter (\d+)|\b(\d+)(?:st|nd|rd|th)? chapter", words):
        number = int(match[1] or match[2])
        if not 1 <= number <= book.chapters:
            raise bad_argument(
                f"`playback` {said}: `{book.title}` has chapters 1 to {book.chapters}", argument="playback"
            )
        return number
    if re.search(r"\b(resume|continue|go on|carry on|start|play|read|put on|where)\b", words):
        return book.chapter
    raise bad_argument(f"`playback` {said}: say resume, from the beginning, or chapter 3", argument="playback")


@tool(
    Domain.AUDIO,
    phrases=(
        "play ocean waves",
        "rain sounds so I can sleep",
        "listen to my piano lesson recording",
        "campfire noise please",
        "put the fan sound on",
    ),
)
def play_audio(phone: Sandbox, name: Text) -> Json:
    """Play ambient sounds and recordings."""
    bare = re.sub(r"\b(sounds?|noises?|recording)\b", "", name, flags=re.I).strip() or name
    sounds = [(row.name, "ambient") for row in phone.table(AmbientSound).all()]
    files = phone.table(File).find(lambda file: file.kind == "audio")
    recorded = [(file.name.rpartition(".")[0].replace("_", " "), file.name) for file in files]
    found = only(sounds + recorded, bare, lambda pair: pair[0], "sound or recording")
    return start(phone, "audio", found[0], source=found[1])


@tool(
    Domain.AUDIO,
    phrases=(
        "pause it for a moment",
        "skip this one",
        "go back a song",
        "keep playing",
        "turn the music off",
        "next track please",
        "stop what's playing",
    ),
)
def control_playback(phone: Sandbox, action: Literal["pause", "resume", "stop", "next", "previous"]) -> Json:
    """Pause, resume, skip."""
    if action in ("next", "previous"):
        return step(phone, 1 if action == "next" else -1)
    set_state(phone, {"pause": "paused", "resume": "playing", "stop": "idle"}[action])
    return now_playing(phone)
