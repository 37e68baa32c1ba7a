"""A run as an object: its answer, its tables and pictures."""

from __future__ import annotations

import io
import shutil
import tempfile
import weakref
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, Group

from gdcurves import plots, report
from gdcurves.crossings import COMPARISONS, CROSSINGS, OUTLOOK
from gdcurves.notebook.arguments import in_python, named
from gdcurves.notebook.picture import Picture
from gdcurves.plots.paper import Wanted
from gdcurves.report.understood import notes
from gdcurves.run import reading
from gdcurves.scoring.measures import main
from gdcurves.store.files import Run
from gdcurves.store.table import TableFormat

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = 80  # characters of a line of text
NOTHING = (
    "No two classifiers were compared, so that there is no answer; the curves are in `.curves`."
)


class Scratch:
    """A folder that goes with the last one who holds this, or when Python ends."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="gdcurves-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurves:
    """Learning curves that were computed; shows itself in a notebook.

    The tables are data frames of pandas, with the columns of the files of a results folder, which
    docs/reference/results.md explains.

    Attributes
    ----------
    run
        The results, as read from their folder.
    understood
        What was understood of the data, in lines; nothing of a run that was loaded.
    scratch
        The folder of a run that is not kept; None where its user has named one.
    """

    run: Run
    understood: tuple[str, ...] = ()
    scratch: Scratch | None = None

    @property
    def folder(self) -> Path | None:
        """Where the results are; None where nobody has asked for them to be kept."""
        return None if self.scratch else self.run.folder

    @property
    def answer(self) -> str:
        """Which classifier to use with the rows that there are, and how sure that is."""
        return "\n".join(self._sentences) or NOTHING

    @property
    def _sentences(self) -> list[str]:
        return list(map(in_python, report.sentences(self.run)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What of the data may have been misunderstood, the most harmful first."""
        return tuple(map(in_python, notes(self.run)))

    @property
    def curves(self) -> pd.DataFrame:
        """Every classifier at every size: means over the splits, and how sure they are."""
        return self.run.curves

    @property
    def comparisons(self) -> pd.DataFrame:
        """Every two classifiers at every size, with an interval for other data of this kind."""
        return _table(self.run.comparisons, COMPARISONS)

    @property
    def crossings(self) -> pd.DataFrame:
        """Where the curves of every two classifiers cross."""
        return _table(self.run.crossings, CROSSINGS)

    @property
    def outlook(self) -> pd.DataFrame:
        """What each classifier reaches, and what more rows are foreseen to bring."""
        return _table(self.run.outlook, OUTLOOK)

    def by(self, measure: str) -> LearningCurves:
        """The same run, answered by another measure; raises UserError where it has none."""
        with named():
            return replace(self, run=reading.answered(self._by(measure, comparing=True)))

    def plot(
        self,
        measure: str | None = None,
        *,
        figure: str | None = None,
        size: tuple[float, float] | str | None = None,
        font_size: float | None = None,
        title: str | None = None,
    ) -> Picture:
        """Draw the curves.

        Parameters
        ----------
        measure
            What is drawn: "error", "auc", "brier", ...; what the classifiers are compared by unless
            given.
        figure
            The name of another figure: "difference", ...
        size
            Width and height in inches, (3.4, 2.4) or "3.4x2.4".
        font_size
            Of its text, in points.
        title
            Above it.

        Raises
        ------
        UserError
            There is no such measure or figure, or the page is too small.
        """
        with named():
            if figure is not None:
                plots.check(figure, f"--figure {figure}: no such figure")
            sides = size if isinstance(size, tuple | list) else (size,)
            page = None if size is None else "x".join(map(str, sides))
            wanted = Wanted.of((), page, font_size, title)
            run = self.run
            if measure is not None and measure != main(run.manifest["config"]).name:
                run = reading.answered(self._by(measure, comparing=False))
            drawn = list(plots.drawn(run, figure, wanted))
        return Picture([sheet for sheet, _ in drawn], [picture for _, picture in drawn])

    def _by(self, measure: str, comparing: bool) -> Run:
        return reading.by_measure(self.run, measure, comparing)

    def __repr__(self) -> str:
        parts = self._sentences or [report.headline(self.run)]
        stream = io.StringIO()
        console = Console(
            file=stream,
            width=COLUMNS,
            color_system=None,
            force_jupyter=False,  # which would show it, wherever the stream goes
            highlight=False,
            markup=False,
        )
        notes = [f"Note: {note}" for note in self.notes]
        console.print(Group(*parts, *report.details(self.run, COLUMNS), *notes), crop=False)
        kept = [f"Results: {self.folder}"] if self.folder else []
        return "\n".join(map(str.rstrip, [*stream.getvalue().rstrip().splitlines(), *kept]))

    def _repr_html_(self) -> str:
        from gdcurves.notebook.page import page

        return page(
            self.run, self._sentences, self.understood, self.notes, self.plot(), self.folder
        )


def load(folder: str | Path) -> LearningCurves:
    """Read a results folder, whether its run is finished, goes on, or was stopped.

    Raises UserError where it is none, or cannot be read.
    """
    with named():
        return LearningCurves(reading.read_partial(Path(folder).expanduser()))


def _table(table: pd.DataFrame | None, form: TableFormat) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(columns=list(form.columns)) if table is None else table
