"""The benches by name. To add one: a module with a `Bench`, a line here, a command in `cli.py`."""

from evalkit.bench.device.figures import DEVICE, DEVICE_FAULTS
from evalkit.bench.device.mutants import DEVICE_MUTANTS
from evalkit.bench.embedder import EMBEDDER
from evalkit.bench.frame import Bench
from evalkit.bench.gui.measure import GUI
from evalkit.bench.memory.figures import MEMORY, MEMORY_FAULTS, MEMORY_LONG
from evalkit.bench.recall import RECALL
from evalkit.bench.runtime import RUNTIME
from evalkit.bench.sandbox import SANDBOX
from evalkit.bench.spoken import SPOKEN
from evalkit.bench.survival.kills import RUNTIME_FAULTS

ALL = (
    RUNTIME, RUNTIME_FAULTS, SANDBOX, SPOKEN, EMBEDDER, RECALL, MEMORY, MEMORY_LONG, MEMORY_FAULTS, DEVICE,
    DEVICE_FAULTS, DEVICE_MUTANTS, GUI,
)  # fmt: skip
BENCHES: dict[str, Bench] = {bench.name: bench for bench in ALL}
