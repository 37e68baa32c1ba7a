"""The page that a figure is drawn on, and how it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gdcurves.errors import UserError
from gdcurves.words import suggest

WIDTH = 7.0  # inches: the width of a page's text
LONE = 4.8  # inches, of a sheet with one panel and its legend in it
TEXT = 7.75  # pt
NARROW = 4.2  # inches, with text of that size: less is a column of a page
FORMATS = ("png", "pdf", "svg")
SMALLEST, LARGEST = 1.0, 50.0  # inches
LEAST_TEXT, MOST_TEXT = 4.0, 40.0  # pt


@dataclass(frozen=True)
class Paper:
    """A page of so many inches, as high as what is on it unless `height` is given.

    `body` is the size of its text in pt, from which the others follow.
    """

    width: float = WIDTH
    height: float | None = None
    body: float = TEXT

    @property
    def scale(self) -> float:
        """How large text is, and the room for it, against the usual."""
        return self.body / TEXT

    @property
    def is_narrow(self) -> bool:
        """Whether there is room for a short line of text only."""
        return self.width < NARROW * self.scale

    @property
    def head(self) -> float:
        """Size of titles in pt."""
        return 11.0 * self.scale

    @property
    def small(self) -> float:
        """Size of notes and of the ticks' labels in pt."""
        return 7.0 * self.scale


@dataclass(frozen=True)
class Wanted:
    """What a user may want otherwise.

    Attributes
    ----------
    formats
        In which files are written, of `FORMATS`.
    size
        Width and height of the page in inches, or None.
    font_size
        Of its text in pt, or None.
    title
        Above the figure; None leaves it to the figure.
    suffix
        Of the names of its files.
    """

    formats: tuple[str, ...] = FORMATS[:2]
    size: tuple[float, float] | None = None
    font_size: float | None = None
    title: str | None = None
    suffix: str = ""

    @classmethod
    def of(
        cls, forms: Sequence[str], size: str | None, font_size: float | None, title: str | None
    ) -> Wanted:
        """Read options; raises UserError."""
        for form in forms:
            if form.lower() not in FORMATS:
                raise UserError(f"--format {form}: no such format; {suggest(form, FORMATS)}")
        if font_size is not None and not LEAST_TEXT <= font_size <= MOST_TEXT:
            raise UserError(
                f"--font-size {font_size:g}: give points from {LEAST_TEXT:g} to {MOST_TEXT:g}"
            )
        return cls(
            tuple(dict.fromkeys(each.lower() for each in forms)) or FORMATS[:2],
            None if size is None else _size(size),
            font_size,
            title,
        )

    def paper(self, width: float) -> Paper:
        """Page for a sheet that is so many inches wide unless a size was asked for."""
        body = TEXT if self.font_size is None else self.font_size
        if self.size is None:
            return Paper(width, None, body)
        return Paper(*self.size, body)


def _size(text: str) -> tuple[float, float]:
    """Read WIDTHxHEIGHT in inches; raises UserError."""
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0.0
    if not all(SMALLEST <= side <= LARGEST for side in (width, height)):
        raise UserError(
            f"--size {text}: give width and height in inches, from {SMALLEST:g} to {LARGEST:g}, as"
            " in 3.4x2.4"
        )
    return width, height
