"""What happens on a phone, kept as a folder: screens, pictures, inputs, results; redacted before anything is written.

phone -> shot.py -> redaction.py (forms.py) -> folder.py (steps.jsonl, dumps, pictures, events.jsonl, episode.json)
a person acts: watching.py polls, guess.py says what was probably done;   an agent acts: acting.py is told
"""

from device.android.record.acting import RecordedScreen
from device.android.record.folder import Folder
from device.android.record.guess import is_launcher
from device.android.record.redaction import Finding, Redaction
from device.android.record.shot import Shot, take
from device.android.record.watching import Watching

__all__ = ["Finding", "Folder", "RecordedScreen", "Redaction", "Shot", "Watching", "is_launcher", "take"]
