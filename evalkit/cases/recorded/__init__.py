"""Recorded cases: what another phone's planner was asked, called and saw, played in the sandbox and held against it.

FILE -> form.py -> mapping.py + map.toml -> scenario.py (world, earlier calls, script) -> stage
     -> differ.py: each result and row against the recording -> score.py
"""
