"""One configuration per run, saved beside its outputs: everything that a training depends on."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from runtime.contract import Record


class Recipe(Record):
    """The planning cold start (Section 2.4 of the paper: SFT with erroneous turns masked)."""

    name: str = Field(default="cold-start", pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    """Name of the run and of the checkpoint."""
    start: str = Field(default="", pattern=r"^[A-Za-z0-9_-]{0,64}$")
    """Name of an earlier run whose newest adapter this one goes on from; empty: from the base."""
    averaged: tuple[str, ...] = ()
    """Names of runs whose adapters were averaged (average.py): nothing was trained, and other keys say nothing."""
    method: Literal["lora", "full"] = "lora"
    """Low-rank adapters on all linear layers, or all weights (for comparison; not exported)."""
    rank: int = Field(default=32, ge=1)
    """Rank of the adapters."""
    alpha: int = Field(default=32, ge=1)
    """Their scale is alpha / rank."""
    learning_rate: float = Field(default=1.5e-3, gt=0)
    """Peak."""
    warmup_steps: int = Field(default=30, ge=0)
    """Linear."""
    decay_share: float = Field(default=0.8, ge=0, le=1)
    """Of the steps, at the end, decay linearly to a tenth; before them the rate is constant, so that a run can be cut
    at any of its checkpoints and compared."""
    weight_decay: float = 0.0
    """AdamW."""
    tokens: int = Field(default=2_000_000, ge=1_000)
    """Training tokens in all, shown and learned."""
    dialogue_tokens: int = Field(default=1280, ge=256)
    """Longest dialogue."""
    batch: int = Field(default=1, ge=1)
    """Dialogues a step. One teaches more per token than two: the steps count, not their size."""
    core_tasks_per_family: int = Field(default=7, ge=1)
    """Requests drawn from each one-call family of the suite's train split."""
    emphasis: tuple[str, ...] = ()
    """Families of one-call tasks that come `emphasis_tasks` times."""
    emphasis_tasks: int = Field(default=60, ge=1)
    """Requests drawn from each of them."""
    utterance_rows: int = Field(default=0, ge=0)
    """Utterance exchanges that are taken, drawn at random; 0: all."""
    varied_rows: int = Field(default=0, ge=0)
    """Annotated utterances that come once more with other values."""
    composed_tasks: int = Field(default=12, ge=3)
    """Requests drawn from each family that asks for what is missing or whose calls depend on each other."""
    joined_tasks: int = Field(default=700, ge=0)
    """Requests of several calls that stand beside each other."""
    named_tasks: int = Field(default=0, ge=0)
    """Requests of one call that give what they make a name at their end ("... and call it morning run")."""
    further_tasks: int = Field(default=0, ge=0)
    """Requests drawn from each family with phrasings that the suite does not have (further.py); all joined requests are
    then drawn from both."""
    further_asks: int | None = Field(default=None, ge=0)
    """Requests drawn from each further family that lacks an argument; unset: as many as `further_tasks`. Few: a corpus
    with 16% questions made a planner that asks what it was told."""
    further_absent: int = Field(default=0, ge=0)
    """Requests in further phrasings whose tool is absent, in all."""
    first_draw: int = Field(default=0, ge=0)
    """Number of the first draw of each family: a run that goes on from another takes a higher one for other values and
    other joined requests."""
    joined_rows: int = Field(default=0, ge=0)
    """Requests of two calls that are joined of two utterances."""
    bench_tasks: int = Field(default=0, ge=0)
    """Tasks of the suite `bench` that are taken, drawn at random, beside those of Skills."""
    skill_tasks: int = Field(default=0, ge=0)
    """Tasks of Skills that are taken: they show whole instructions and cost the most tokens."""
    core_share: float = Field(default=1.0, ge=0, le=1)
    """Of core's exchanges, drawn at random: a run that goes on from one that saw them all needs them less."""
    cut: int = Field(default=0, ge=0)
    """Steps after which the run ends before its corpus does; 0: it goes through the whole."""
    likely: int = Field(default=0, ge=0, le=8)
    """Tools that are named after each request, as recall ranks those of its list; the manifest tells who serves it."""
    prototypes: bool = False
    """Contexts are recalled with the prototypes, as at serve time; they were made of the same phrasings, so recall errs
    less there than it does on new ones."""
    guided_share: float = Field(default=0.0, ge=0, le=1)
    """Of the dialogues, those that carry the Scenario Adapter's guidance for their tools; the others carry none, or a
    few lines beside the point. A half: both forms of the harness in equal parts."""
    seed: int = 17
    """Of data, order and initialisation."""
    threads: int = Field(default=2, ge=1)
    """CPU threads."""
    save_steps: int = Field(default=50, ge=1)
    """A checkpoint with optimiser state every so many steps."""
    eta: str = "general"
    """Instructions of the contexts."""

    def save(self, folder: Path) -> None:
        """Write `recipe.json`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "recipe.json").write_text(self.model_dump_json(indent=2) + "\n")
