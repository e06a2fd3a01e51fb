"""No secret reaches a trace: looked for in the bytes of its files, while it runs and after."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.sqlite import open_database
from runtime.config import load_settings
from runtime.contract import (
    Ask,
    Decision,
    Episode,
    ExecutedCall,
    Finish,
    Observation,
    RowChange,
    Segment,
    StateDiff,
    Step,
    Stop,
    TaskView,
    TextPart,
    TokenTrace,
    ToolCall,
    Turn,
)
from runtime.dialect import signature
from runtime.eta import load_eta
from runtime.trace import TraceReader, TraceStore
from runtime.trace.masking import Masking, secret_fields
from runtime.trace.secrets import MASK, Secrets, names_a_secret
from runtime.wiring import offered_tools

WORD = "zebra-Lamp7"


@pytest.fixture
def store(tmp_path):
    opened = TraceStore(tmp_path / "traces.sqlite3", open_database)
    yield opened
    opened.close()


def held(store, *texts):
    """Which of `texts` stand in the bytes of the trace's files."""
    data = b"".join(path.read_bytes() for path in store.path.parent.glob("traces.sqlite3*")).lower()
    return [text for text in texts if text.encode().lower() in data]


def step(index, *actions, seen=(), ids=False, **more):
    tokens = (TokenTrace(id=7, logprob=-1.0, sampled_logprob=-1.0, forced=False),) if ids else None
    decision = Decision(actions=actions, prompt_ids=(1, 2) if ids else None, tokens=tokens, **more)
    return Step(index=index, decision=decision, observations=tuple(seen))


def call(name, **arguments):
    return ToolCall(id="s0a", name=name, arguments=arguments)


def join(word):
    """A call that uses a password, with all that comes back."""
    row = {"ssid": "Home", "password": word}
    done = ExecutedCall(name="manage_wifi", arguments=row, idempotency_key="k", landed="yes")
    change = RowChange(table="networks", key="1", before=None, after=row)
    seen = Observation(call_id="s0a", parts=(TextPart(text=f'{{"joined with": "{word}"}}'),), data={"with": word},
                       call=done, diff=StateDiff(changes=(change,)))  # fmt: skip
    return step(0, call("manage_wifi", ssid="Home", password=word), seen=[seen], raw=f"join {word}", thought=word)


def write(store, view, prefix, *steps, header=None):
    with store.episode(view, header or {"started_at": "2026-03-02"}) as writer:
        writer.segment(Segment(prefix=prefix))
        for one in steps:
            writer.step(one)
        episode = Episode(id=writer.id, view=view, segments=(), stop=Stop.FINISHED, trainable="full")
        writer.close(Stop.FINISHED, "", episode)
    return TraceReader(store.path, open_database).episode(writer.id)


def test_a_password_of_an_argument_is_nowhere_in_the_file(store):
    request = f"join Home, {WORD} is what it wants"
    episode = write(store, TaskView(request=request), f"user: {request}", join(WORD))
    assert held(store, WORD, WORD.lower()) == []
    assert episode.view.request == f"join Home, {MASK} is what it wants"
    (kept,) = episode.steps
    assert kept.decision.actions[0].arguments == {"ssid": "Home", "password": MASK}
    assert kept.observations[0].diff.changes[0].after == {"ssid": "Home", "password": MASK}
    assert (kept.decision.raw, kept.observations[0].data) == (f"join {MASK}", {"with": MASK})


def test_one_that_is_learned_late_is_gone_from_what_was_written_before(store):
    first = step(0, call("control_lamp", action="on"), ids=True, thought=f"then {WORD}")
    view = TaskView(request=f"light, then join Home ({WORD})")
    with store.episode(view, {"started_at": "2026-03-02"}) as writer:
        writer.segment(Segment(prefix=f"user: {view.request}"))
        writer.step(first)
        assert held(store, WORD) == [WORD]  # nobody can know yet
        writer.step(join(WORD).model_copy(update={"index": 1}))
        assert held(store, WORD) == []
    episode = TraceReader(store.path, open_database).episode(writer.id)
    assert [one.decision.prompt_ids for one in episode.steps] == [None, None]
    assert episode.segments[0].prefix == f"user: light, then join Home ({MASK})"


def test_what_is_said_to_be_a_password_is_never_written(store):
    view = TaskView(request="my password is sunshine, my pin is one two three four", turns=(
        Turn(role="user", text="the code is 482 913"),))  # fmt: skip
    write(store, view, f"{view.request} {view.turns[0].text}", step(0, Ask(question="is the code 482913?")))
    assert held(store, "sunshine", "one two three four", "482 913", "482913", "1234") == []


def test_another_episode_of_the_process_does_not_say_it_either(store):
    write(store, TaskView(request=f"is {WORD} free?"), "")
    write(store, TaskView(request="join"), "", join(WORD))
    assert held(store, WORD) == []
    assert [one.request for one in TraceReader(store.path, open_database).page()] == ["join", f"is {MASK} free?"]


def test_a_field_that_a_schema_marks_is_one(store, make_spec):
    spec = make_spec("mcp__bank__log_in", {"user": {"type": "string"}, "word": {"type": "string", "x-secret": True}})
    header = {"started_at": "2026-03-02", "secret_fields": secret_fields([spec])}
    one = step(0, call("mcp__bank__log_in", user="anna", word="grünes Haus"), raw='{"word": "gr\\u00fcnes Haus"}')
    episode = write(store, TaskView(request="log in with grünes Haus"), "p", one, header=header)
    assert held(store, "grünes Haus", "gr\\u00fcnes Haus", "gr\\\\u00fcnes Haus") == []
    assert episode.steps[0].decision.actions[0].arguments == {"user": "anna", "word": MASK}


def test_an_episode_with_a_secret_keeps_no_token_ids_and_any_other_all(store):
    secret = write(store, TaskView(request="x"), "p", join(WORD), step(1, Finish(answer="done"), ids=True))
    plain = write(store, TaskView(request="light"), "p", step(0, call("control_lamp", action="on"), ids=True))
    assert (secret.trainable, secret.steps[1].decision.tokens) == ("sft_only", None)
    assert (plain.trainable, plain.steps[0].decision.prompt_ids) == ("full", (1, 2))


KEYS = (
    "sk-proj-a1B2c3D4e5F6g7H8i9J0",
    "ghp_abcdefghijklmnopqrstuv012345",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s1gnature",
    "AKIAABCDEFGHIJKLMNOP",
    "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----",
)


@pytest.mark.parametrize("key", KEYS)
def test_keys_go_by_their_form(key):
    assert Secrets().text(f"use {key} now") == f"use {MASK} now"


def test_passwords_in_addresses_of_settings_go(store):
    header = {"started_at": "2026-03-02", "settings": {"planner": {"use": "http://me:Word5@10.0.0.1/v1"}}}
    write(store, TaskView(request="x"), "p", header=header)
    assert held(store, "Word5") == []


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("482913 is your Example verification code.", f"{MASK} is your Example verification code."),
        ('change the password to "Blue!sky"', f'change the password to "{MASK}"'),
        ("PIN 0412", f"PIN {MASK}"),
        ('{"password": "abcde"}', f'{{"password": "{MASK}"}}'),
        ("my api key = qwertz", f"my api key = {MASK}"),
        ("the password for my wifi at home is hunter", f"the password for my wifi at home is {MASK}"),
        ("the wi-fi key is hunter", f"the wi-fi key is {MASK}"),
        ("wifi pw: hunter", f"wifi pw: {MASK}"),
        ("my password's hunter2, connect", f"my password's {MASK}, connect"),
        ("join HomeNet with hunter2 as the wifi password", f"join HomeNet with {MASK} as the wifi password"),
        ("use 4829 as my pin", f"use {MASK} as my pin"),
        ("the passcode is four eight two nine", f"the passcode is {MASK}"),
        ("passcode four eight two nine", f"passcode {MASK}"),
        ("the password is correct horse battery staple", f"the password is {MASK}"),
        ("the password is purple monkey dishwasher and go on", f"the password is {MASK} and go on"),
        ("set the password for my wifi to blue green river, ok", f"set the password for my wifi to {MASK}, ok"),
        ("wifi password: hunter2 tonight", f"wifi password: {MASK} tonight"),
        ('my password is "correct horse and battery", ok', f'my password is "{MASK}", ok'),
        ('{"password": "ab cd", "title": "x y"}', f'{{"password": "{MASK}", "title": "x y"}}'),
        ("the passphrase is grün blau rot 42.", f"the passphrase is {MASK}."),
        (f"the passphrase is {'river stone ' * 6}".strip(), f"the passphrase is {MASK}"),
    ],
)
def test_what_is_said(said, masked):
    assert Secrets().text(said) == masked


def test_the_first_word_of_a_password_does_not_hide_only_itself():
    secrets = Secrets()
    secrets.learn("my passphrase for the vault is open sesame")
    assert secrets.text("say open sesame at the door") == f"say {MASK} at the door"


def test_a_longer_spelling_is_masked_before_one_that_it_begins_with():
    secrets = Secrets()
    secrets.learn({"password": "pass\\"})
    assert secrets.text(json.dumps({"note": "pass\\"})) == json.dumps({"note": MASK})


NONE = """
pin the note to the top
the password is wrong
the password is wrong again
the password is set correctly this time
the password is too short
the password is on the fridge
what's my Netflix password
zip code 90210
area code 0301
scan the QR code
error code 4041
token ring
set a password on the wifi
a 4 digit pin
`password` is missing: the one for Amazon
show me the code of conduct
wake me at 7:30 tomorrow
the password for my wifi is wrong
change my password's hint
is the password for the router on a note
note down that room 12 serves as the meeting place
turn on the torch and change the network key
"""


@pytest.mark.parametrize("said", NONE.strip().splitlines())
def test_what_is_no_secret_stays(said):
    assert Secrets().text(said) == said


def test_the_shipped_prompt_holds_nothing_that_is_taken_for_one():
    tools = offered_tools(load_settings({"memory": {"use": True}, "skills": {"use": True}}))
    text = "\n".join([load_eta().text, *map(signature, tools)])
    assert Secrets().text(text) == text


@pytest.mark.parametrize("name", ["password", "newPassword", "wifi_password", "pinCode", "setupKey", "api_key", "otp",
                                  "verificationCode", "access-token", "secret"])  # fmt: skip
def test_names_of_secrets(name):
    assert names_a_secret(name)


@pytest.mark.parametrize(
    "name", ["key", "pinned", "opinion", "output_tokens", "ssid", "country_code", "author", "passengers"]
)
def test_names_of_no_secrets(name):
    assert not names_a_secret(name)


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=4, max_size=24).filter(
        lambda one: one.strip() == one
    )
)
def test_a_password_is_masked_in_every_spelling(word):
    masking = Masking(Secrets())
    ways = [word, json.dumps(word), json.dumps(word, ensure_ascii=False), base64.b64encode(word.encode()).decode()]
    secret = call("manage_wifi", password=word)
    one = step(0, secret, seen=[Observation(call_id="", data={"said": ways})], raw=json.dumps({"password": word}))
    kept = masking.step(one)
    if word.lower() in masking.secrets.values or word in masking.secrets.values:
        assert MASK in kept.decision.raw
        assert [MASK in way for way in kept.observations[0].data["said"]] == [True] * 4
    assert kept.decision.actions[0].arguments == {"password": MASK}
    assert masking.step(kept) == kept
