"""Forgetting for good: from every store and file, verified byte by byte, with a receipt."""

from memory.erasure.eraser import Eraser
from memory.erasure.receipt import Leftover, Looked, Receipt, Trained

__all__ = ["Eraser", "Leftover", "Looked", "Receipt", "Trained"]
