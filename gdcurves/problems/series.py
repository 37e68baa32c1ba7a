"""Problems whose rows are drawn from a law: one data set for all splits, or a new one for each."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gdcurves import splits
from gdcurves.arrays import FloatArray, IntArray
from gdcurves.config.reading import Rescale
from gdcurves.problems.problem import Problem, Provenance
from gdcurves.units import Units

_FILE = "series.json"

if TYPE_CHECKING:
    from gdcurves.simulators import SimulationConfig


@dataclass(frozen=True)
class Series:
    """Data sets of one law, a new one for each split.

    Attributes
    ----------
    name
        The experiment's name.
    simulation
        What to draw.
    """

    name: str
    simulation: SimulationConfig
    rescale: ClassVar[Rescale] = "none"

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return self.simulation.law.features

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""
        return self.simulation.classes

    @property
    def levels(self) -> tuple[int, ...]:
        """Number of levels of each input, 0 for a continuous one."""
        return self.simulation.law.levels

    @cached_property
    def y(self) -> IntArray:
        """Class of every row, the same in all data sets, shape (n,)."""
        rows = self.simulation.rows_per_class
        return np.repeat(np.arange(len(rows), dtype=np.int8), rows)

    @cached_property
    def units(self) -> Units:
        """What training sets are drawn of: rows."""
        return Units.rows(len(self.y))

    @property
    def provenance(self) -> Provenance:
        """Say which law the rows are of; its fingerprint stands in place of the data's."""
        one = self.simulation
        how = "one data set" if one.draw == "once" else "a new data set in each split"
        n = sum(one.rows_per_class)
        return Provenance(
            data=one.called,
            origin="simulated",
            source=f"simulated, {how}",
            sha256=fingerprint(one),
            rows_read=n,
            rows_used=n,
            rows_missing=0,
            rows_other_class=0,
            columns_dropped=(),
            threshold=None,
        )

    def draw(self, seed: int, numbers: range) -> FloatArray | IntArray:
        """Rows of the data sets of some splits, shape (S, n, d), in the order of `y`."""
        rows = self.simulation.rows_per_class
        return np.concatenate(
            [
                self.simulation.law.draw(rows, splits.generator(seed, self.name, "data", split), 1)
                for split in numbers
            ]
        )

    def save(self, folder: Path) -> None:
        """Write the law into a folder, so that other processes can draw from it."""
        folder.mkdir(parents=True, exist_ok=True)
        written = {"name": self.name, "simulation": self.simulation.model_dump(mode="json")}
        (folder / _FILE).write_text(json.dumps(written), encoding="utf-8")


def fingerprint(simulation: SimulationConfig) -> str:
    """Fingerprint of a law and the number of rows of each class."""
    law = simulation.law.model_dump(mode="json")
    text = json.dumps([law, simulation.rows_per_class, simulation.classes], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def build(name: str, simulation: SimulationConfig, seed: int) -> Problem | Series:
    """Make an experiment's problem from a law."""
    series = Series(name, simulation)
    if simulation.draw == "each":
        return series
    law = simulation.law
    x = law.draw(simulation.rows_per_class, splits.generator(seed, name, "data"), 1)[0]
    x.flags.writeable = False
    provenance, rescale = series.provenance, series.rescale
    about = (series.levels, law.features, series.classes, provenance, rescale)
    return Problem(name, simulation.kinds, x, series.y, *about)


def load(folder: Path) -> Problem | Series:
    """Read what a problem's or a series' `save` wrote."""
    path = folder / _FILE
    if not path.exists():
        return Problem.load(folder)
    written = json.loads(path.read_text(encoding="utf-8"))
    from gdcurves.simulators import SimulationConfig

    return Series(written["name"], SimulationConfig.model_validate(written["simulation"]))
