"""Scenarios with a right path and wrong ones, played through the real harness by a planner that follows a script.

    paper/*.toml -> case.py -> stage.py (rooms, script, run_episode) -> verify.py + order.py -> twelve.py
    FILE -> recorded/ -> stage.py -> what differs from the recording

The README of this folder says what each file is for.
"""
