"""The persistent memory manager and its embedder."""
