"""What a run knows of how sure its differences are, for other data of the same kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from gdcurves.crossings import interval
from gdcurves.crossings.interval import LEAST_DIFFERING, Spread
from gdcurves.store import files
from gdcurves.store.sums import Key, Sums
from gdcurves.store.sums import read as read_sums


class Evidence(ABC):
    """Where the intervals of a run come from; `name` is what comparisons.csv calls it.

    `of_units` is whether something is known of every unit.
    """

    name: ClassVar[str]
    of_units: ClassVar[bool] = False

    @abstractmethod
    def half_width(self, key: Key, spread: Spread) -> tuple[float, bool]:
        """Half of a 95 % interval, NaN if none can be had, and whether it may carry a verdict.

        Of the difference of two classifiers, or of the value of the first if the other is "".
        """


class Splits(Evidence):
    """Every split has a data set of its own, and so the splits tell all."""

    name = "splits"

    def half_width(self, key: Key, spread: Spread) -> tuple[float, bool]:
        """See `Evidence`."""
        return spread.half_width(), True


class NadeauBengio(Evidence):
    """Splits of one data set, of which nothing more is known."""

    name = "nadeau_bengio"

    def half_width(self, key: Key, spread: Spread) -> tuple[float, bool]:
        """See `Evidence`."""
        return spread.nadeau_bengio(), spread.n_train + spread.n_test > LEAST_DIFFERING


@dataclass(frozen=True)
class UnitByUnit(Evidence):
    """Splits of one data set, with sums for its units."""

    sums: Sums
    name = "jackknife"
    of_units = True

    def half_width(self, key: Key, spread: Spread) -> tuple[float, bool]:
        """See `Evidence`."""
        parts = self.sums.parts[key]
        if self.sums.are_of_blocks:
            jackknife = interval.of_blocks(parts, self.sums.units, spread)
        else:
            jackknife = interval.of_units(parts[0], spread)
        *_, other = key
        return jackknife.half_width(spread, of_difference=other != ""), jackknife.telling


def of_chunks(
    paths: Sequence[Path], config: Mapping[str, Any], experiment: Mapping[str, Any]
) -> Evidence:
    """Return that of an experiment, from the files of its chunks and what configs say of it."""
    if independent(experiment):
        return Splits()
    if config.get("interval") == "rows":
        return UnitByUnit(read_sums([files.sums_path(path) for path in paths]))
    return NadeauBengio()


def independent(experiment: Mapping[str, Any]) -> bool:
    """Whether every split of an experiment has a data set of its own, by its config."""
    simulate = experiment["simulate"]
    return simulate is not None and simulate["draw"] == "each"
