"""A figure that shows itself in a notebook, and that can be saved."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from gdcurves.errors import UserError
from gdcurves.plots.paper import FORMATS
from gdcurves.plots.sheet import Sheet, description
from gdcurves.words import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 200  # dots per inch of a picture on a screen that is shown at
SCREEN = 100  # of them


@dataclass(frozen=True, eq=False)
class Picture:
    """The sheets of a figure as drawn.

    Attributes
    ----------
    sheets
        What they show, as plain data.
    figures
        Each as a figure of matplotlib.
    """

    sheets: Sequence[Sheet]
    figures: Sequence[Figure]

    def save(self, path: str | Path) -> list[Path]:
        """Write it into a file, whose ending says as what: .png, .pdf or .svg.

        Of several sheets, each file has the name of its sheet behind that of the path. Returns the
        paths written. Raises UserError where the ending is another one, or a file cannot be
        written.
        """
        from gdcurves.plots import render

        path = Path(path).expanduser()
        form = path.suffix.removeprefix(".").lower()
        if form not in FORMATS:
            known = listed([f".{each}" for each in FORMATS], "or")
            raise UserError(f"{path}: cannot tell its format; its name should end in {known}")
        several = len(self.sheets) > 1
        paths = []
        for sheet, figure in zip(self.sheets, self.figures, strict=True):
            named = replace(sheet, stem=path.stem + f"_{sheet.stem}" * several)
            with render.settings():
                paths += render.save(figure, named, path.parent, [form])
        return paths

    @property
    def description(self) -> str:
        """What it shows, in words."""
        return " ".join(map(description, self.sheets))

    def __repr__(self) -> str:
        return f"Picture: {self.description}"

    def _repr_png_(self) -> bytes | None:
        return self._png(self.figures[0]) if len(self.figures) == 1 else None

    def _repr_html_(self) -> str:
        return "".join(map(self._image, self.sheets, self.figures))

    def _image(self, sheet: Sheet, figure: Figure) -> str:
        content = b64encode(self._png(figure)).decode()
        width = round(figure.get_figwidth() * SCREEN)
        return (
            f'<img alt="{escape(description(sheet))}" width="{width}" style="max-width: 100%"'
            f' src="data:image/png;base64,{content}">'
        )

    @staticmethod
    def _png(figure: Figure) -> bytes:
        from gdcurves.plots import render

        content = io.BytesIO()
        with render.settings():
            figure.savefig(content, format="png", dpi=SHOWN)
        return content.getvalue()
