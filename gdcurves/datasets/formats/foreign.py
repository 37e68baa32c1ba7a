"""Texts that are no tables of lines and cells, whatever their names say: JSON, HTML, XML."""

from __future__ import annotations

import re

from gdcurves.errors import UserError

_JSON = re.compile(r'\s*(\{\s*"|\[\s*[\[{"]|[\[{]\s*$)')
_MARKUP = re.compile(r"\s*<(!doctype|html|table|\?xml)\b", re.IGNORECASE)


def check(first: str, origin: str) -> None:
    """Refuse a text by its first line; raises UserError."""
    if _JSON.match(first):
        raise UserError(
            f"{origin}: is JSON, and no table of lines and cells; save it as CSV, as"
            " pandas.read_json(...).to_csv(...) does"
        )
    if _MARKUP.match(first):
        raise UserError(
            f"{origin}: is HTML or XML, and no table of lines and cells; open it in a spreadsheet"
            " program, and save it as CSV or .xlsx"
        )
