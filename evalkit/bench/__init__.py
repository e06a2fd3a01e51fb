"""Measures one part of the project against its reference in the same run; `pocket bench NAME --json`."""
