"""Recordings of phones, for people: made, redacted, and turned into candidates of tasks."""
