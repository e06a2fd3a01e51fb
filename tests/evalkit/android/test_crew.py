"""Several phones at once."""

from threading import get_ident

import pytest

from evalkit.crew import Phones, at_once
from runtime.contract import UserError


def test_each_job_is_done_once_and_each_member_keeps_its_thread():
    threads = {}

    def work(member, job):
        threads.setdefault(member, set()).add(get_ident())
        return job * 10

    found = dict(at_once(work, range(30), ["a", "b", "c"]))
    assert found == {job: job * 10 for job in range(30)}
    assert all(len(of) == 1 for of in threads.values())
    assert list(at_once(work, [1, 2], ["alone"])) == [(1, 10), (2, 20)]


@pytest.mark.parametrize("crew", [["a"], ["a", "b"]])
def test_none_ends_it_and_an_error_reaches_the_caller(crew):
    assert len(list(at_once(lambda member, job: None if job == 0 else job, [0, 0, 0, 1], crew))) <= 1

    def broken(member, job):
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        list(at_once(broken, range(4), crew))


@pytest.mark.parametrize(
    "phones",
    [Phones("nokia"), Phones("sandbox", ("s",)), Phones("sandbox", (), 8), Phones("android", (), 65),
     Phones("android", ("a", "b"), 3)],
)  # fmt: skip
def test_wrong_use_is_said(phones):
    with pytest.raises(UserError):
        phones.checked()


def test_a_model_gets_fewer_phones_than_an_agent():
    android = Phones("android")
    assert (android.number("oracle"), android.number("embedded"), Phones().number("oracle")) == (8, 1, 1)
    assert (Phones("android", (), 5).number("embedded"), Phones("android", ("a", "b")).number("oracle")) == (5, 2)
