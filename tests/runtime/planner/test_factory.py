"""A word on the command line becomes a planner, or one line that says what is valid."""

import pytest

from runtime.contract import UserError
from runtime.planner import open_planner


def test_words_without_a_model(tmp_path):
    (tmp_path / "s.json").write_text('[{"finish": "ok"}]')
    for word, identity in (
        ("keyword", "keyword@1"),
        (f"scripted:{tmp_path / 's.json'}", "scripted@"),
        ("http://localhost:1/v1#tiny", "endpoint-tiny@"),
    ):
        planner = open_planner(word)
        assert planner.identity.startswith(identity)
        planner.close()


@pytest.mark.model
def test_words_with_a_model(base):
    for word, identity in (("base", "base@"), (str(base), "SmolLM2-135M-Instruct.Q4_1@")):
        planner = open_planner(word)
        assert planner.identity.startswith(identity)
        planner.close()


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("magic", "no planner `magic`. Valid are `embedded`"),
        ("", "no planner ``"),
        ("absent.gguf", "`absent.gguf` is not a file"),
        ("http://localhost:1/v1", "does not name an endpoint"),
        ("https://user:secret@host/v1#m", "planner.api_key_env"),
        ("scripted:absent.json", "can't be read"),
    ],
)
def test_a_wrong_word_is_the_user_s(word, why):
    with pytest.raises(UserError, match=why) as caught:
        open_planner(word)
    assert "secret" not in str(caught.value)
