"""What a planner may be told: one frozen record, and the folders that are written to."""

import os
from pathlib import Path

import platformdirs
from pydantic import Field

from runtime.contract import Record

APP = "pocketplanner"


def data_folder() -> Path:
    """Where assembled models are kept: under `POCKET_HOME` where that is set, else the user's data folder."""
    home = os.environ.get("POCKET_HOME")
    return Path(home) / "data" if home else Path(platformdirs.user_data_dir(APP))


def cache_folder() -> Path:
    """Where saved prefix states and file digests are kept; all of it can be deleted at any time."""
    home = os.environ.get("POCKET_HOME")
    return Path(home) / "cache" if home else Path(platformdirs.user_cache_dir(APP))


def home_folders() -> tuple[Path, ...]:
    """The folders under which everything lies that is kept: `POCKET_HOME` where that is set, else both of these."""
    home = os.environ.get("POCKET_HOME")
    return (Path(home),) if home else (data_folder(), cache_folder())


class PlannerSettings(Record):
    """Settings of any planner; each kind reads those that concern it."""

    threads: int = Field(default=2, ge=1)
    """CPU threads of a local model."""
    context_tokens: int = Field(default=4096, ge=256)
    """Window of a local model, in tokens; the KV cache costs about 23 kB a token with the embedded planner."""
    max_output_tokens: int = Field(default=192, ge=16)
    """Most tokens of one decision; an action cut off there is a `ParseError` with `truncated`."""
    temperature: float = Field(default=0.0, ge=0.0, allow_inf_nan=False)
    """0: greedy. Above: sampling, for rollouts."""
    seed: int = 0
    """Seed of the sampling."""
    grammar: bool = True
    """Bind decoding to the exposed tools. Off only for measuring."""
    copy_bias: float = Field(default=2.5, ge=0.0, le=10.0)
    """Nats by which a free-text argument is kept in the words of the dialogue, in greedy decoding; 0: off."""
    tool_bias: float = Field(default=0.0, ge=0.0, le=10.0)
    """Nats by which questions and refusals give way to tools, in greedy decoding; 0: off."""
    thoughts: bool = False
    """Let the grammar accept a short thought before the action."""
    max_calls: int = Field(default=4, ge=1)
    """Most calls in one decision."""
    reuse: str = Field(default="longest", pattern="^(longest|static)$")
    """What a context that did not just grow keeps of the KV cache: the longest common prefix, or its static pieces."""
    save_state: bool = True
    """Keep the static prefix's state in the cache folder, for the next process."""
    checkpoint: str = ""
    """Name of the embedded checkpoint; empty: the newest of the installed ones."""
    api_key_env: str = "POCKET_API_KEY"
    """Name of the environment variable that holds an endpoint's key."""
    tool_choice: str = Field(default="required", pattern="^(auto|required)$")
    """What an endpoint is asked for."""
    stream: bool = False
    """Ask an endpoint to answer in pieces, so that what it writes is shown as it writes it. Not every server can."""
    retries: int = Field(default=3, ge=0)
    """How often an endpoint's 429, 5xx or refused connection is tried again, within the deadline."""
    endpoint_context_tokens: int = Field(default=32768, ge=1024)
    """Window assumed for an endpoint, in tokens."""
