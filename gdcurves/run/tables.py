"""From raw rows to the tables of a run: curves, answers, published points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves import curves, published
from gdcurves.crossings import COMPARISONS, CROSSINGS, OUTLOOK, Answers, why_unmade
from gdcurves.errors import TableError
from gdcurves.scoring.measures import of_config
from gdcurves.store import contents
from gdcurves.store.contents import CURVES
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
    answers
        As in comparisons.csv, crossings.csv and outlook.csv.
    """

    curves: pd.DataFrame
    answers: Answers

    @classmethod
    def of_chunks(
        cls,
        experiment: str,
        paths: Sequence[Path],
        config: Mapping[str, Any],
        data: Mapping[str, Any],
    ) -> Tables:
        """Compute those of an experiment from the files of its chunks, in order of its splits.

        `config` is that of the run, and `data` what is said of its data, as the manifest has them.
        Raises TableError where no curves can be made.
        """
        try:
            table = curves.of_chunks(experiment, paths, of_config(config))
            answers = Answers.of_chunks(experiment, paths, config, data)
        except Exception as error:  # whatever it is, it costs this experiment's tables alone
            raise TableError(why_unmade(CURVES, error)) from error
        if answers.values is not None:
            table = table.merge(answers.values, on=["fitter", "m"], how="left")
        return cls(_in_order(table, config), answers)

    @classmethod
    def together(cls, parts: Sequence[Tables]) -> Tables:
        """Those of several experiments, at least one, under each other."""
        import pandas as pd

        return cls(
            pd.concat([each.curves for each in parts], ignore_index=True),
            _together([each.answers for each in parts]),
        )

    def write(self, folder: Path, figure: str) -> None:
        """Replace them in a results folder, with what is published behind a figure beside them.

        Raises WriteError.
        """
        curves.TABLE.write(folder, self.curves)
        answers = self.answers
        for form, table in (
            (COMPARISONS, answers.comparisons),
            (CROSSINGS, answers.crossings),
            (OUTLOOK, answers.outlook),
        ):
            if table is None:
                form.remove(folder)
            else:
                form.write(folder, table)
        theirs = published.values(figure)
        if theirs is None:
            PUBLISHED.remove(folder)  # of a figure that the run had before
        else:
            PUBLISHED.write(folder, published.compare(self.curves, theirs))


def so_far(run: Run) -> Tables:
    """Tables of a run as read: of its complete experiments as stored, of others from their rows."""
    parts = [part for name in run.manifest["experiments"] if (part := _so_far(run, name))]
    return Tables.together(parts) if parts else Tables(run.curves, _stored(run))


def _so_far(run: Run, name: str) -> Tables | None:
    if run.manifest["experiments"][name]["status"] == "done" and not run.curves.empty:
        return Tables(_of_experiment(run.curves, name), _stored(run, name))
    if name not in run.chunks:
        return None
    try:
        data = run.manifest["experiments"][name]
        return Tables.of_chunks(name, run.chunks[name], run.manifest["config"], data)
    except TableError:  # what is read says so
        return None


def answers_so_far(run: Run) -> Answers:
    """Answers of a run as read, from its raw rows, or as stored where there are none."""
    return _together(
        [
            Answers.of_chunks(name, run.chunks[name], run.manifest["config"], data)
            if name in run.chunks
            else _stored(run, name)
            for name, data in run.manifest["experiments"].items()
        ]
    )


def _stored(run: Run, name: str | None = None) -> Answers:
    """Answers as they are stored; those of one experiment if it is named."""
    comparisons, crossings, outlook = (
        each if each is None or name is None else _of_experiment(each, name)
        for each in (run.comparisons, run.crossings, run.outlook)
    )
    return Answers(comparisons, crossings, outlook)


def _together(parts: Sequence[Answers]) -> Answers:
    """Those of several experiments; None where no part has any."""
    return Answers(
        _joined(each.comparisons for each in parts),
        _joined(each.crossings for each in parts),
        _joined(each.outlook for each in parts),
    )


def _joined(parts: Iterable[pd.DataFrame | None]) -> pd.DataFrame | None:
    import pandas as pd

    known = [each for each in parts if each is not None]
    return pd.concat(known, ignore_index=True) if known else None


def _of_experiment(table: pd.DataFrame, name: str) -> pd.DataFrame:
    return table[table["experiment"] == name]


def _in_order(table: pd.DataFrame, config: Mapping[str, Any]) -> pd.DataFrame:
    """Curves in the order of the config's fitters, the sizes of each ascending."""
    names = [each["name"] for each in config["fitters"]]
    return table.iloc[np.lexsort((table["m"], table["fitter"].map(names.index)))]
