"""What was measured of each classifier at the largest size."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from gdcurves.config import FitterConfig
from gdcurves.fitters import REGISTRY
from gdcurves.report.base_rate import BaseRates
from gdcurves.report.tables import beside_each_other, by_experiment
from gdcurves.scoring.measures import Measure, main, of_config
from gdcurves.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.store.files import Run

ALWAYS = ("error", "auc")  # shown beside the main measure where they were measured


def scores(run: Run, last: pd.DataFrame, width: int) -> Iterator[RenderableType]:
    """Show a run's main measure, error and AUC, and the base rate that an error must beat.

    Parameters
    ----------
    run
        With at least one experiment that is done.
    last
        Rows of its curves at the largest size of each experiment and fitter.
    width
        Of the terminal, in characters.
    """
    config = run.manifest["config"]
    first = main(config)
    measures = [first, *(m for m in of_config(config) if m.name in ALWAYS and m is not first)]
    base = BaseRates(run.manifest, last)
    yield from _models(config)
    yield Text(_head(last, measures) + _counted(run, last))
    if last["experiment"].nunique() == 1:
        yield from _by_fitter(last, measures, base, width)
    else:
        for measure in measures:
            if len(measures) > 1:
                yield Text(f"\n{_title(measure.label)}:")
            yield from _by_experiment(last, measure, base, width)
    if base.values:
        yield Text("\n".join([base.origin(), *base.not_beaten()]))


def _models(config: Mapping[str, Any]) -> Iterator[Text]:
    """Say which model each classifier is."""
    for number, each in enumerate(config.get("fitters", ())):
        options = {
            key: value for key, value in each.items() if key not in FitterConfig.model_fields
        }
        model = REGISTRY[each["type"]](**options).description
        yield Text(f"{'' if number else chr(10)}{each['name']}: {model}")


def _head(last: pd.DataFrame, measures: Sequence[Measure]) -> str:
    labels = _title(" and ".join(each.label for each in measures))
    sizes = set(last["m"])
    size = f", {sizes.pop():,}" if len(sizes) == 1 else ""
    low, high = last["n_splits"].min(), last["n_splits"].max()
    splits = f"{high:,}" if low == high else f"{low:,} to {high:,}"
    exact = [isinf(n) for n in last["n_test"]]
    where = "under the law" if all(exact) else "on the test rows"
    where += ", or under the law," * (any(exact) and not all(exact))
    return (
        f"\n{labels} {where} at the largest m{size}: "
        + (
            f"mean over {splits} splits"
            + ", those in which it is finite" * measures[0].infinite
            + ", plus or minus 2 Monte Carlo standard errors. "
            if (last["n_splits"] > 1).all()
            else "one split, so no standard error. "
        )
        + "Separable: share of the training sets whose classes a hyperplane separates. "
        * bool(last["separable"].notna().any())
    )


def _counted(run: Run, last: pd.DataFrame) -> str:
    """Say so where sizes count groups of rows."""
    grouped = [name for name in last["experiment"].unique() if run.units[name] == "group"]
    if not grouped:
        return ""
    every = last["experiment"].nunique() == len(grouped)
    where = "" if every else f" of {listed(grouped)}"
    return (
        f"m{where} counts training groups, whose rows stay together: test rows are of other"
        " groups, and each row counts as one."
    )


def _title(label: str) -> str:
    return label[0].upper() + label[1:]


def _by_fitter(
    last: pd.DataFrame, measures: Sequence[Measure], base: BaseRates, width: int
) -> Iterator[RenderableType]:
    """A line for each fitter of the one experiment, a column for each measure."""
    lines = {
        row["fitter"]: {each.label: mean(each.name, row) for each in measures}
        for row in last.to_dict("records")
    }
    separable = {row["fitter"]: _share(row["separable"]) for row in last.to_dict("records")}
    for value in base.values.values():
        lines["base rate"] = {"error": f"{value:.3f}"}
    right = [("separable", separable)] if any(separable.values()) else []
    yield from beside_each_other("classifier", lines, width, right=right)


def _by_experiment(
    last: pd.DataFrame, measure: Measure, base: BaseRates, width: int
) -> Iterator[RenderableType]:
    """A line for each experiment, a column for each fitter."""
    lines = by_experiment(last, partial(mean, measure.name))
    by_name = last.groupby("experiment")
    sizes = {str(name): f"{m:,}" for name, m in by_name["m"].max().items()}
    # All fitters see the same training sets; those that look for hyperplanes say what they found.
    separable = {str(name): _share(share) for name, share in by_name["separable"].max().items()}
    right = [("separable", separable)] if any(separable.values()) else []
    if measure.name == "error" and base.values:
        right.append(("base rate", {name: f"{each:.3f}" for name, each in base.values.items()}))
    yield from beside_each_other("experiment", lines, width, left=[("m", sizes)], right=right)


def _share(share: float) -> str:
    return "" if isnan(share) else f"{share:.0%}"


def mean(measure: str, row: Mapping[Hashable, Any]) -> str:
    """Show a mean of a row of curves.csv, plus or minus two standard errors."""
    value, se = row[f"{measure}_mean"], row[f"{measure}_se"]
    if isnan(value):
        return "none"
    if isnan(se):
        return f"{value:.3f}"
    reach = f"{2 * se:.3f}"
    if reach == "0.000" and se > 0:
        reach = "<.001"
    return f"{value:.3f} ± {reach}"
