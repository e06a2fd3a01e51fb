"""What an instruction asks of the screens of one app: a plan of closed steps, whatever the words.

1. A form whose name is in the instruction: every field must have a value there ("item: lamp, reason too dim").
2. A page whose name is in it: its lines are collected.
3. Settings that are named in it, each with what it shall become; a setting of free text takes what follows "to".

What is not there, or lacks a value, is 400 and names it: a handoff that is not complete is not taken.
"""

import re
from dataclasses import dataclass

from device.sandbox.api import Sandbox, bad_argument, folded, not_found
from device.sandbox.rows.screens import AppForm, AppPage, AppSetting

_ON = frozenset(("on", "enable", "enabled", "activate", "allow", "start", "use", "make", "yes"))
_OFF = frozenset(("off", "disable", "disabled", "deactivate", "stop", "hide", "forbid", "no", "dont", "don"))
_CLAUSE = re.compile(r"[,;]|\band\b|\bthen\b")
_LEAD = re.compile(r"^[\s:=,]*(?:(?:is|was|as|of|to|should be|shall be)\b[\s:=]*)*", re.IGNORECASE)
_TRAIL = re.compile(r"(?:[\s,;.]|\b(?:and|with|the|as)\b)+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Plan:
    """What shall happen on the screens of an app."""

    app: str
    """Which app."""
    kind: str
    """`setting`, `form` or `page`."""
    targets: tuple[str, ...]
    """Settings, or the one form or page."""
    values: tuple[str, ...] = ()
    """What each becomes."""

    @property
    def brief(self) -> str:
        """The plan in words."""
        if self.kind == "page":
            return f"collect `{self.targets[0]}`"
        if self.kind == "form":
            return f"send `{self.targets[0]}`: {', '.join(self.values)}"
        return ", ".join(f"set `{name}` to {value}" for name, value in zip(self.targets, self.values, strict=True))


def supported(phone: Sandbox) -> list[str]:
    """Apps whose screens can be worked on."""
    return sorted({screen.app for screen in _screens(phone)})


def _screens(phone: Sandbox) -> list[AppSetting | AppForm | AppPage]:
    return [*phone.table(AppSetting).all(), *phone.table(AppForm).all(), *phone.table(AppPage).all()]


def plan_of(phone: Sandbox, app: str, instruction: str) -> Plan:
    """The plan of an instruction; raises 400 for one that can't be carried out as it stands."""
    text = " ".join(instruction.split())
    forms = [form for form in phone.table(AppForm).find(app=app) if _says(text, form.name)]
    if forms:
        form = max(forms, key=lambda found: len(found.name))
        return Plan(app, "form", (form.name,), _filled(form, text))
    if pages := [page for page in phone.table(AppPage).find(app=app) if _says(text, page.name)]:
        return Plan(app, "page", (pages[0].name,))
    settings = [setting for setting in phone.table(AppSetting).find(app=app) if _says(text, setting.name)]
    if not settings:
        raise bad_argument(
            f"`instruction` names nothing on the screens of {app}; there is {', '.join(known(phone, app))}",
            argument="instruction",
            valid=known(phone, app),
        )
    settings = [one for one in settings if not any(one is not other and one.name in other.name for other in settings)]
    return Plan(app, "setting", tuple(one.name for one in settings), tuple(_value(one, text) for one in settings))


def known(phone: Sandbox, app: str) -> list[str]:
    """Names of the settings, forms and pages of an app; 404 for an app without any."""
    names = [screen.name for screen in _screens(phone) if screen.app == app]
    if not names:
        apps = supported(phone)
        raise not_found(f"the screens of `{app}` can't be worked on; those of {', '.join(apps)} can", valid=apps)
    return names


def _says(text: str, name: str) -> bool:
    """Whether all words of a name stand in the text."""
    return set(folded(name).split()) <= set(folded(text).split())


def _filled(form: AppForm, text: str) -> tuple[str, ...]:
    """One value for each field; 400 naming those that miss."""
    start = text.casefold().find(form.name.casefold())
    rest = text[:start] + " " * len(form.name) + text[start + len(form.name) :] if start >= 0 else text
    places = sorted(
        (found.start(), found.end(), field)
        for field in form.fields
        if (found := re.search(rf"\b{re.escape(field)}\b", rest, re.IGNORECASE))
    )
    values: dict[str, str] = {}
    for (_, begin, field), after in zip(places, [*(place[0] for place in places[1:]), len(rest)], strict=True):
        values[field] = _TRAIL.sub("", _LEAD.sub("", rest[begin:after])).strip("\"' ")
    if missing := [field for field in form.fields if not values.get(field)]:
        raise bad_argument(
            f"`instruction` lacks {' and '.join(f'`{field}`' for field in missing)} of the form `{form.name}`; "
            f"write it as `{missing[0]}: ...`",
            argument="instruction",
            missing=missing,
        )
    return tuple(values[field] for field in form.fields)


def _value(setting: AppSetting, text: str) -> str:
    """What a setting shall become; 400 naming what it may be."""
    if not setting.options:
        found = re.search(rf"{re.escape(setting.name)}\b.*?(?:\bto\b|\bas\b|\bsaying\b|:)\s*(.+)$", text, re.IGNORECASE)
        if found and (words := found[1].strip("\"' ")):
            return words
        raise bad_argument(f"`instruction` lacks the text of `{setting.name}`; write `{setting.name} to ...`",
                           argument="instruction", missing=[setting.name])  # fmt: skip
    for clause in (*(part for part in _CLAUSE.split(text) if _says(part, setting.name)), text):
        said = folded(clause).split()
        for word in folded(setting.name).split():
            said.remove(word)
        if value := _option(setting, said):
            return value
    options = ", ".join(setting.options)
    raise bad_argument(f"`instruction` lacks what `{setting.name}` shall be; it takes {options}",
                       argument="instruction", missing=[setting.name], valid=list(setting.options))  # fmt: skip


def _option(setting: AppSetting, said: list[str]) -> str | None:
    """The option that stands in the words, the longest first; for a switch also by what is done to it."""
    if setting.options == ("on", "off"):
        return "off" if _OFF & set(said) else "on" if _ON & set(said) else None
    text = f" {' '.join(said)} "
    for option in sorted(setting.options, key=len, reverse=True):
        if f" {folded(option)} " in text:
            return option
    return "off" if "off" in setting.options and _OFF & set(said) else None
