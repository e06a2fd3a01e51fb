"""Getting to an element: the app, this screen, further down, the named page, others; a look follows each act."""

from collections.abc import Callable, Generator, Sequence
from typing import NoReturn

from runtime.subagents.moves import Act, Blocked, Done, Reason, View
from runtime.subagents.words import Live, best, fit, lives_of, share, words

EXACT = 0.95
"""Fit from which nothing better can be meant."""
SCROLLS = 8
"""Most strokes down one list."""
PAGES = 6
"""Most pages that are opened only to look."""
HOMES: dict[str, tuple[str, ...]] = {
    "display": ("dark theme", "night light", "brightness", "font size", "screen timeout", "auto-rotate screen"),
    "sound": ("do not disturb", "volume", "ringtone", "silent", "vibrate", "ring"),
    "network": ("airplane mode", "mobile data", "roaming", "hotspot", "nfc", "internet", "wi-fi"),
    "connected devices": ("bluetooth", "pairing"),
    "battery": ("battery saver", "battery percentage"),
    "security": ("screen lock", "fingerprint", "face unlock"),
    "accessibility": ("talkback", "magnification", "color correction"),
    "date": ("24-hour format", "time zone"),
    "system": ("developer options", "stay awake", "show taps", "animations", "languages"),
    "about": ("device name", "model", "android version", "system update"),
    "apps": ("notifications", "permission", "force stop", "default apps"),
}  # fmt: skip
"""On which page of the settings such things are kept."""
Steps = Generator[Act, View, None]
Found = Generator[Act, View, Live]
Perhaps = Generator[Act, View, Live | None]


class Stopped(Exception):  # noqa: N818 - ends a procedure with what it found out
    """A procedure can't go on."""

    def __init__(self, why: Done | Blocked) -> None:
        super().__init__()
        self.why = why


class Finding:
    """Gets to elements."""

    def __init__(self, view: View) -> None:
        self.see(view)

    def see(self, view: View) -> None:
        """Take a new look."""
        self.view = view
        self.goal = view.goal
        self.lives = lives_of(view.elements)

    def stop(self, reason: Reason, message: str) -> NoReturn:
        """End here."""
        raise Stopped(Blocked(reason, message))

    def act(self, action: str, on: Live | None = None, text: str = "") -> Steps:
        """One action and the look after it; one that did not reach the phone is tried once more on a fresh look."""
        self.see((yield Act(action, on.id if on else "", text)))
        last = self.view.last
        if last is None or last.ok:
            return
        again = on and next((one for one in self.lives if one.line == on.line), None)
        if last.landed == "no" and last.code == "conflict" and again:
            self.see((yield Act(action, again.id, text)))
            last = self.view.last
        if last is not None and not last.ok and last.landed != "unknown":
            self.stop(
                "not_agreed" if last.code == "refused_by_guard" else "no_effect", last.said or f"`{action}` failed"
            )

    def tap(self, on: Live) -> Steps:
        """Tap."""
        yield from self.act("tap", on)

    def open_app(self) -> Steps:
        """By its name; where that can't be, by its icon."""
        self.see((yield Act("open", "", self.goal.app)))
        last = self.view.last
        if last is None or last.ok:
            return
        if last.code not in ("unsupported", "bad_argument"):
            self.stop("not_found" if last.code == "not_found" else "no_effect", last.said)
        yield from self.act("home")
        for _ in range(2):
            icon = best(self.goal.app, [one for one in self.lives if one.can("tap")], 0.9)
            if icon is not None:
                yield from self.tap(icon)
                return
            every = best("All apps", [one for one in self.lives if one.can("tap")], 0.9)
            if every is None:
                break
            yield from self.tap(every)
        self.stop("not_found", f"no app `{self.goal.app}` is here")

    def need(self, target: str, roles: Sequence[str]) -> Found:
        """The element that is meant, wherever in the app it is."""
        if not target:
            self.stop("unclear", "the goal names no `target`")
        found = yield from self.reached(target, roles)
        if found is None:
            self.stop("not_found", f"`{target}` was not found in {self.goal.app}")
        return found

    def reached(self, target: str, roles: Sequence[str]) -> Perhaps:
        """Here, on the page that is named, where such things are kept, or on any page."""
        if (found := self.here(target, roles, EXACT)) is not None:
            return found
        *way, last = self.goal.where.split(">")
        for page in way:
            yield from self.entered(page.strip(), target, roles)
        for page in self.pages(target, last.strip()):
            if (yield from self.entered(page, target, roles)):
                found = yield from self.anywhere(target, roles, 0.7)
                if found is not None:
                    return found
                if page != last.strip():
                    yield from self.act("back")
        found = yield from self.anywhere(target, roles, 0.6)
        return found or (yield from self.explored(target, roles))

    def entered(self, page: str, target: str, roles: Sequence[str]) -> Generator[Act, View, bool]:
        """Go to the page of that name, which may lie on one that is only named alike; whether anything was opened."""
        opened = False
        for _ in range(3):
            row = yield from self.anywhere(page, ("button",), 0.7)
            if row is None:
                break
            yield from self.tap(row)
            opened = True
            if fit(page, row) >= EXACT or self.here(target, roles, EXACT) is not None:
                break
        return opened

    def anywhere(self, target: str, roles: Sequence[str], floor: float) -> Perhaps:
        """On this screen or further down."""
        return self.here(target, roles, floor) or (yield from self.below(lambda: self.here(target, roles, floor)))

    def pages(self, target: str, where: str) -> list[str]:
        """Pages to look at first."""
        kept: list[str] = []
        if self.in_settings:
            wanted = words(target)
            kept = [page for page, things in HOMES.items() if any(share(words(one), wanted) == 1.0 for one in things)]
        elif self.goal.goal in ("turn_on", "turn_off", "choose"):
            kept = ["Settings"]
        return [page for page in dict.fromkeys((where, *kept)) if page]

    @property
    def in_settings(self) -> bool:
        """Whether this is the phone's own settings app."""
        return words(self.goal.app) == ("settings",)

    def here(self, target: str, roles: Sequence[str], floor: float) -> Live | None:
        """On this screen."""
        return best(target, [one for one in self.lives if one.role in roles and one.can("tap")], floor)

    def below(self, look: Callable[[], Live | None]) -> Perhaps:
        """Further down, then back at the top."""
        strokes = 0
        while strokes < SCROLLS:
            area = next((one for one in self.lives if one.can("scroll")), None)
            if area is None:
                break
            before = [one.line for one in self.lives]
            self.see((yield Act("scroll", area.id, "down")))
            if (found := look()) is not None:
                return found
            if [one.line for one in self.lives] == before:
                break
            strokes += 1
        for _ in range(strokes):
            area = next((one for one in self.lives if one.can("scroll")), None)
            if area is not None:
                self.see((yield Act("scroll", area.id, "up")))
        return None

    def explored(self, target: str, roles: Sequence[str]) -> Perhaps:
        """Pages of the settings that this one opens, the likeliest first; each is left again.

        In other apps a row may do more than open a page (in a call log it calls), so there nothing is tried.
        """
        if not self.in_settings:
            return None
        rows = [one for one in self.lives if one.role == "button" and one.can("tap") and self.leads(one)]
        for row in sorted(rows, key=lambda one: -fit(target, one))[:PAGES]:
            again = next((one for one in self.lives if one.line == row.line), None)
            if again is None:
                continue
            before = [one.line for one in self.lives]
            yield from self.tap(again)
            if (found := self.here(target, roles, 0.7)) is not None:
                return found
            if [one.line for one in self.lives] != before:
                yield from self.act("back")
        return None

    def leads(self, one: Live) -> bool:
        """Whether it looks like a row that opens a page: not a button that does something."""
        return (
            bool(one.title)
            and one.title.casefold() not in ("navigate up", "back", "home", "overview")
            and bool(one.rest)
        )
