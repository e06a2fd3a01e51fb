"""What tapping an element would do that can't be taken back, as far as its words say.

1. A button's own words come first, without what stands before them (`Yes, delete`, `Confirm payment`, an icon, the
   `btn` of a resource id): `Delete contact` deletes. So do those of a bare text: a tap on it reaches what lies under.
2. One that only agrees (`OK`, `Yes`) does what is asked or announced beside it: `Delete "Cat.mp4"?`, `Are you sure you
   want to delete it?`, `All data will be erased`.
3. Switches and fields are not asked about, nor long rows of a list. The words are English; what a button in another
   language does is not known here, so a planner's own guard still counts.
"""

import re
import unicodedata
from collections.abc import Iterable

from runtime.contract import Effect

_WORDS: dict[Effect, tuple[str, ...]] = {
    Effect.SEND: ("send", "share", "post", "publish", "reply", "call", "voice call", "video call",
                  "dialpad voice call"),
    Effect.PAY: ("pay", "payment", "buy", "purchase", "order", "place order", "place bid", "checkout", "check out",
                 "donate", "subscribe", "book", "transfer", "withdraw", "transaction"),
    Effect.DELETE: ("delete", "deletion", "remove", "removal", "erase", "uninstall", "discard", "wipe", "clear",
                    "empty", "move to trash", "move to bin"),
    Effect.INSTALL: ("install", "installation", "update", "update all", "get app"),
    Effect.GRANT: ("allow", "grant", "while using the app", "only this time"),
    Effect.POWER: ("power off", "shut down", "shutdown", "turn off phone", "restart", "reboot", "factory reset",
                   "reset phone"),
}  # fmt: skip
"""How a button begins that does it."""
_DONE: dict[Effect, str] = {
    Effect.SEND: "sent|shared|posted|published|called",
    Effect.PAY: "charged|billed|paid|purchased|debited|transferred",
    Effect.DELETE: "deleted|removed|erased|uninstalled|discarded|wiped|cleared|lost",
    Effect.INSTALL: "installed|updated",
    Effect.GRANT: "granted|allowed",
    Effect.POWER: "powered off|shut down|restart|restarted|reboot|rebooted|reset",
}
"""How it is announced, after `will` or `be`."""
_ANY = {effect: "|".join(map(re.escape, words)) for effect, words in _WORDS.items()}
_BEGINS = {effect: re.compile(rf"(?:{words})\b", re.IGNORECASE) for effect, words in _ANY.items()}
_HOLDS = {effect: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for effect, words in _ANY.items()}
_WILL = {
    effect: re.compile(rf"\b(?:will|be|being|get|gets)\b.{{0,40}}\b(?:{words})\b", re.IGNORECASE)
    for effect, words in _DONE.items()
}
_AGREES = re.compile(
    r"(?:ok|okay|yes|sure|i'?m sure|yes,? i'?m sure|confirm|continue|proceed|agree|i agree|accept|got it|done)[.!]?",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:\W|(?:ok|okay|yes|confirm|continue|proceed|complete|finish|permanently|really|force|swipe|slide|tap|click|press"
    r"|btn|button|ic|icon|fab|action|menu|img|image|iv|bt|tv|cta|to|and|with|the|your|this)\b)*",
    re.IGNORECASE,
)
"""What may stand before the word that says what a button does."""
_MOST_WORDS, _MOST_OF_A_BUTTON = 5, 14
"""What can be tapped says what it does in few words, a real button in more; a row of a list may begin with any."""


def risks(role: str, label: str, around: Iterable[str] = (), kind: str = "") -> tuple[Effect, ...]:
    """Effects that a tap would have; `around` are the texts beside it on the same screen, `kind` is its class."""
    said = _plain(label)
    most = _MOST_OF_A_BUTTON if kind.endswith("Button") else _MOST_WORDS
    if role not in ("button", "text") or len(said.split()) > most:
        return ()
    if _AGREES.fullmatch(said):
        texts = [_plain(text) for text in around]
        return tuple(effect for effect in _BEGINS if any(_asks(effect, text) for text in texts))
    return tuple(effect for effect in _BEGINS if _begins(effect, said))


def _asks(effect: Effect, text: str) -> bool:
    """Whether a text beside a button that agrees asks for the effect, announces it, or is its title."""
    if "?" in text and _HOLDS[effect].search(text):
        return True
    return bool(_WILL[effect].search(text)) or (len(text.split()) <= _MOST_WORDS and _begins(effect, text))


def _begins(effect: Effect, text: str) -> bool:
    """At its beginning, or behind words that only agree."""
    found = _BEFORE.match(text)
    return any(_BEGINS[effect].match(text, at) for at in (0, found.end() if found else 0))


def _plain(label: str) -> str:
    """Without letters in disguise and characters that nobody sees."""
    folded = unicodedata.normalize("NFKC", label)
    return "".join(char for char in folded if unicodedata.category(char) != "Cf").strip()
