"""Text to vectors on the device: MiniLM-L6-v2 as int8 ONNX, without torch.

Importing this package loads neither onnxruntime nor the model; the first `embed` does.
"""

from memory.embedder.cache import cached_embeddings
from memory.embedder.manifest import MODEL_FOLDER, Manifest, problems, read_manifest
from memory.embedder.onnx import MiniLmEmbedder

__all__ = ["MODEL_FOLDER", "Manifest", "MiniLmEmbedder", "cached_embeddings", "problems", "read_manifest"]
