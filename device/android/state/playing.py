"""What plays and what will ring: the media session in front, the alarms that the alarm manager holds.

`dumpsys media_session` gives the state as a number, since Android 13 as `PLAYING(3)`; `dumpsys alarm` gives the time of
each alarm clock, not its title, which only the clock app knows.
"""

import re

from device.android.state.reading import Reading, Rows
from device.android.state.tables import SINGLE, table

_STATE = re.compile(r"state=PlaybackState \{state=(?:[A-Z_]+\()?(\d+)")
_WHAT = re.compile(r"metadata: size=\d+, description=(.*)")
_PACKAGE = re.compile(r"^\s+package=(\S+)", re.M)
_RINGS = re.compile(r"triggerTime=(\d{4}-\d\d-\d\d) (\d\d:\d\d)")
_STATES = {"1": "stopped", "2": "paused", "3": "playing", "6": "playing", "0": "idle"}


@table("player")
def player(reading: Reading) -> Rows:
    """One row: the session that answers to media buttons, which is listed first."""
    text = reading.text("dumpsys", "media_session")
    state, what, package = _STATE.search(text), _WHAT.search(text), _PACKAGE.search(text)
    title, artist, album = _described(what[1]) if what else ("", "", "")
    row = {
        "state": _STATES.get(state[1], "idle") if state else "idle",
        "title": title,
        "artist": artist,
        "album": album,
        "source": package[1] if package else "",
    }
    return {SINGLE: row}


def _described(text: str) -> tuple[str, str, str]:
    """Title, artist, album of `Title, Artist, Album`; a title may hold commas, and what is missing reads `null`."""
    parts = ["" if part == "null" else part for part in text.split(", ")]
    parts = parts if len(parts) > 2 else [*parts, "", ""][:3]
    return ", ".join(parts[:-2]), parts[-2], parts[-1]


@table("alarms")
def alarms(reading: Reading) -> Rows:
    """A row for each alarm clock that will ring, by its moment."""
    found = sorted({(match[1], match[2]) for match in _RINGS.finditer(reading.text("dumpsys", "alarm"))})
    return {f"{date}T{time}": {"date": date, "time": time} for date, time in found}
