"""Limits of a run's curves, and how near the curves come to them, beside the other tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gdcurves import complexity
from gdcurves.crossings import why_unmade
from gdcurves.errors import TableError, UserError
from gdcurves.limits import columns
from gdcurves.limits.table import complete
from gdcurves.plan.plan import Plan
from gdcurves.problems.series import fingerprint
from gdcurves.run import reading


def put_limits(folder: Path, plan: Plan) -> None:
    """Write the limits of experiments that are judged by their laws, unless they are there.

    What else is in the table stays. Raises UserError where they cannot be had, WriteError where
    they cannot be written.
    """
    import pandas as pd

    exact = {
        each.name: fingerprint(each.simulation)
        for each in plan.experiments
        if each.simulation is not None and each.simulation.exact
    }
    if not exact:
        return
    known = columns.TABLE.read(folder)
    there = set() if known is None else set(zip(known["experiment"], known["law"], strict=True))
    missing = {name for name, law in exact.items() if (name, law) not in there}
    if not missing:
        return
    some = tuple(each for each in plan.experiments if each.name in missing)
    rows, _ = complete(replace(plan, experiments=some))
    if known is not None:
        others = known[~known["experiment"].isin(missing)]
        rows = pd.concat([others, rows], ignore_index=True) if len(others) else rows
    columns.TABLE.write(folder, rows)


def put_complexity(folder: Path) -> None:
    """Write how many rows the fitters of a run need, if limits are known.

    Raises WriteError, and TableError where the table cannot be made.
    """
    try:
        run = reading.read(folder)
        known = run.limits is not None and not run.limits.empty and bool(run.chunks)
    except UserError:  # whoever asks for limits is told what is wrong with them; the run is done
        known = False
    if not known:
        complexity.TABLE.remove(folder)
        return
    try:
        table = complexity.of_run(run)
    except Exception as error:  # whatever it is, it costs this table alone
        complexity.TABLE.remove(folder)
        raise TableError(why_unmade(complexity.TABLE.name, error)) from error
    complexity.TABLE.write(folder, table)
