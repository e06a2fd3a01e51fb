"""The run that is killed: calls whose repetition shows, on the phone and in memory, alone and in pairs."""

from runtime.config import Settings, load_settings
from runtime.contract import Json

REQUEST = (
    "query the date and time, manage alarms for swim, run and row, adjust the volume, manage a note: create a note, "
    "send a message, add user memory"
)
MEMORIES = ("Swims on Mondays", "Rows on Fridays")
"""What is remembered on the way."""


def _alarm(title: str, time: str) -> Json:
    return {"name": "manage_alarm", "arguments": {"action": "create", "time": time, "title": title}}


def _volume(action: str, level: str) -> Json:
    return {"name": "adjust_volume", "arguments": {"action": action, "level": level}}


def _memory(content: str) -> Json:
    return {"name": "add_user_memory", "arguments": {"content": content, "category": "routines_habits"}}


def script() -> list[Json]:
    """Eleven calls that change something, one that reads, in nine decisions; a step of volume is one more each time."""
    note = {"name": "manage_note", "arguments": {"action": "create", "title": "Pool", "content": "Towel and cap"}}
    message = {"name": "send_message", "arguments": {"phoneNumber": "+15550143", "content": "See you at the pool"}}
    return [
        {"calls": [_alarm("swim", "6:10"), note]},
        _volume("up", "10"),
        _memory(MEMORIES[0]),
        message,
        {"calls": [_volume("down", "5"), _alarm("run", "6:20"), _volume("up", "10")]},
        {"name": "query_datetime", "arguments": {}},
        _memory(MEMORIES[1]),
        _alarm("row", "6:30"),
        {"finish": "All of it is done."},
    ]


def ride_settings(script_file: str, backend: str) -> Settings:
    """A run on the script with memory, at a fixed time on the phone, nothing asked."""
    return load_settings(
        {
            "planner": {"use": f"scripted:{script_file}"},
            "phone": {"backend": backend, "clock": "2026-03-02T05:00"},
            "memory": {"use": True},
            "budget": {"tools": 40},
        }
    )
