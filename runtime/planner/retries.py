"""One POST with retries: a busy, failing or absent server is tried again within the deadline, anything else is not."""

import random
import time
from typing import Any

import httpx

from runtime.contract import Deadline, InfrastructureError, Json
from runtime.planner.sending import CANCELLED, POLL, Told, send
from runtime.planner.streamed import EVENTS, merged

FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0
"""Seconds before the first and before any later try; doubled each time, with up to a half of it left to chance."""
BUSY = 429
SERVER_ERRORS = 500
SHOWN = 300
"""Characters of a server's words in a message."""


def post(
    client: httpx.Client, url: str, body: Json, retries: int, deadline: Deadline, told: Told | None = None
) -> Json:
    """The JSON object that `url` answers with, or that its stream makes up; `InfrastructureError` when it gives none in
    time. `told` hears the lines of the answer as they come."""
    problem = "no try was made"
    for attempt in range(retries + 1):
        if deadline.expired or deadline.cancel.cancelled:
            break
        answer = send(client, url, body, deadline, told)
        if isinstance(answer, httpx.Response):
            if answer.status_code < 400:
                return _object(answer, url)
            problem = f"status {answer.status_code}: {_words(answer)}"
            if answer.status_code != BUSY and answer.status_code < SERVER_ERRORS:
                break
        else:
            problem = answer
        if attempt < retries:
            _wait(_pause(attempt, answer), deadline)
    if deadline.cancel.cancelled:
        problem = CANCELLED
    raise InfrastructureError(f"`{url}` gave no decision ({problem}). Is the server up, and does it have the model?")


def _pause(attempt: int, answer: httpx.Response | str) -> float:
    """Seconds to wait; a server's own `Retry-After` is honoured."""
    asked = answer.headers.get("retry-after", "") if isinstance(answer, httpx.Response) else ""
    if asked.isdigit():
        return min(float(asked), LONGEST_WAIT)
    whole: float = min(FIRST_WAIT * 2**attempt, LONGEST_WAIT)
    return whole * (0.5 + random.random() / 2)


def _wait(seconds: float, deadline: Deadline) -> None:
    until = time.monotonic() + min(seconds, deadline.remaining())
    while time.monotonic() < until and not deadline.cancel.cancelled:
        time.sleep(min(POLL, max(0.0, until - time.monotonic())))


def _object(answer: httpx.Response, url: str) -> Json:
    try:
        streamed = EVENTS in answer.headers.get("content-type", "")
        value: Any = merged(answer.text) if streamed else answer.json()
    except ValueError as error:
        raise InfrastructureError(f"`{url}` answered with no JSON: {_words(answer)}") from error
    if not isinstance(value, dict):
        raise InfrastructureError(f"`{url}` answered with no JSON object: {_words(answer)}")
    return value


def _words(answer: httpx.Response) -> str:
    text = " ".join(answer.text.split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ... {len(text) - SHOWN} characters left out"
