"""What a page says of a run: the words of the terminal, in the order of a reader's questions."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import RenderableType

from gdcurves import plots, report
from gdcurves.page.picture import MOST, Picture, picture
from gdcurves.report import outlook
from gdcurves.report.parts import WIDE, Part, parts
from gdcurves.report.saying import FEW
from gdcurves.report.understood import notes, understood
from gdcurves.store.files import Run
from gdcurves.words import counted

TOO_LARGE = (
    "The figure is too large for this page. It is drawn by itself with the command gdcurves plot."
)


@dataclass(frozen=True)
class Section:
    """A part of a page under a title, and what it is called in addresses."""

    name: str
    title: str
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Data:
    """What was understood of an experiment's data, in terms."""

    experiment: str
    terms: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Content:
    """What a page says of a run.

    Attributes
    ----------
    name, title, folder
        A word for addresses within the page, the run's name, and where it is.
    answer
        Which classifier to use, and how sure that is; without an answer how far the run is.
    headline, warnings
        How far it is; what stands beside the answer and must not be missed.
    pictures, no_picture
        The figure's sheets, or why there are none.
    caption
        What sizes and means are.
    results, rest
        Sections before and after the data.
    data, notes
        The data of each experiment, and what may have been misunderstood of them.
    command, versions
        What was typed, and what computed it.
    """

    name: str
    title: str
    folder: str
    answer: tuple[str, ...]
    headline: str
    warnings: tuple[str, ...]
    pictures: tuple[Picture, ...]
    no_picture: str
    caption: str
    results: tuple[Section, ...]
    rest: tuple[Section, ...]
    data: tuple[Data, ...]
    notes: tuple[str, ...]
    command: str
    versions: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, run: Run, name: str) -> Content:
        """Gather it from a run as read; `name` is its word for addresses within the page."""
        experiments = run.manifest["experiments"]
        few = len(experiments) <= FEW
        pictures = _pictures(run, name)
        return cls(
            name,
            run.manifest["name"],
            str(run.folder),
            tuple(report.sentences(run)) or (report.headline(run),),
            report.headline(run),
            (*report.lost_lines(run), *map(str, parts(report.troubles(run)))),
            pictures,
            "" if pictures else TOO_LARGE,
            report.of_sizes(run),
            _sections(
                ("measured", "What each classifier reaches", report.measured(run, WIDE)),
                ("compared", "Comparisons", report.compared(run, WIDE)),
                ("outlook", "With more rows", outlook.table(run)),
            ),
            _sections(
                ("rows", "Rows used and left out", report.rows(run, WIDE)),
                ("sizes", "Every size", report.sizes(run, WIDE) if few else ()),
            ),
            tuple(Data(each, tuple(understood(run, each))) for each in experiments),
            tuple(notes(run)),
            shlex.join(run.manifest.get("command") or ()),
            tuple(_versions(run).items()),
        )


def _pictures(run: Run, name: str) -> tuple[Picture, ...]:
    """The sheets of the figure; none where they are too large together."""
    drawn = tuple(
        picture(sheet, f"{name}-figure{number}")
        for number, sheet in enumerate(plots.sheets(run), start=1)
    )
    size = sum(len(each.wide) + len(each.narrow) for each in drawn)
    return drawn if size <= MOST else ()


def _sections(*said: tuple[str, str, Iterable[RenderableType]]) -> tuple[Section, ...]:
    """Those of them that say something."""
    made = (Section(name, title, tuple(parts(each))) for name, title, each in said)
    return tuple(each for each in made if each.parts)


def _versions(run: Run) -> dict[str, str]:
    """What computed the run."""
    manifest = run.manifest
    versions = {"gdcurves": manifest.get("gdcurves", ""), **manifest.get("versions", {})}
    return {
        **versions,
        "machine": manifest.get("platform", {}).get("system", ""),
        "seed": str(manifest.get("seed", manifest["config"].get("seed", ""))),
        "begun": manifest.get("started") or "",
        "sessions": counted(manifest.get("sessions") or 1, "session"),
    }
