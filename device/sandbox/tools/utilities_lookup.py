"""What the phone knows about words and the world. Where its tables have no entry it says so and invents nothing."""

from typing import Literal

from device.sandbox.api import Domain, Effect, Json, Sandbox, Text, bad_argument, folded, not_found, tool
from device.sandbox.knowledge.facts import look_up
from device.sandbox.knowledge.jokes import FACTS, JOKES
from device.sandbox.knowledge.phrases import LANGUAGES, language_named, translate
from device.sandbox.knowledge.vocabulary import MEANINGS


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "how do you say thank you in Japanese",
        "translate good morning to French",
        "what does guten Abend mean",
        "where is the bathroom in Spanish",
        "say I need help in Italian",
    ),
)
def text_translate(
    phone: Sandbox, text: Text | None = None, targetLanguage: Text | None = None, sourceLanguage: Text | None = None
) -> Json:
    """Translate words and sentences."""
    if text is None:
        raise bad_argument("`text_translate` needs `text`", argument="text")
    if targetLanguage is None and sourceLanguage is None:
        raise bad_argument("`text_translate` needs `targetLanguage`", argument="targetLanguage")
    source = _language("sourceLanguage", sourceLanguage)
    target = _language("targetLanguage", targetLanguage)
    found = translate(text, source, target)
    seen: Json = {"text": text, "sourceLanguage": source, "targetLanguage": target, "found": found is not None}
    return seen | ({"note": "not in the phrase book"} if found is None else {"translation": found})


def _language(name: str, said: str | None) -> str:
    if said is None:
        return LANGUAGES[0]
    found = language_named(said)
    if found is None:
        valid = list(LANGUAGES)
        raise bad_argument(f"`{name}` is `{said}`; the phrase book has {', '.join(valid)}", argument=name, valid=valid)
    return found


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "what does ephemeral mean",
        "how do you spell necessary",
        "define serendipity",
        "look up the word stoic",
        "spell rhythm for me",
        "how many times is there an s in Mississippi",
        "what does a lute look like",
        "describe what a yurt is",
    ),
)
def dictionary_lookup(phone: Sandbox, kind: Literal["definition", "spelling"], word: Text | None = None) -> Json:
    """Meaning or spelling of a word."""
    if word is None:
        raise bad_argument("`dictionary_lookup` needs `word`", argument="word")
    if kind == "spelling":
        letters = [letter.upper() for letter in word if not letter.isspace()]
        return {"word": word, "found": True, "spelling": "-".join(letters)}
    known = folded(word)
    entry = MEANINGS.get(known) or MEANINGS.get(known.removesuffix("s"))
    if entry is None:
        return {"word": word, "found": False, "note": "not in the dictionary of the phone"}
    return {"word": word, "found": True, "partOfSpeech": entry[0], "definition": entry[1]}


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "what's the capital of Peru",
        "who wrote Moby Dick",
        "how tall is Mount Everest",
        "when was Einstein born",
        "how far away is the moon",
        "how many bones does a person have",
        "when does the World Cup start",
        "tell me about Marie Curie",
    ),
)
def general_qa_agent(phone: Sandbox, query: Text) -> Json:
    """Questions of fact about the world."""
    if len(folded(query).split()) < 2:
        raise bad_argument(
            f"`query` is `{query}`; ask a whole question such as `what is the capital of Peru`", argument="query"
        )
    answer = look_up(query)
    if answer is None:
        return {"query": query, "found": False, "message": "no verified entry for this question"}
    return {"query": query, "found": True, "answer": answer}


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "got any good jokes",
        "make me laugh",
        "give me a fun fact about space",
        "do you know any animal jokes",
        "tell me something interesting",
    ),
)
def tell_joke(phone: Sandbox, kind: Literal["joke", "fun_fact"], topic: Text | None = None) -> Json:
    """Jokes and fun facts."""
    shelf = JOKES if kind == "joke" else FACTS
    topics = sorted({name for name, _ in shelf})
    wanted = None if topic is None else _topic(topic, topics)
    choices = [text for name, text in shelf if wanted in (None, name)]
    text = phone.chance(kind, wanted or "", phone.now.isoformat()).choice(choices)
    return {"kind": kind, "text": text}


_TOPICS = {
    "computer": "computers",
    "animal": "animals",
    "dog": "animals",
    "cat": "animals",
    "sport": "sports",
    "math": "school",
}


def _topic(said: str, topics: list[str]) -> str:
    name = folded(said)
    for form in (name, _TOPICS.get(name, name), f"{name}s", name.removesuffix("s")):
        if form in topics:
            return form
    raise not_found(f"nothing about `{said}`; topics are {', '.join(topics)}", valid=topics)
