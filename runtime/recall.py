"""Tool recall: the N tools that a request is most likely about.

1. A tool's score is the best cosine between what was said and any of its texts (its name in words with the
   description, its example phrasings, its prototypes: runtime/prototypes), and a tenth of its keyword score. Keywords
   alone would lose a quarter of the right tools. Of 2,335 held-out utterances 99.4% have their tool of 227 within 15,
   88% as the first (97.5% and 71% without prototypes). Beside cosines without prototypes, keywords brought 87% of 300
   pairs joined by "and" to 92%, and 78% of 132 requests with dependent calls to 87%.
2. What was said is the request, the request after the user's earlier turn, and each clause of the request. They take
   turns in naming their next best tool, the whole request first: the best score over all clauses loses 4 of 100 pairs.
3. Of a tool that was not there when prototypes were made (the memory's, a Skill's loader, an agent, a server's) nobody
   knows how it is asked for, and those with prototypes would all stand before it. It keeps the place that the own texts
   of all tools give it; the others fill the places that are left.
4. Equal scores keep the provider's order.
"""

import hashlib
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from runtime.contract import Embedder, OpenDatabase, TaskView, ToolSpec
from runtime.keywords import Keywords
from runtime.prototypes import Prototypes

Vectors = npt.NDArray[np.float32]
Places = npt.NDArray[np.int_]
EmbedTools = Callable[[Embedder, Sequence[str]], Vectors]
"""Embeds the tools' texts; the wiring gives one that keeps them in a file."""

LINKS = (
    r"and|then|also|plus|next|finally|afterwards?|after that|before that|when you're done"
    r"|(?:once|when|after) (?:that's|that is|it's|it is|this is) done"
)
CLAUSE = re.compile(rf"(?:\s*(?:[,;.!?]+(?!\S)|\b(?:{LINKS})\b))+\s*", re.IGNORECASE)
MAX_CLAUSES = 6
MIN_WORDS = 2
"""A clause of fewer words says too little on its own."""
KEYWORDS = 0.1
"""Weight of the keyword score beside the cosine."""


def embed_directly(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """No cache."""
    return embedder.embed(list(texts))


def tool_texts(tool: ToolSpec) -> list[str]:
    """What is compared with a request."""
    return [f"{tool.name.replace('_', ' ')}: {tool.description}", *tool.examples]


def said(task: TaskView) -> list[str]:
    """The texts that stand for a request."""
    clauses = [part for part in CLAUSE.split(task.request) if len(part.split()) >= MIN_WORDS][:MAX_CLAUSES]
    earlier = [turn.text for turn in task.turns if turn.role == "user"]
    whole = [task.request] + ([f"{earlier[-1]} {task.request}"] if earlier else [])
    return whole + (clauses if len(clauses) > 1 else [])


class Recall:
    """Ranks tools for a request; a tool's vectors are computed once."""

    def __init__(
        self,
        embedder: Embedder,
        open_database: OpenDatabase,
        embed_tools: EmbedTools = embed_directly,
        prototypes: Prototypes | None = None,
    ) -> None:
        """`prototypes`: what is said for a tool, beside its own texts, of the same embedder; empty for one of which
        nothing was learned though it was there."""
        self.embedder = embedder
        self._open_database = open_database
        self._embed_tools = embed_tools
        self._prototypes = prototypes or {}
        self._vectors: dict[tuple[str, ...], Vectors] = {}
        self._stacks: dict[bool, Stack] = {}

    @cached_property
    def identity(self) -> str:
        """The embedder's, and a digest of the prototypes: what decides which tools a request is shown."""
        hashed = hashlib.sha256()
        for name, vectors in sorted(self._prototypes.items()):
            hashed.update(name.encode() + np.ascontiguousarray(vectors).tobytes())
        return f"{self.embedder.identity} {hashed.hexdigest()[:16]}"

    def warm(self, tools: Sequence[ToolSpec]) -> None:
        """Learn the tools and open the embedder, so that no step pays for either."""
        self.learn(tools)
        self.embedder.embed(["ready"])

    def learn(self, tools: Sequence[ToolSpec]) -> None:
        """Embed what is not known yet of `tools`, in one go."""
        missing = [key for tool in tools if (key := tuple(tool_texts(tool))) not in self._vectors]
        if not missing:
            return
        vectors = self._embed_tools(self.embedder, [text for key in missing for text in key])
        cuts = np.cumsum([len(key) for key in missing])[:-1]
        self._vectors.update(zip(missing, np.split(vectors, cuts), strict=True))

    def rank(self, task: TaskView, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
        """All of `tools`, best first."""
        if len(tools) < 2:
            return list(tools)
        places = self._places(said(task), tools)
        turns = places * places.shape[1] + np.arange(places.shape[1])
        return [tools[index] for index in np.argsort(turns.min(axis=1), kind="stable")]

    def _places(self, texts: Sequence[str], tools: Sequence[ToolSpec]) -> Places:
        """Place of each tool for each text, 0 the best, shape (len(tools), len(texts))."""
        asked = self.embedder.embed(list(texts))
        scores = self._scores(texts, asked, self._stacked(tools, self._prototypes))
        known = np.array([tool.name in self._prototypes for tool in tools])
        if known.all() or not known.any():
            return ranks(scores)
        places = ranks(self._scores(texts, asked, self._stacked(tools, {})))
        for column, score in enumerate(scores.T):
            learned = np.flatnonzero(known)[np.argsort(-score[known], kind="stable")]
            places[learned, column] = np.sort(places[learned, column])
        return places

    def _scores(self, texts: Sequence[str], asked: Vectors, stack: "Stack") -> npt.NDArray[np.float32]:
        """Best cosine of each text with each tool and its keyword score, shape (len(tools), len(texts))."""
        # not `@`: for a product this small, BLAS's threads spend 8 ms of CPU time on waiting for each other, einsum 0.1
        cosines = np.einsum("ij,kj->ik", stack.vectors, asked)
        best: npt.NDArray[np.float32] = np.maximum.reduceat(cosines, stack.starts, axis=0)
        return best + KEYWORDS * np.stack([stack.keywords.scores(text) for text in texts], axis=1)

    def _stacked(self, tools: Sequence[ToolSpec], prototypes: Prototypes) -> "Stack":
        """The vectors of `tools` in one array; one request after another asks about the same tools."""
        stack = self._stacks.get(bool(prototypes))
        if stack is None or len(stack.tools) != len(tools) or not all(map(operator.is_, stack.tools, tools)):
            self.learn(tools)
            own = [self._vectors[tuple(tool_texts(tool))] for tool in tools]
            more = [prototypes.get(tool.name) for tool in tools]
            groups = [one if two is None else np.concatenate([one, two]) for one, two in zip(own, more, strict=True)]
            starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
            keywords = Keywords([" ".join(tool_texts(tool)) for tool in tools], self._open_database)
            stack = Stack(tuple(tools), np.concatenate(groups), starts, keywords)
            self._stacks[bool(prototypes)] = stack
        return stack


def ranks(scores: npt.NDArray[np.float32]) -> Places:
    """Place of each score in its column, 0 for the highest; equal ones keep their order."""
    return np.argsort(np.argsort(-scores, axis=0, kind="stable"), axis=0)


@dataclass(frozen=True)
class Stack:
    """The texts of some tools as one array."""

    tools: tuple[ToolSpec, ...]
    """The tools, in order."""
    vectors: Vectors
    """(texts of all tools, dimension)."""
    starts: npt.NDArray[np.int_]
    """Row of each tool's first text."""
    keywords: Keywords
    """Their words."""
