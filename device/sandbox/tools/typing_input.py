"""Typing: keyboards by language, aids, shortcuts, voice typing, and what was copied."""

from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    OnOff,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    not_found,
    same,
    tool,
)
from device.sandbox.rows.display_sound import SoundSettings
from device.sandbox.rows.privacy import need_sensor
from device.sandbox.rows.typing_input import Clip, Keyboard, TextShortcut, Typing, VoiceTyping

LANGUAGES = (
    "Arabic", "Chinese", "Czech", "Danish", "Dutch", "English", "Finnish", "French", "German", "Greek", "Hebrew",
    "Hindi", "Hungarian", "Italian", "Japanese", "Korean", "Norwegian", "Polish", "Portuguese", "Romanian", "Russian",
    "Spanish", "Swedish", "Thai", "Turkish", "Ukrainian", "Vietnamese",
)  # fmt: skip
"""Languages with a keyboard."""
LONGEST_SHORTCUT = 20
"""Characters."""


def _keyboard(said: str) -> str:
    """The language that is meant ("the german keyboard"); 400 for one without a keyboard."""
    words = set(folded(said).split())
    found = [name for name in LANGUAGES if name.casefold() in words]
    if len(found) != 1:
        raise bad_argument(f"`{said}` is no keyboard; there is {', '.join(LANGUAGES)}", argument="language")
    return found[0]


@tool(
    Domain.INPUT,
    permission="keyboard",
    phrases=(
        "add a French keyboard",
        "switch the keyboard to Spanish",
        "I want to type in German",
        "remove the Spanish keyboard",
        "which keyboards do I have",
    ),
)
def manage_input_method(
    phone: Sandbox, action: Literal["add", "remove", "switch", "query"], language: Text | None = None
) -> Json:
    """Keyboards and their languages."""
    table = phone.table(Keyboard)
    if action == "query":
        return {"keyboards": [row.name for row in table.all()], "active": phone.one(Typing).language}
    if language is None:
        raise bad_argument(f"`manage_input_method` {action} needs `language`", argument="language")
    name = _keyboard(language)
    there, active = table.get(name), phone.one(Typing).language
    if action == "add":
        if there is not None:
            raise conflict(f"the {name} keyboard is there already; use action switch to type with it", language=name)
        table.insert(Keyboard(name))
    elif there is None:
        raise not_found(f"there is no {name} keyboard; use `manage_input_method` with add first", language=name)
    elif action == "switch":
        active = phone.change(Typing, language=name).language
    elif name == active:
        raise conflict(f"the {name} keyboard is in use; switch to another one first", language=name)
    else:
        table.delete(there)
    return {"keyboards": [row.name for row in table.all()], "active": active}


@tool(
    Domain.INPUT,
    permission="keyboard",
    phrases=(
        "stop correcting my words",
        "autocorrect off",
        "the keys should click when I type",
        "suggest the next word while I write",
        "start my sentences with a capital by yourself",
        "I want to hear every key press",
    ),
)
def manage_typing_assist(
    phone: Sandbox,
    action: OnOff,
    feature: Literal["autocorrect", "prediction", "auto_capitals", "key_sound"] | None = None,
) -> Json:
    """Autocorrect, word suggestions, capitals, key sounds."""
    if action != "query":
        if feature is None:
            names = "autocorrect, prediction, auto_capitals or key_sound"
            raise bad_argument(f"`feature` is missing: {names}", argument="feature")
        if action == "enable" and feature == "key_sound" and phone.one(SoundSettings).mode != "ring":
            mode = phone.one(SoundSettings).mode
            raise conflict(f"the sound mode is {mode}, so keys stay silent; use `set_sound_mode` with ring first")
        phone.change(Typing, **{feature: action == "enable"})
    now = phone.one(Typing)
    return {name: getattr(now, name) for name in ("autocorrect", "prediction", "auto_capitals", "key_sound")}


@tool(
    Domain.INPUT,
    permission="keyboard",
    effects={"delete": Effect.DELETE},
    phrases=(
        "when I type omw write on my way",
        "make a text shortcut for my address",
        "which typing shortcuts are there",
        "delete the brb abbreviation",
        "expand ty to thank you",
    ),
)
def manage_text_shortcut(
    phone: Sandbox,
    action: Literal["create", "delete", "query"],
    shortcut: Text | None = None,
    phrase: Text | None = None,
) -> Json:
    """Short words that become whole phrases."""
    table = phone.table(TextShortcut)
    if action == "query":
        rows = [row for row in table.all() if shortcut is None or same(row.shortcut, shortcut)]
        return {"shortcuts": [{"shortcut": row.shortcut, "phrase": row.phrase} for row in rows]}
    if shortcut is None:
        raise bad_argument(f"`manage_text_shortcut` {action} needs `shortcut`", argument="shortcut")
    there = table.find(shortcut=shortcut)
    if action == "delete":
        if not there:
            raise not_found(f"no shortcut `{shortcut}`", shortcuts=[row.shortcut for row in table.all()])
        table.delete(there[0])
        return {"deleted": there[0].shortcut}
    if phrase is None:
        raise bad_argument(f"`phrase` is missing: what `{shortcut}` becomes", argument="phrase")
    if " " in shortcut or len(shortcut) > LONGEST_SHORTCUT:
        message = f"`{shortcut[:60]}` is no shortcut; say one word of at most {LONGEST_SHORTCUT} characters"
        raise bad_argument(message, argument="shortcut")
    if there:
        raise conflict(f"`{shortcut}` becomes `{there[0].phrase}` already; delete it first", phrase=there[0].phrase)
    return {"shortcut": table.insert(TextShortcut(phone.new_id("shortcut"), shortcut, phrase))}


@tool(
    Domain.INPUT,
    permission="clipboard",
    effects={"clear": Effect.DELETE},
    phrases=(
        "what did I copy last",
        "copy this text: see you at eight",
        "clear the clipboard",
        "show the clipboard history",
        "is the address still on my clipboard",
    ),
)
def manage_clipboard(phone: Sandbox, action: Literal["query", "copy", "clear"], text: Text | None = None) -> Json:
    """Copied texts."""
    table = phone.table(Clip)
    rows = sorted(table.all(), key=lambda row: (row.copied, row.id), reverse=True)
    if action == "query":
        shown = [row for row in rows if text is None or folded(text) in folded(row.text)]
        return {"count": len(shown), "texts": [{"text": row.text, "copied": row.copied} for row in shown[:10]]}
    if action == "copy":
        if text is None:
            raise bad_argument("`text` is missing: what to copy", argument="text")
        return {"clip": table.insert(Clip(phone.new_id("clip"), text, phone.now.isoformat(timespec="seconds")))}
    if not rows:
        raise conflict("the clipboard is empty; there is nothing to clear")
    for row in rows:
        table.delete(row)
    return {"cleared": len(rows)}


@tool(
    Domain.INPUT,
    permission="keyboard",
    phrases=(
        "let me dictate instead of typing",
        "turn voice typing off",
        "dictation in Spanish please",
        "is dictation on for the keyboard",
        "I want to talk and have it written down in text fields",
    ),
)
def manage_voice_typing(phone: Sandbox, action: OnOff, language: Text | None = None) -> Json:
    """Dictation on the keyboard."""
    if action == "disable" and language is not None:
        raise bad_argument("`language` says what you speak; leave it out to disable", argument="language")
    if action == "enable":
        need_sensor(phone, "microphone", "take dictation")
        name = _keyboard(language) if language else phone.one(VoiceTyping).language
        if phone.table(Keyboard).get(name) is None:
            raise conflict(f"there is no {name} keyboard; use `manage_input_method` with add first", language=name)
        phone.change(VoiceTyping, enabled=True, language=name)
    elif action == "disable":
        phone.change(VoiceTyping, enabled=False)
    return {"voice_typing": phone.one(VoiceTyping)}
