"""What tapping an element would do that can't be taken back, as far as its words say.

A button's own words come first: `Delete contact` deletes. One that only agrees (`OK`, `Yes`) does what the question
above it names: `Delete "Cat.mp4"?`. Switches, fields and rows are not asked about. The words are English; what a button
in another language does is not known here, so a planner's own guard still counts.
"""

import re
from collections.abc import Iterable

from runtime.contract import Effect

_WORDS: dict[Effect, tuple[str, ...]] = {
    Effect.SEND: ("send", "share", "post", "reply", "call", "dialpad voice call"),
    Effect.PAY: ("pay", "buy", "purchase", "order", "place order", "checkout", "donate", "subscribe", "book"),
    Effect.DELETE: ("delete", "remove", "erase", "uninstall", "discard", "wipe", "clear", "empty", "move to trash"),
    Effect.INSTALL: ("install", "update", "update all", "get app"),
    Effect.GRANT: ("allow", "grant", "while using the app", "only this time"),
    Effect.POWER: ("power off", "shut down", "turn off phone", "restart", "reboot", "factory reset"),
}
_BEGINS = {
    effect: re.compile(rf"(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE) for effect, words in _WORDS.items()
}
_AGREES = re.compile(r"(?:ok|okay|yes|confirm|continue|proceed)", re.IGNORECASE)
_MOST_WORDS = 5
"""A button says what it does in few words; a row of a list may begin with any."""


def risks(role: str, label: str, around: Iterable[str] = ()) -> tuple[Effect, ...]:
    """Effects that a tap would have; `around` are the texts beside it on the same screen."""
    if role != "button" or len(label.split()) > _MOST_WORDS:
        return ()
    if _AGREES.fullmatch(label.strip()):
        asked = [text for text in around if "?" in text]
        return tuple(effect for effect, begins in _BEGINS.items() if any(begins.match(text) for text in asked))
    return tuple(effect for effect, begins in _BEGINS.items() if begins.match(label.strip()))
