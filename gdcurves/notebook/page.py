"""What a notebook shows of a run: a page that can be read without anything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from gdcurves import report
from gdcurves.notebook.picture import Picture
from gdcurves.report.parts import WIDE, Grid, Part, parts
from gdcurves.store.files import Run

NEXT = (
    ("curves", "every classifier at every size"),
    ("comparisons", "every two of them, with intervals"),
    ("crossings", "where curves cross"),
    ("outlook", "what more rows would bring"),
    ('plot(measure="auc")', "the curves by another measure"),
    ('by("auc").answer', "the answer by another measure"),
)


def page(
    run: Run,
    answer: Sequence[str],
    understood: Sequence[str],
    notes: Sequence[str],
    picture: Picture,
    folder: Path | None,
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    run
        The results.
    answer
        What they say, in sentences.
    understood
        What was understood of the data, in lines.
    notes
        What may have been misunderstood of them.
    picture
        The curves.
    folder
        Where the results are kept, if they are.
    """
    first, *others = answer or [report.headline(run)]
    said = [
        f"<p><strong>{escape(first)}</strong></p>",
        *map(_paragraph, others),
        picture._repr_html_(),
        _paragraph(report.of_sizes(run)),
        *(_paragraph(f"Note: {note}") for note in notes),
        *map(_html, parts(report.details(run, WIDE))),
        *_folded("How the data were read", understood),
        _paragraph(report.headline(run)) if others else "",
        *([_paragraph(f"Results: {folder}")] if folder else []),
        _further(),
    ]
    return f'<div style="max-width: 60em; overflow-x: auto">{"".join(said)}</div>'


def _html(part: Part) -> str:
    """A part of a report."""
    return _table(part) if isinstance(part, Grid) else _paragraph(part)


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _table(grid: Grid) -> str:
    titles = "".join(f"<th>{escape(title)}</th>" for title in grid.titles)
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in line) for line in grid.lines)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


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
