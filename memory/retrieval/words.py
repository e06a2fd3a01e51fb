"""Words of a question: which tell something, which mark time, who is meant by a pronoun."""

import re

WORD = re.compile(r"[^\W_]+")
"""As the full-text index cuts a text, near enough: letters and digits."""
MAX_WORDS = 32
"""Telling words of one question that are looked up."""
LONGEST = 64
"""Characters of a word that can be found again."""

_COMMON = """
a about all also am an and any are as at be been but by can could did do does for from had has have he her his how
i if in is it its like me my of on or our please she should so some than that the their them then there these they
this to up us was we were what when where which who will with would you your
"""
STOPWORDS = frozenset(_COMMON.split())

ROLES = frozenset({"", "user", "assistant", "agent", "system", "tool"})
"""Speakers that are no names."""
_TIMES = """
yesterday today tonight tomorrow last next ago recently week weekend month year since monday tuesday wednesday thursday
friday saturday sunday january february march april may june july august september october november december
"""
TIME_WORDS = tuple(_TIMES.split())
TIME_EXPRESSION = " OR ".join((*TIME_WORDS, '"19" *', '"20" *'))
"""What finds texts that say when something was."""
MONTHS = TIME_WORDS[-12:]


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return WORD.findall(text.lower())


def telling(words: list[str], names: frozenset[str] = frozenset()) -> list[str]:
    """The words that tell something, each once: no common ones, no names of speakers, unless nothing else is left."""
    once = [word for word in dict.fromkeys(words) if len(word) <= LONGEST]
    kept = [word for word in once if word not in STOPWORDS and word not in names and word != "s"]
    return (kept or once)[:MAX_WORDS]
