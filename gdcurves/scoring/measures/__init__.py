"""The measures, by the name that stands under `measures:` in a config."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gdcurves.errors import UserError
from gdcurves.plugins import Registry
from gdcurves.scoring.measures.auc import Auc
from gdcurves.scoring.measures.balanced_error import BalancedError
from gdcurves.scoring.measures.base import Measure, SumMeasure, Tally, WholeMeasure
from gdcurves.scoring.measures.brier import Brier
from gdcurves.scoring.measures.error import Error
from gdcurves.scoring.measures.logloss import LogLoss
from gdcurves.words import suggest

__all__ = [
    "DEFAULT",
    "MEASURES",
    "Measure",
    "SumMeasure",
    "Tally",
    "WholeMeasure",
    "check_main",
    "chosen",
    "compared",
    "main",
    "of_config",
]

MEASURES: Registry[Measure] = Registry(
    "measures",
    "Measure",
    lambda each: isinstance(each, Measure),
    {
        each.name: each
        for each in (
            Error(),
            LogLoss(),
            BalancedError(),
            Auc(),
            Brier(),
        )
    },
)
DEFAULT = ("error", "logloss")


def chosen(names: Iterable[str] = DEFAULT) -> tuple[Measure, ...]:
    """Measures of these names."""
    return tuple(MEASURES[name] for name in names)


def of_config(config: Mapping[str, Any]) -> tuple[Measure, ...]:
    """Measures of a run by its config, as a manifest has it; the first results knew two alone."""
    return chosen(config.get("measures", DEFAULT))


def main(config: Mapping[str, Any]) -> Measure:
    """What figures of a run show and, if it is always finite, what classifiers are compared by.

    It is that of the config's key `measure`; unless given, see `compared`, else the first.
    """
    named = config.get("measure")
    if named is not None:
        return MEASURES[named]
    measures = of_config(config)
    return compared(measures) or measures[0]


def compared(measures: Sequence[Measure]) -> Measure | None:
    """The measure by which classifiers are compared unless one is named.

    That is the error or, where that was not measured, the first that is always finite; or None.
    """
    finite = {each.name: each for each in measures if not each.infinite}
    return finite.get("error") or next(iter(finite.values()), None)


def check_main(name: str, measured: Sequence[str], comparing: bool = True) -> None:
    """Refuse a name that cannot be that of the main measure, for some that are measured.

    Raises UserError where it is none of them or, if classifiers are to be compared by it, where it
    may be infinite.
    """
    if name not in MEASURES:
        known = [each for each in measured if not (comparing and MEASURES[each].infinite)]
        raise UserError(f"no measure '{name}'; {suggest(name, known)}")
    if name not in measured:
        raise UserError(
            f"'{name}' is not among the 'measures' ({', '.join(measured)}); add it there"
        )
    if comparing and MEASURES[name].infinite:
        raise UserError(
            f"'{name}' may be infinite, so that no mean difference tells which classifier is"
            " better; name another one"
        )
