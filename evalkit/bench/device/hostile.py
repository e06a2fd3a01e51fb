"""Texts that a shell, a query or a parser could trip over, made from a seed; no two are alike."""

from random import Random

PIECES = (
    "$(reboot)", "`reboot`", "${IFS}", "$HOME", "$?", "$$", "; reboot", "&& reboot", "|| reboot", "| cat", "& reboot",
    "> /sdcard/x", "< /etc/hosts", "2>&1", "#", "'", '"', "''", "'\\''", "\\", "\\\\", "\\n", "\\'", "\n", "\nreboot\n",
    "\r\n", "\t", "*", "?", "[a-z]", "{a,b}", "~", "!", "!!", "%s", "%d", "%%", "%20", "$((1+1))", "(", ")", "((",
    "-", "--", "-n", "--user 0", "--bind x:s:y", "--where 1=1", "--es a b", "-a", "=", ":", ",", "@", "^",
    "Row: 0 _id=1, type=2", "\nRow: 1 _id=2, body=x", ", data1=x", "_id=9", "NULL", "null", "No result found.",
    "X4EXIT:0", "EOF", "' OR 1=1 --", '"; DROP TABLE sms; --', "tel:1", "smsto:2", "intent://x", "content://sms",
    "<node>", "&amp;", "&#10;", "]]>", "<!--", "</hierarchy>", "{\"a\": 1}", "\\u0000", "\\x00", "key=value",
    "ü", "日本語", "العربية", "עברית", "हिन्दी", "😀", "👩‍👩‍👧", "🇩🇪", "e\u0301", "\u200d", "\u202eabc", "\ufeff",
    "ﬀ", "ß", "İ",
    "\u00a0", "\u2028", "\u3000", "\x7f", "\x1b[31m", "\x07", "\x01", "a" * 300, "word", "two words", "O'Brien", "5",
)  # fmt: skip
UNUSABLE = ("\0", "\ud83d", "\udc00")
"""What no shell can take: to be refused before anything is sent."""
JOINTS = ("", "", " ", "\n", "  ")
ONE_IN = 50
"""So many texts hold something unusable, or are very long."""
LONG = 400
"""Pieces of a very long one."""


def hostile(number: int) -> str:
    """Text `number`; the first ones are each a single piece beside its number. It begins and ends with no blank."""
    dice = Random(number)
    if number < len(PIECES):
        parts = [PIECES[number]]
    else:
        parts = dice.choices(PIECES, k=LONG if number % ONE_IN == 1 else dice.randint(1, 7))
    if number >= len(PIECES) and number % ONE_IN == 0:
        parts.insert(dice.randrange(len(parts) + 1), dice.choice(UNUSABLE))
    parts.insert(dice.randrange(len(parts) + 1), f"n{number}")
    text = parts[0]
    for part in parts[1:]:
        text += dice.choice(JOINTS) + part
    return text.strip()[:9000].strip()
