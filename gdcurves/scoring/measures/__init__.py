"""The measures, by the name that stands under `measures:` in a config."""

from __future__ import annotations

from collections.abc import Iterable

from gdcurves.scoring.measures.base import Measure, SumMeasure, Tally, WholeMeasure
from gdcurves.scoring.measures.error import Error
from gdcurves.scoring.measures.logloss import LogLoss

__all__ = ["DEFAULT", "MEASURES", "Measure", "SumMeasure", "Tally", "WholeMeasure", "chosen"]

MEASURES: dict[str, Measure] = {each.name: each for each in (Error(), LogLoss())}
DEFAULT = ("error", "logloss")


def chosen(names: Iterable[str] = DEFAULT) -> tuple[Measure, ...]:
    """Measures of these names."""
    return tuple(MEASURES[name] for name in names)
