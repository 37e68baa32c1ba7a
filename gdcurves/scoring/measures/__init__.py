"""The measures, by the name that stands under `measures:` in a config."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gdcurves.scoring.measures.auc import Auc
from gdcurves.scoring.measures.balanced_error import BalancedError
from gdcurves.scoring.measures.base import Measure, SumMeasure, Tally, WholeMeasure
from gdcurves.scoring.measures.brier import Brier
from gdcurves.scoring.measures.error import Error
from gdcurves.scoring.measures.logloss import LogLoss

__all__ = [
    "DEFAULT",
    "MEASURES",
    "Measure",
    "SumMeasure",
    "Tally",
    "WholeMeasure",
    "chosen",
    "compared",
    "of_config",
]

MEASURES: dict[str, Measure] = {
    each.name: each
    for each in (
        Error(),
        LogLoss(),
        BalancedError(),
        Auc(),
        Brier(),
    )
}
DEFAULT = ("error", "logloss")


def chosen(names: Iterable[str] = DEFAULT) -> tuple[Measure, ...]:
    """Measures of these names."""
    return tuple(MEASURES[name] for name in names)


def of_config(config: Mapping[str, Any]) -> tuple[Measure, ...]:
    """Measures of a run by its config, as a manifest has it; the first results knew two alone."""
    return chosen(config.get("measures", DEFAULT))


def compared(measures: Sequence[Measure]) -> Measure | None:
    """The measure by which classifiers are compared, the first that is always finite; or None."""
    return next((each for each in measures if not each.infinite), None)
