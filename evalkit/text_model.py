"""A `TextModel` behind any OpenAI-compatible endpoint: messages in, one text out."""

import hashlib
import os
from collections.abc import Sequence
from typing import Any

import httpx

from runtime.contract import Deadline, InfrastructureError, Json
from runtime.planner.endpoint import split_spec
from runtime.planner.retries import post
from runtime.planner.settings import PlannerSettings


class EndpointModel:
    """One model of one endpoint; `spec` is `http(s)://host/v1#model`."""

    def __init__(self, spec: str, settings: PlannerSettings | None = None) -> None:
        """`UserError` when the address is not complete."""
        self._settings = settings or PlannerSettings()
        self._url, self._model = split_spec(spec)
        key = os.environ.get(self._settings.api_key_env, "")
        self._client = httpx.Client(headers={"Authorization": f"Bearer {key}"} if key else {})
        self.identity = f"{self._model}@{hashlib.sha256(self._url.encode()).hexdigest()[:8]}"

    def complete(self, messages: Sequence[Json], deadline: Deadline, **options: Any) -> str:
        """The reply's text; `InfrastructureError` when there is none in time."""
        body = {"model": self._model, "messages": list(messages), "temperature": 0.0, **options}
        reply = post(self._client, f"{self._url}/chat/completions", body, self._settings.retries, deadline)
        choices = reply.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else {}
        text = (first.get("message") or {}).get("content") if isinstance(first, dict) else None
        if not isinstance(text, str):
            raise InfrastructureError(f"the endpoint's answer holds no text: {str(reply)[:200]}")
        return text

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
