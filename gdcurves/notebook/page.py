"""What a notebook shows of a run: a page that can be read without anything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gdcurves import report
from gdcurves.notebook.picture import Picture
from gdcurves.store.files import Run

WIDE = 10_000  # characters: tables are not cut where a page ends, which can be moved sideways
NEXT = (
    ("curves", "every classifier at every size"),
    ("comparisons", "every two of them, with intervals"),
    ("crossings", "where curves cross"),
    ("outlook", "what more rows would bring"),
    ('plot(measure="auc")', "the curves by another measure"),
    ('by("auc").answer', "the answer by another measure"),
)


def page(
    run: Run, understood: Sequence[str], notes: Sequence[str], picture: Picture, folder: Path | None
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    run
        The results.
    understood
        What was understood of the data, in lines.
    notes
        What may have been misunderstood of them.
    picture
        The curves.
    folder
        Where the results are kept, if they are.
    """
    first, *others = [*report.sentences(run)] or [report.headline(run)]
    parts = [
        f"<p><strong>{escape(first)}</strong></p>",
        *map(_paragraph, others),
        picture._repr_html_(),
        _paragraph(_sizes(run)),
        *(_paragraph(f"Note: {note}") for note in notes),
        *filter(None, map(_html, report.details(run, WIDE))),
        *_folded("How the data were read", understood),
        _paragraph(report.headline(run)) if others else "",
        *([_paragraph(f"Results: {folder}")] if folder else []),
        _further(),
    ]
    return f'<div style="max-width: 60em; overflow-x: auto">{"".join(parts)}</div>'


def _sizes(run: Run) -> str:
    """What sizes mean."""
    units = {*run.units.values()}
    what = (
        "rows"
        if units == {"row"}
        else "groups of rows"
        if units == {"group"}
        else "rows, or groups"
    )
    n_splits = run.manifest["config"]["splits"]
    return (
        f"m is the number of {what} that a classifier has learned from; it is tested on all others."
        f" Means are over {n_splits:,} random splits."
    )


def _html(part: RenderableType) -> str:
    """A part of a report; nothing of an empty one."""
    if isinstance(part, Table):
        return _table(part)
    text = part.plain if isinstance(part, Text) else str(part)
    return _paragraph(text.strip()) if text.strip() else ""


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _table(table: Table) -> str:
    titles = [f"<th>{_cell(column.header)}</th>" for column in table.columns]
    rows = zip(*(column.cells for column in table.columns), strict=True)
    lines = ["".join(f"<td>{_cell(cell)}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{''.join(titles)}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: RenderableType) -> str:
    text = cell.plain if isinstance(cell, Text) else str(cell)
    return escape(text.replace("\n", ""))


def _folded(title: str, lines: Sequence[str]) -> Iterator[str]:
    """Lines that are shown when they are asked for; nothing without lines."""
    if lines:
        text = escape("\n".join(lines))
        said = f'<pre style="white-space: pre-wrap">{text}</pre>'
        yield f"<details><summary>{escape(title)}</summary>{said}</details>"


def _further() -> str:
    """Say what else the object has."""
    said = "; ".join(f"<code>.{escape(name)}</code> {escape(what)}" for name, what in NEXT)
    return f"<p>More of it: {said}.</p>"
