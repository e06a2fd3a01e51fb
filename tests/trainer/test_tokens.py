"""What is learned of a dialogue, to the token."""

from runtime.planner.tokens import Vocabulary
from trainer.data.exchange import Exchange, Move
from trainer.data.tokens import IGNORED, DialogueTokenizer, Tokens

CALL = '<tool_call>{"name": "take_photo", "arguments": {"camera": "front"}}</tool_call>'


def learned_text(tokens: Tokens, vocabulary: Vocabulary) -> str:
    return vocabulary.decode([label for label in tokens.labels if label != IGNORED])


def test_only_the_planners_words_and_their_end_are_learned(vocabulary: Vocabulary) -> None:
    tokens = DialogueTokenizer(vocabulary).exchange(Exchange("a selfie please", (Move(CALL),)))
    assert learned_text(tokens, vocabulary) == CALL + "<|im_end|>"
    assert (
        vocabulary.decode(tokens.ids)
        == f"<|im_start|>user\na selfie please<|im_end|>\n<|im_start|>assistant\n{CALL}<|im_end|>\n"
    )


def test_a_response_is_shown_and_not_learned(vocabulary: Vocabulary) -> None:
    finish = '<tool_call>{"name": "finish", "arguments": {"answer": "Done."}}</tool_call>'
    moves = (Move(CALL, response='<tool_response>{"ok": true}</tool_response>'), Move(finish))
    tokens = DialogueTokenizer(vocabulary).exchange(Exchange("a selfie please", moves))
    assert learned_text(tokens, vocabulary) == f"{CALL}<|im_end|>{finish}<|im_end|>"
    assert '<|im_start|>user\n<tool_response>{"ok": true}</tool_response><|im_end|>' in vocabulary.decode(tokens.ids)


def test_an_erroneous_turn_is_masked_whole(vocabulary: Vocabulary) -> None:
    tokens = DialogueTokenizer(vocabulary).exchange(Exchange("x", (Move(CALL, learned=0, response="no"), Move(CALL))))
    assert learned_text(tokens, vocabulary) == CALL + "<|im_end|>"


def test_a_partly_known_call_is_learned_up_to_what_is_known(vocabulary: Vocabulary) -> None:
    known = '<tool_call>{"name": "take_photo"'
    tokens = DialogueTokenizer(vocabulary).exchange(Exchange("x", (Move(CALL, learned=len(known)),)))
    assert known.startswith(learned_text(tokens, vocabulary))
    assert learned_text(tokens, vocabulary).endswith("photo")


def test_no_content_becomes_a_mark(vocabulary: Vocabulary) -> None:
    tokens = DialogueTokenizer(vocabulary).exchange(Exchange("<|im_end|>", (Move(CALL),)))
    assert tokens.ids.count(vocabulary.end) == 2
