"""Families that find something out first."""

from evalkit.suites.core.dependent import Family
from runtime.contract import Json, Split


def _text_to(reference: str) -> Json:
    return {"name": "send_message", "arguments": {"contact": "{person_contact}", "content": reference}}


FAMILIES = (
    Family(
        name="text_a_result",
        split=Split.TEST,
        calls=(
            {"name": "calculate_expression", "arguments": {"expression": "{expression}"}},
            _text_to("$1.data.result"),
        ),
        templates=(
            "text {person_contact} what {expression} comes to",
            "work out {expression} and message the answer to {person_contact}",
            "calculate {expression}, {person_contact} should get the result as a text",
            "{person_contact} wants to know {expression}, send them the answer",
            "do the sum {expression} and text it over to {person_contact}",
            "message {person_contact} the result of {expression}",
        ),
    ),
    Family(
        name="text_a_translation",
        split=Split.TRAIN,
        calls=(
            {"name": "text_translate", "arguments": {"text": "{text_to_translate}", "targetLanguage": "{language}"}},
            _text_to("$1.data.translation"),
        ),
        templates=(
            "translate {text_to_translate} into {language} and text it to {person_contact}",
            "text {person_contact} {text_to_translate} in {language}",
            "how do you say {text_to_translate} in {language}? send that to {person_contact} as a text",
            "message {person_contact} in {language}: {text_to_translate}",
            "put {text_to_translate} into {language}, then send the translation to {person_contact}",
            "send {person_contact} the {language} for {text_to_translate}",
            "write {person_contact} a text that says {text_to_translate}, but in {language}",
            "get the {language} translation of {text_to_translate} and text it to {person_contact}",
        ),
    ),
    Family(
        name="note_an_answer",
        split=Split.TRAIN,
        calls=(
            {"name": "general_qa_agent", "arguments": {"query": "{question}"}},
            {"name": "manage_note", "arguments": {"action": "create", "content": "$1.data.answer"}},
        ),
        templates=(
            "find out {question} and write the answer in a note",
            "{question}? make a note of the answer",
            "look up {question} and note it down",
            "save a note with the answer to this: {question}",
            "i want to know {question}, put the answer in my notes",
            "note down {question}, look it up first",
            "check {question} and keep the answer as a note",
            "{question}, and jot the answer down for me",
        ),
    ),
    Family(
        name="text_the_weather",
        split=Split.TRAIN,
        calls=({"name": "get_weather", "arguments": {"location": "{city}"}}, _text_to("$1.data.sky")),
        templates=(
            "check the weather in {city} and text {person_contact} what the sky is like",
            "text {person_contact} whether it's sunny or cloudy in {city}",
            "what's the weather in {city}? message that to {person_contact}",
            "look up the weather for {city} and send it to {person_contact} as a text",
            "let {person_contact} know by text what the weather is in {city}",
            "send {person_contact} a message about the weather in {city}",
            "{person_contact} is flying to {city}, text them the weather there",
            "find out the weather in {city} and message {person_contact}",
        ),
    ),
    Family(
        name="text_a_headline",
        split=Split.DEV,
        calls=({"name": "search_news", "arguments": {"topic": "{topic}"}}, _text_to("$1.data.articles.0.title")),
        templates=(
            "text {person_contact} the top headline about {topic}",
            "send the first news title on {topic} to {person_contact} as a message",
            "what's the latest on {topic}? message the first headline to {person_contact}",
            "look for news about {topic} and text the top title to {person_contact}",
        ),
    ),
)
