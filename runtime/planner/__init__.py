"""Planners: from a context to the next decision. `open_planner` makes one from a word on the command line.

llama.cpp's threads wait for each other about 300 times a token. By default they wait busily, which on a machine whose
cores are shared makes a decision ten times slower (measured: 9 s instead of 1 s with one core taken). Waiting asleep
must be asked for before OpenMP is loaded, so it stands here.
"""

import os

from runtime.planner.factory import open_planner
from runtime.planner.settings import PlannerSettings

__all__ = ["PlannerSettings", "open_planner"]

os.environ.setdefault("OMP_WAIT_POLICY", "passive")
