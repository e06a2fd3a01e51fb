"""The local planner on the untrained base: ids, cache, limits, cancel; never what it chooses."""

import json
import math
import shutil

import pytest

from runtime.contract import CancelToken, Deadline, ParseError, UserError
from runtime.layout import close_assistant, open_assistant, response_text, turn_pieces
from runtime.planner.embedded import base_file
from runtime.planner.engine import Engine
from runtime.planner.llama import LlamaPlanner, PromptTooLongError, common_prefix
from runtime.planner.settings import PlannerSettings
from tests.runtime.planner.conftest import View, view_of

pytestmark = pytest.mark.model
SMALL = PlannerSettings(threads=1, context_tokens=1024, max_output_tokens=96)


@pytest.fixture(scope="module")
def planner(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POCKET_HOME", str(tmp_path_factory.mktemp("home")))
        opened = LlamaPlanner(base_file(), SMALL)
    yield opened
    opened.close()


def forever() -> Deadline:
    return Deadline(120)


def grow(view: View, raw: str, result: str = '{"ok": true}') -> View:
    pieces = [*view.pieces, *close_assistant(raw), *turn_pieces("user", response_text([result])), *open_assistant()]
    return View(pieces, view.static_pieces, view.segment, view.exposed)


def test_ids_of_a_segment_are_the_ids_of_its_decisions(planner):
    view = view_of("turn on the light")
    first = planner.decide(view, forever())
    grown = grow(view, first.raw)
    second = planner.decide(grown, forever())
    joined = [*first.prompt_ids, *(t.id for t in first.tokens), *second.prompt_ids, *(t.id for t in second.tokens)]
    assert planner.vocabulary.decode(joined) == grown.text + second.raw + "<|im_end|>"
    assert not isinstance(first.actions[0], ParseError)
    assert second.usage.cached_tokens >= first.usage.prompt_tokens
    assert second.usage.prompt_tokens == len(joined) - len(second.tokens)
    assert second.actions[0].model_dump().get("id", "0.1a") == "0.1a"


def test_tokens_are_traced(planner):
    decision = planner.decide(view_of("wake me at seven"), forever())
    assert all(token.logprob <= 0 and token.sampled_logprob == 0 for token in decision.tokens)
    assert decision.tokens[0].forced  # nothing but a block may begin
    assert not all(token.forced for token in decision.tokens)
    assert decision.tokens[-1].id == planner.vocabulary.end
    assert len(decision.tokens) == decision.usage.output_tokens
    assert json.loads(decision.raw.removeprefix("<tool_call>").partition("</tool_call>")[0])["name"]


def test_an_episode_does_not_depend_on_the_one_before(planner):
    planner.decide(view_of("turn on the light"), forever())
    after_another = planner.decide(view_of("turn off the light, please"), forever())
    planner.engine.keep(0)
    alone = planner.decide(view_of("turn off the light, please"), forever())
    assert after_another.usage.cached_tokens > alone.usage.cached_tokens
    assert [t.logprob for t in after_another.tokens] == [t.logprob for t in alone.tokens]


def test_the_static_prefix_is_restored_from_its_file(base):
    first = LlamaPlanner(base, SMALL)
    fresh = first.decide(view_of("wake me at seven"), forever())
    first.close()
    second = LlamaPlanner(base, SMALL)
    restored = second.decide(view_of("wake me at seven"), forever())
    assert (fresh.usage.cached_tokens, restored.usage.cached_tokens) == (0, 10)  # mark, "system\n", eta
    assert restored.tokens == fresh.tokens
    second.engine.keep(0)
    static = list(restored.prompt_ids[:10])
    second._states.save(static, b"a state of another kind, with a right checksum")
    rebuilt = second.decide(view_of("wake me at seven"), forever())
    second.close()
    assert rebuilt.tokens == fresh.tokens


def test_sampling_is_seeded_and_gives_the_sampled_distribution(base):
    def sampled(seed: int):
        planner = LlamaPlanner(base, SMALL.model_copy(update={"temperature": 1.5, "seed": seed}))
        decision = planner.decide(view_of("do something"), forever())
        planner.close()
        return decision

    one, same, other = sampled(1), sampled(1), sampled(2)
    assert one.tokens == same.tokens
    assert one.raw != other.raw
    assert all(math.isfinite(token.sampled_logprob) and token.sampled_logprob <= 0 for token in one.tokens)
    assert any(token.sampled_logprob < -0.1 for token in one.tokens)


def test_a_lean_moves_the_name_and_leaves_the_traced_likelihood(base):
    def chosen(bias: float):
        planner = LlamaPlanner(base, SMALL.model_copy(update={"tool_bias": bias}))
        decision = planner.decide(view_of("refuse, please", ()), forever())
        assert planner.sampling["tool_bias"] == bias
        planner.close()
        name = json.loads(decision.raw.removeprefix("<tool_call>").partition("</tool_call>")[0])["name"]
        return name, next(token.logprob for token in decision.tokens if not token.forced)

    (plain, likelier), (leaned, raw) = chosen(0.0), chosen(10.0)
    assert (plain, leaned) == ("refuse", "finish")
    assert likelier - 10 < raw < likelier  # as the model said it: below the name that gave way, by less than the lean


def test_what_is_cut_off_is_data_and_the_segment_goes_on(base):
    planner = LlamaPlanner(base, SMALL.model_copy(update={"max_output_tokens": 16}))
    view = view_of("wake me at seven")
    decision = planner.decide(view, forever())
    grown = grow(view, decision.raw, '{"error": "malformed_call"}')
    second = planner.decide(grown, forever())
    assert [type(action) for action in decision.actions] == [ParseError]
    assert decision.actions[0].truncated
    assert "planner.max_output_tokens" in decision.actions[0].message
    assert decision.raw.startswith("<tool_call>")
    shown = [*decision.prompt_ids, *(token.id for token in decision.tokens), *second.prompt_ids]
    assert planner.vocabulary.decode(shown) == grown.text
    planner.close()


def test_a_cancelled_decision_ends_at_once(planner):
    cancel = CancelToken()
    cancel.cancel()
    decision = planner.decide(view_of("wake me"), Deadline(60, cancel))
    assert decision.actions[0].kind == "parse_error"
    assert "cancelled" in decision.actions[0].message
    assert decision.tokens == ()


def test_what_is_written_is_heard_token_by_token(planner):
    heard = []
    planner.listener = heard.append
    decision = planner.decide(view_of("wake me at seven"), forever())
    planner.listener = None
    assert "".join(heard) == decision.raw
    assert len(heard) == len([one for one in decision.tokens if one.id != planner.vocabulary.end])


def test_a_cancel_ends_a_decision_within_a_token(planner):
    cancel, heard = CancelToken(), []

    def listen(text):
        heard.append(text)
        if len(heard) == 9:
            cancel.cancel()

    planner.listener = listen
    decision = planner.decide(view_of("wake me at seven"), Deadline(60, cancel))
    planner.listener = None
    assert len(decision.tokens) >= 9
    assert sum(not token.forced for token in decision.tokens[9:]) <= 1  # forced ones stood in the batch being read
    assert "cancelled" in decision.actions[0].message


def test_a_deadline_that_is_over_is_said(planner):
    decision = planner.decide(view_of("wake me"), Deadline(0))
    assert "deadline" in decision.actions[0].message


def test_a_prompt_that_does_not_fit_is_never_cut(planner):
    with pytest.raises(PromptTooLongError, match=r"the limit is 960 \(planner.context_tokens less 64") as caught:
        planner.decide(view_of("word " * 1000), forever())
    assert (caught.value.tokens > 1000, caught.value.limit) == (True, 960)


def test_identity_names_the_file_and_its_digest(planner):
    name, _, digest = planner.identity.partition("@")
    assert (name, len(digest)) == ("SmolLM2-135M-Instruct.Q4_1", 16)


def test_common_prefix():
    assert common_prefix([1, 2, 3], [1, 2, 4]) == 2
    assert common_prefix([], [1]) == 0
    assert common_prefix([1, 2], [1, 2]) == 2


@pytest.mark.parametrize("size", [0, 3, 20, 5_000, 1_000_000, 90_000_000])
def test_a_truncated_file_is_refused_in_one_line(base, tmp_path, size):
    path = tmp_path / "cut.gguf"
    with base.open("rb") as source, path.open("wb") as target:
        target.write(source.read(size))
    with pytest.raises(UserError) as caught:
        Engine(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_gguf_is_refused(tmp_path):
    (tmp_path / "text.gguf").write_text("this is no model, but it is long enough to have a header")
    with pytest.raises(UserError, match="is no GGUF file"):
        Engine(tmp_path / "text.gguf")
    with pytest.raises(UserError, match="is not a file"):
        Engine(tmp_path / "absent.gguf")
    shutil.copy(tmp_path / "text.gguf", tmp_path / "x.gguf")
    data = bytearray(b"GGUF\x09\x00\x00\x00" + b"\0" * 40)
    (tmp_path / "x.gguf").write_bytes(data)
    with pytest.raises(UserError, match="version 9"):
        Engine(tmp_path / "x.gguf")
