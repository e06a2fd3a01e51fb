"""The two benches of the way to a phone with their figures: speed, faults."""

from evalkit.bench.device.drops import drops
from evalkit.bench.device.kills import kills
from evalkit.bench.device.speed import dump, shell
from evalkit.bench.device.texts import texts
from evalkit.bench.frame import Bench, Figure

DEVICE = Bench(
    name="device",
    title="A shell command and a look at a screen of 27 KB, beside adbutils and uiautomator2 on the same phone.",
    parts={"shell": shell, "dump": dump},
    figures=(
        Figure("shell_ms_p50", "a shell command on the bridge, wall time", 1.0),
        Figure("shell_speedup", "adbutils' shell over it", 10.0, "at_least"),
        Figure("adbutils_shell_ms_p50", "the same command by adbutils"),
        Figure("dump_fold_ms_p50", "a screen of 27 KB read and folded", 5.0),
        Figure("dump_speedup", "uiautomator2's dump over it", 10.0, "at_least"),
        Figure("uiautomator2_dump_ms_p50", "the same screen by uiautomator2, not folded"),
        Figure("fold_alone_ms_p50", "reading and folding without the phone"),
    ),
)
DEVICE_FAULTS = Bench(
    name="device --faults",
    title="The bridge under broken lines, hostile texts and kills.",
    parts={"drops": drops, "texts": texts, "kills": kills},
    figures=(
        Figure("hangs", "calls that went on past their deadline, 100 drops", 0),
        Figure("repeats", "steps that took effect more than once", 0),
        Figure("unreported", "steps not reported as done, not done or unknown, or wrongly", 0),
        Figure("extra_commands", "commands that ran and were not meant, 5,000 texts on every path", 0),
        Figure("text_mismatches", "texts that were taken and read otherwise", 0),
        Figure("not_restored", "kills after which the next start left something borrowed", 0),
    ),
)
