"""How each kind of goal is reached: look for what is named, act on it, and see that the screen says so.

Finding: on the screen as it is, further down the list, on the page that is named, on the page where such things are
kept, and at last on the pages that can be opened from here, one by one and back. Every act is followed by a look, and
what the look shows decides.
"""

from collections.abc import Callable, Generator, Iterable
from functools import partial

from runtime.subagents.finding import Finding, Stopped
from runtime.subagents.moves import Act, Blocked, Done, View
from runtime.subagents.words import ROWS, TOGGLES, Live, begins, best, fit, words

__all__ = ["Stopped", "Work"]
Steps = Generator[Act, View, None]
Ended = Generator[Act, View, Done | Blocked]
CREATE = ("add", "new", "create", "start", "compose", "write", "plus")
COMMIT = (
    "save",
    "ok",
    "done",
    "create",
    "rename",
    "apply",
    "submit",
    "send",
    "add",
    "set",
    "confirm",
    "update",
    "start",
)
REMOVE = ("delete", "remove", "uninstall", "trash", "erase", "discard")
AGREE = (*REMOVE, "ok", "yes", "confirm")
KEYPAD = ("key pad", "keypad", "dial pad", "dialpad")


class Work(Finding):
    """One goal's procedure."""

    def procedure(self) -> Ended:
        """From wherever the phone is to done or blocked."""
        yield from self.open_app()
        kinds: dict[str, Callable[[], Ended]] = {
            "turn_on": lambda: self.switch(True),
            "turn_off": lambda: self.switch(False),
            "choose": self.choose,
            "open": self.page,
            "read": self.page,
            "add": self.add,
            "change": self.change,
            "delete": self.delete,
            "send": self.send,
            "call": self.call,
        }
        return (yield from kinds[self.goal.goal]())

    # switches and choices

    def switch(self, on: bool) -> Ended:
        """A switch is brought to a state, and shows it."""
        found = yield from self.need(self.goal.target, ROWS)
        for _ in range(2):
            if found.on is not None:
                break
            yield from self.tap(found)
            found = self.toggle(self.goal.target) or self.stop(
                "not_found", f"`{found.title}` opens a page without a switch of that name"
            )
        if found.on is None:
            self.stop("not_found", f"`{found.title}` is no switch")
        if found.on is not on:
            yield from self.tap(found)
            found = self.toggle(found.title) or found
        if found.on is on and found in self.lives:
            return Done(shown=found.id)
        return Blocked("no_effect", f"`{found.line}` was tapped and does not show {'on' if on else 'off'}")

    def toggle(self, target: str) -> Live | None:
        """The switch of that name on this page; else the only one."""
        toggles = [one for one in self.lives if one.on is not None and one.role in TOGGLES]
        return best(target, toggles, 0.6) or (toggles[0] if len(toggles) == 1 else None)

    def choose(self) -> Ended:
        """One of several is chosen, and shows it."""
        option = self.goal.values[0].rpartition(": ")[2] if self.goal.values else self.goal.target
        row: Live | None = None
        if self.goal.target and self.goal.target != option and not self.option(option):
            row = yield from self.need(self.goal.target, ROWS)
            if not self.option(option):
                yield from self.tap(row)
        found = self.option(option)
        if found is None:
            found = yield from self.need(option, ROWS)
        if found.on is not True:
            yield from self.tap(found)
        now = self.option(found.title)
        if now is not None and now.on:
            return Done(shown=now.id)
        shown = row and best(row.title, self.lives, 0.9)
        if shown is not None and fit(option, shown) >= 0.6:
            return Done(shown=shown.id)
        return Blocked("no_effect", f"`{found.line}` was tapped and is not shown as chosen")

    def option(self, target: str) -> Live | None:
        """What can be chosen by that name on this page."""
        able = [one for one in self.lives if one.on is not None and one.can("tap") and one.role != "switch"]
        return best(target, able, 0.7)

    # pages

    def page(self) -> Ended:
        """A page is opened; what it says is read where that is asked."""
        found = yield from self.need(self.goal.target, ROWS)
        before = {one.line for one in self.lives}
        yield from self.tap(found)
        new = [one for one in self.lives if one.line not in before and (one.title or one.rest)]
        if not new:
            return Blocked("no_effect", f"`{found.line}` was tapped and opened nothing")
        shown = best(found.title, new, 0.7) or new[0]
        read = tuple(one.line for one in new) if self.goal.goal == "read" else ()
        return Done(shown=shown.id, read=read)

    # forms

    def add(self) -> Ended:
        """Something is made: a button that makes it, its fields, a button that ends it."""
        for page in filter(None, map(str.strip, self.goal.where.split(">"))):
            yield from self.tap((yield from self.need(page, ROWS)))
        opener = self.maker() or (yield from self.below(self.maker))
        if opener is None:
            self.stop("not_found", f"nothing here makes `{self.goal.target}`")
        yield from self.tap(opener)
        yield from self.fill()
        return (yield from self.commit())

    def maker(self) -> Live | None:
        """The button that makes the target."""
        able = [one for one in self.lives if one.role == "button" and one.can("tap")]
        named = [one for one in able if begins(one, CREATE)]
        return best(self.goal.target, named, 0.3) or best(self.goal.target, able, 0.95) or next(iter(named), None)

    def change(self) -> Ended:
        """Something that is there is opened, and fields of it become others."""
        yield from self.tap((yield from self.need(self.goal.target, ROWS)))
        if not any(one.role == "field" for one in self.lives):
            editor = next(
                (one for one in self.lives if begins(one, ("edit", "rename", "change")) and one.can("tap")), None
            )
            if editor is not None:
                yield from self.tap(editor)
        yield from self.fill()
        return (yield from self.commit())

    def fill(self) -> Steps:
        """Every value goes into its field, and is read there."""
        filled: set[str] = set()
        for name, text in self.goal.fields:
            look = partial(self.field, name, filled)
            field = look() or (yield from self.below(look))
            if field is None:
                self.stop("not_found", f"there is no field `{name or text[:20]}` here")
            filled.add(field.title)
            if field.rest != text:
                yield from self.act("type", field, text)

    def field(self, name: str, filled: set[str]) -> Live | None:
        """The field of that name; without a name, the first that is free."""
        free = [one for one in self.lives if one.role == "field" and one.can("type") and one.title not in filled]
        return best(name, free, 0.3) if name else next(iter(free), None)

    def commit(self) -> Ended:
        """The button that ends a form; the form must be gone then."""
        button = self.button(COMMIT) or (yield from self.below(lambda: self.button(COMMIT)))
        if button is None:
            self.stop("not_found", "nothing here ends the form")
        fields = {one.title for one in self.lives if one.role == "field"}
        before = {one.line for one in self.lives}
        yield from self.tap(button)
        left = {one.title for one in self.lives if one.role == "field"}
        if fields and fields <= left and self.button((words(button.title)[0],)):
            said = "; ".join(one.title for one in self.lives if one.line not in before and one.role == "text")
            return Blocked("not_accepted", f"`{button.title}` did not take the form{': ' + said if said else ''}")
        texts = [text for _, text in self.goal.fields] + [self.goal.target]
        new = [one for one in self.lives if one.line not in before]
        shown = next((one for text in texts for one in new if fit(text, one) >= 0.6), None)
        shown = shown or next((one for text in texts for one in self.lives if fit(text, one) >= 0.8), None)
        return Done(shown=shown.id) if shown else Done(gone=button.line)

    def button(self, verbs: Iterable[str]) -> Live | None:
        """The first button by the order of the verbs."""
        able = [one for one in self.lives if one.role == "button" and one.can("tap")]
        return next((one for verb in verbs for one in able if begins(one, (verb,))), None)

    # what ends or leaves

    def delete(self) -> Ended:
        """Something is opened and deleted; it must be gone then."""
        found = yield from self.need(self.goal.target, ROWS)
        yield from self.tap(found)
        button = self.button(REMOVE) or (yield from self.below(lambda: self.button(REMOVE)))
        if button is None:
            self.stop("not_found", f"nothing here deletes `{found.title}`")
        yield from self.tap(button)
        if self.dialog() and (agreed := self.button(AGREE)) is not None:
            yield from self.tap(agreed)
        if any(one.line == found.line for one in self.lives):
            return Blocked("no_effect", f"`{found.line}` is still there")
        return Done(gone=found.line)

    def dialog(self) -> bool:
        """Whether something is asked."""
        cancel = any(begins(one, ("cancel", "no", "keep")) for one in self.lives)
        return cancel or any("?" in one.title for one in self.lives if one.role == "text")

    def send(self) -> Ended:
        """A message: to whom, the text, the button; the text must stand there as sent."""
        text = self.message()
        person = self.person()
        if person is None:
            maker = self.maker()
            if maker is None:
                self.stop("not_found", "nothing here begins a message")
            yield from self.tap(maker)
            person = self.person() or (yield from self.below(self.person))
        if person is not None:
            yield from self.tap(person)
        else:
            yield from self.address()
        field = next((one for one in self.lives if one.role == "field" and one.can("type")), None)
        if field is None:
            self.stop("not_found", f"there is no field for a message to `{self.goal.target}`")
        yield from self.act("type", field, text)
        button = self.button(("send", "reply", "post"))
        if button is None:
            self.stop("not_found", "there is no button that sends")
        yield from self.tap(button)
        start = " ".join(text.split())[:60]
        said = [one for one in self.lives if one.role != "field" and start in one.element.label]
        if said:
            return Done(shown=said[-1].id)
        return Blocked("no_effect", "the message is not shown as sent")

    def message(self) -> str:
        """What is sent: the last value, whole unless a field of a message is named before it."""
        if not self.goal.values:
            self.stop("unclear", "`values` holds no text to send")
        name, text = self.goal.fields[-1]
        return text if name.casefold() in ("", "text", "message", "text message", "body") else self.goal.values[-1]

    def person(self) -> Live | None:
        """Who is written to, as a row that can be tapped."""
        rows = [one for one in self.lives if one.role == "button" and one.can("tap")]
        return best(self.goal.target, rows, 0.7) or self.numbered(rows)

    def numbered(self, rows: list[Live]) -> Live | None:
        """A row whose number is the target."""
        digits = "".join(filter(str.isdigit, self.goal.target))
        return next((one for one in rows if len(digits) > 3 and digits in "".join(filter(str.isdigit, one.line))), None)

    def address(self) -> Steps:
        """Type to whom, and go on."""
        field = next((one for one in self.lives if one.role == "field" and one.can("type")), None)
        if field is None:
            self.stop("not_found", f"`{self.goal.target}` is not listed, and there is no field for it")
        yield from self.act("type", field, self.goal.target)
        person = self.person()
        if person is not None:
            yield from self.tap(person)
        else:
            yield from self.act("enter")

    def call(self) -> Ended:
        """A number is dialled, and the call is shown."""
        if not any(char.isdigit() for char in self.goal.target):
            return (yield from self.page())
        pad = next((one for one in self.lives for name in KEYPAD if fit(name, one) >= 0.8 and one.can("tap")), None)
        if pad is not None:
            yield from self.tap(pad)
        field = next((one for one in self.lives if one.role == "field" and one.can("type")), None)
        if field is None:
            self.stop("not_found", "there is no field for a number")
        yield from self.act("type", field, self.goal.target)
        button = next((one for one in self.lives if one.role == "button" and "call" in words(one.title)), None)
        if button is None:
            self.stop("not_found", "there is no button that calls")
        yield from self.tap(button)
        shown = next((one for one in self.lives if {"calling", "end"} & set(words(one.title))), None)
        return Done(shown=shown.id) if shown else Blocked("no_effect", "no call is shown")
