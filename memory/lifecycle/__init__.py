"""The life of a memory: capture, validation, supersession, consolidation, decay, intentions, maintenance.

Importing this package loads nothing; each module says what it does.
"""
