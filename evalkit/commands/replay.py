"""`pocket eval replay`: the same task gives the same episode, to the byte, in any process."""

import typer

from evalkit.commands.common import LimitOption, SplitsOption, SuiteOption, interrupted, suites_of
from runtime.cli.common import JsonFlag, out, print_json
from runtime.cli.root import NOT_DONE


def replay(suite: SuiteOption = "core", split: SplitsOption = "dev+test", limit: LimitOption = None,
           json: JsonFlag = False) -> None:  # fmt: skip
    """Play every gold in two processes with two hash seeds, and compare the canonical episodes."""
    from evalkit.replay import replay_twice
    from evalkit.runner import sample

    tasks = [task for loaded in suites_of(suite, split) for task in sample(loaded.tasks, limit)]
    try:
        report = {"suite": suite, "split": split, **replay_twice(tasks)}
    except KeyboardInterrupt:
        left = f"the replay of {len(tasks)} tasks keeps nothing and begins anew"
        raise interrupted(f"{left}. `--limit` replays a sample.") from None
    if json:
        print_json(report)
    else:
        out().print(f"{report['identical']} of {report['n']} identical")
        for name in report["different"]:
            out().print(f"  differs: {name}", markup=False)
    raise typer.Exit(0 if report["identical"] == report["n"] else NOT_DONE)
