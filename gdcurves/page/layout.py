"""From content to HTML. All that comes from data is escaped by the template's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

import gdcurves
from gdcurves.page.content import Content
from gdcurves.page.picture import fit
from gdcurves.report.parts import Grid
from gdcurves.store import whole
from gdcurves.store.contents import REPORT

TEMPLATE = "report.html"


def html(contents: Sequence[Content]) -> str:
    """Lay out the page of one run, or of several with a table of contents before them."""
    environment = Environment(
        loader=PackageLoader("gdcurves.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["grid"] = lambda part: isinstance(part, Grid)
    template = environment.get_template(TEMPLATE)
    return fit(template.render(runs=contents, version=gdcurves.__version__))


def write(contents: Sequence[Content], path: Path) -> Path:
    """Replace the file of a page, report.html in a folder; raises WriteError.

    Returns the path written.
    """
    file = path / REPORT if path.is_dir() else path
    whole.replace(file, html(contents).encode())
    return file
