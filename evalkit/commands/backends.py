"""`pocket eval backends`: the same calls on the sandbox and on phones, and where they differ, by tool."""

from typing import Annotated

import typer

from evalkit.commands.common import watch
from evalkit.commands.run import PhonesOption, Serials
from runtime.cli.common import JsonFlag, out, print_json
from runtime.contract import UserError


def backends(
    tool: Annotated[list[str] | None, typer.Option("--tool", help="Only this tool; repeatable.")] = None,
    serial: Serials = None,
    phones: PhonesOption = 0,
    json: JsonFlag = False,
) -> None:
    """Run the same calls on the sandbox and on phones, and show by tool where they differ."""
    from evalkit.android.backends import cases, compare
    from evalkit.crew import ANDROID, Phones

    on = Phones(ANDROID, tuple(serial or ()), phones).checked()
    chosen = [case for case in cases() if not tool or case.call["name"] in tool]
    if not chosen:
        raise UserError(f"no call is made of {', '.join(f'`{name}`' for name in tool or ())}; see `pocket tools`.")
    report = compare(chosen, on, watch)
    if json:
        print_json(report)
        return
    for name, told in report["by_tool"].items():
        out().print(f"{name}: {told['same']} of {told['calls']} calls alike", markup=False)
        for one in told["differing"]:
            for backend in ("sandbox", "phone"):
                shown = "; ".join(filter(None, [one[backend]["outcome"], one[backend]["why"], *one[backend]["rows"]]))
                out().print(f"  {one['case']}, {backend}: {shown}", markup=False)
    agreement = report["agreement"]
    alike = "-" if agreement is None else f"{agreement:.3f}"
    out().print(f"{report['n']} calls of {report['tools']} tools, agreement {alike}; "
                f"{report['preconditions_unmet']} worlds could not be set up", markup=False)  # fmt: skip
