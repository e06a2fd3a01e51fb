"""The contract's `Embedder` by default: MiniLM-L6-v2, int8 per channel, from the files in the package.

Files are checked against the manifest and opened at the first `embed`; until then the object costs nothing.
"""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from memory.embedder.encoder import Encoder, Vectors
from memory.embedder.manifest import MODEL_FOLDER, Manifest, problems, read_manifest
from runtime.contract.errors import SetupError, UserError

MAX_THREADS = 2


class MiniLmEmbedder:
    """Sentences to unit vectors of 384 numbers; equal texts give equal vectors, whatever is embedded beside them."""

    def __init__(self, folder: Path = MODEL_FOLDER, threads: int = 1) -> None:
        """Take the model in `folder` (with `manifest.json`) on 1 or 2 CPU threads.

        A missing or unreadable manifest is a `SetupError`, another number of threads a `UserError`.
        """
        if not 1 <= threads <= MAX_THREADS:
            raise UserError(f"the embedder got {threads} threads; it takes 1 to {MAX_THREADS}. Set `threads` to 1.")
        self.folder = folder
        self.threads = threads
        self.manifest: Manifest = read_manifest(folder)
        self.truncated = 0
        """How many texts were cut at `manifest.max_tokens` since this object was made."""
        self._encoder: Encoder | None = None
        self._lock = Lock()

    def __reduce__(self) -> tuple[type["MiniLmEmbedder"], tuple[Path, int]]:
        """Pickled as its settings: another process opens the files again."""
        return MiniLmEmbedder, (self.folder, self.threads)

    @property
    def identity(self) -> str:
        """Model name and digest of its files; vectors of different identities are never compared."""
        return self.manifest.identity

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self.manifest.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors (len(texts), dimension), float32, L2-normalised, in the order of `texts`.

        A text over the token limit is cut there and counted in `truncated`. A damaged file is a `SetupError`.
        """
        if isinstance(texts, str):
            raise UserError("`embed` got one string; it takes a sequence of texts. Pass `[text]`.")
        vectors, cut = self._opened().vectors(texts, self.dimension)
        if cut:
            with self._lock:
                self.truncated += cut
        return vectors

    def _opened(self) -> Encoder:
        with self._lock:
            if self._encoder is None:
                if found := problems(self.manifest, self.folder):
                    raise SetupError(" ".join(found))
                graph, tokenizer = self.folder / self.manifest.graph.name, self.folder / self.manifest.tokenizer.name
                self._encoder = Encoder(graph, tokenizer, self.manifest.max_tokens, self.threads)
            return self._encoder
