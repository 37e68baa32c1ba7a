"""Texts that are no tables of lines and cells, whatever their names say: JSON, HTML, LIBSVM."""

from __future__ import annotations

import re

from gdcurves.errors import UserError

_JSON = re.compile(r'\s*(\{\s*"|\[\s*[\[{"]|[\[{]\s*$)')
_MARKUP = re.compile(r"\s*<(!doctype|html|table|\?xml)\b", re.IGNORECASE)
_LIBSVM = re.compile(r"\s*[-+]?\d[-+.\deE]*(\s+\d+:[-+.\deE]+)+\s*(#.*)?")


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
    if _LIBSVM.fullmatch(first):
        raise UserError(
            f"{origin}: is in the format of LIBSVM, and no table of lines and cells; save it as"
            " CSV, from sklearn.datasets.load_svmlight_file for instance"
        )
