"""Requests with a name at their end: one call that holds it, of training tasks and values alone."""

from dataclasses import replace
from random import Random

from device.sandbox.sandbox import Sandbox
from evalkit.suites.core.values import load_values
from runtime.contract import Split
from trainer.data import oracle
from trainer.data.named import NAMES, named, with_names

SPECS = {spec.name: spec for spec in Sandbox().tools()}


def test_the_name_stands_in_the_request_and_in_its_call() -> None:
    drafts = list(named(SPECS, 20, Random(3)))
    assert len(drafts) == 20
    names = set(load_values().pools["label"].of(Split.TRAIN))
    for draft in drafts:
        call = draft.gold[0]
        given = call["arguments"][NAMES[call["name"], call["arguments"]["action"]]]
        assert given in names
        assert draft.view.request.endswith(given)
        assert draft.split is Split.TRAIN
    assert len({draft.gold[0]["name"] for draft in drafts}) > 1


def test_they_can_be_played() -> None:
    played = oracle.exchanges_of(named(SPECS, 10, Random(4)), Sandbox(), SPECS, Random(4))
    assert len(played) == 10
    assert {one.kind for one in played} == {"one_call"}


def test_what_has_a_name_or_can_have_none_is_left_out() -> None:
    (draft, *_) = named(SPECS, 1, Random(5))
    nameless = {"name": "manage_flashlight", "arguments": {"action": "on"}}
    assert list(with_names([draft], Random(5))) == []
    assert list(with_names([replace(draft, gold=(nameless,))], Random(5))) == []
    assert list(named(SPECS, 0, Random(5))) == []
