"""Languages that the phone's surface, assistant and captions come in."""

from device.spoken.text import fold_text

LANGUAGES = (
    "English", "Spanish", "French", "German", "Italian", "Portuguese", "Dutch", "Polish", "Swedish", "Turkish",
    "Russian",
    "Arabic", "Hindi", "Japanese", "Korean", "Chinese",
)  # fmt: skip
"""By their English names."""

_ALSO = {
    "espanol": "Spanish", "castilian": "Spanish", "francais": "French", "deutsch": "German", "italiano": "Italian",
    "mandarin": "Chinese", "brazilian": "Portuguese", "american": "English", "american english": "English",
    "british english": "English", "us english": "English", "mexican spanish": "Spanish",
    "simplified chinese": "Chinese",
}  # fmt: skip


def language(said: str) -> str | None:
    """The language that is meant ("en español", "mandarin"), or None."""
    text = fold_text(said).removeprefix("en ").removesuffix(" language")
    return next((name for name in LANGUAGES if name.casefold() == text), _ALSO.get(text))
