"""Columns of texts that hold numbers and are none: several in a cell, and bounds of one."""

from __future__ import annotations

from gdcurves.arrays import BoolArray
from gdcurves.datasets.columns.texts import Texts
from gdcurves.datasets.raw import Where
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written.whole import LEVELS
from gdcurves.words import DISCRETE, DROP, without_value

MOST_SHOWN = 3
"""Texts that options name."""


def doubt(texts: Texts, where: Where) -> Remark | None:
    """Say what to do about texts most of which hold several numbers, or bounds of one.

    Nothing about a few levels, such as classes of age.
    """
    bounds = texts.bounds
    if len(texts.written) <= LEVELS or texts.are_levels:
        return None
    if not (texts.like | bounds | texts.several).any():
        return None
    if bounds.any() and texts.mostly(texts.like | bounds):
        about, which = About.BOUNDS, bounds
        holds = "are bounds of a number"
    elif texts.mostly(texts.several):
        about, which = About.SEVERAL, texts.several
        holds = "hold several numbers"
    else:
        return None
    row, text = texts.first(which)
    return where.remark(
        about,
        row,
        f"{texts.share(which)} {holds}, such as {text!r}, so that all are read as texts; to have"
        f" numbers, {instead(texts, which)}; name the column under {DISCRETE} if"
        f" texts are meant, or {DROP}",
    )


def instead(texts: Texts, which: BoolArray) -> str:
    """Say what to write in place of texts, `which` (k,), that are bounds or hold several numbers.

    Nothing is said of others.
    """
    if (texts.bounds & which).any():
        named = texts.stripped(texts.bounds & which)[:MOST_SHOWN]
        options = without_value(named)
        return (
            "write a number in place of each bound, half of a limit of detection for instance, or"
            f" count them as missing: {options}"
        )
    if texts.mostly(texts.several & which):
        return "write each of them into a column of its own, or one number in their place"
    return ""
