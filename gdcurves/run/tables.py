"""From raw rows to the tables of a run: curves, crossings, and points beside published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves import crossings, curves, published
from gdcurves.scoring.measures import of_config
from gdcurves.store import contents
from gdcurves.store.files import Run
from gdcurves.store.table import TableFormat

if TYPE_CHECKING:
    import pandas as pd

PUBLISHED = TableFormat(
    contents.PUBLISHED, published.COLUMNS, texts=frozenset({"experiment", "fitter"})
)


@dataclass(frozen=True)
class Tables:
    """What the raw rows of some experiments come to.

    Attributes
    ----------
    curves
        As in curves.csv.
    crossings
        As in crossings.csv; None where a run that has curves lacks that file.
    """

    curves: pd.DataFrame
    crossings: pd.DataFrame | None

    @classmethod
    def of_chunks(cls, experiment: str, paths: Sequence[Path], config: Mapping[str, Any]) -> Tables:
        """Compute those of an experiment from the files of its chunks, in order of its splits.

        `config` is that of the run, as the manifest has it.
        """
        return cls(
            _in_order(curves.of_chunks(experiment, paths, of_config(config)), config),
            crossings.of_chunks(experiment, paths, config),
        )

    @classmethod
    def together(cls, parts: Sequence[Tables]) -> Tables:
        """Those of several experiments, at least one, under each other."""
        import pandas as pd

        answers = [each.crossings for each in parts if each.crossings is not None]
        return cls(
            pd.concat([each.curves for each in parts], ignore_index=True),
            pd.concat(answers, ignore_index=True) if answers else None,
        )

    def write(self, folder: Path, figure: str) -> None:
        """Replace them in a results folder, with what is published behind a figure beside them.

        Raises WriteError.
        """
        curves.TABLE.write(folder, self.curves)
        if self.crossings is not None:
            crossings.TABLE.write(folder, self.crossings)
        theirs = published.values(figure)
        if theirs is None:
            PUBLISHED.remove(folder)  # of a figure that the run had before
        else:
            PUBLISHED.write(folder, published.compare(self.curves, theirs))


def so_far(run: Run) -> Tables:
    """Tables of a run as read: of its complete experiments as stored, of others from their rows."""
    parts = [part for name in run.manifest["experiments"] if (part := _so_far(run, name))]
    return Tables.together(parts) if parts else Tables(run.curves, run.crossings)


def _so_far(run: Run, name: str) -> Tables | None:
    if run.manifest["experiments"][name]["status"] == "done" and not run.curves.empty:
        return Tables(
            _of_experiment(run.curves, name),
            None if run.crossings is None else _of_experiment(run.crossings, name),
        )
    if name in run.chunks:
        return Tables.of_chunks(name, run.chunks[name], run.manifest["config"])
    return None


def crossings_so_far(run: Run) -> pd.DataFrame | None:
    """Crossings of a run as read, from its raw rows, or as stored where there are none.

    None where there is neither.
    """
    import pandas as pd

    answers = []
    for name in run.manifest["experiments"]:
        if name in run.chunks:
            paths = run.chunks[name]
            answers.append(crossings.of_chunks(name, paths, run.manifest["config"]))
        elif run.crossings is not None:
            answers.append(_of_experiment(run.crossings, name))
    return pd.concat(answers, ignore_index=True) if answers else None


def _of_experiment(table: pd.DataFrame, name: str) -> pd.DataFrame:
    return table[table["experiment"] == name]


def _in_order(table: pd.DataFrame, config: Mapping[str, Any]) -> pd.DataFrame:
    """Curves in the order of the config's fitters, the sizes of each ascending."""
    names = [each["name"] for each in config["fitters"]]
    return table.iloc[np.lexsort((table["m"], table["fitter"].map(names.index)))]
