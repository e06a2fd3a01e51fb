"""What delegating a goal on the screen saves: the same tasks step by step and handed over.

handovers.toml, blocked.toml -> tasks.py: a task, its steps, its handover
outer.py    -> the outer planner of both sides: choices of an oracle, read and written by the embedded model
measure.py  -> both sides of every task on a software phone, one after the other -> figures
"""
