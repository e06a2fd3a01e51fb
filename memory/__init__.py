"""The persistent memory manager and its embedder.

Importing this package loads neither SQLite nor numpy: `memory.manager` and `memory.embedder` do.
"""
