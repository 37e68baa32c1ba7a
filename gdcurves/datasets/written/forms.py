"""Texts that hold numbers and are none: several in a cell, and bounds of one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from gdcurves.arrays import BoolArray

_NUMBER = r"[0-9]+(?:[.,][0-9]+)?(?:[eE][-+]?[0-9]+)?"
_BOUND = re.compile(
    rf"[<>\u2264\u2265\u2a7d\u2a7e~\u2248]\s*=?\s*[-+]?{_NUMBER}\D{{0,6}}|[-+]?{_NUMBER}\s*[+<>]"
)
_BEFORE, _BEHIND = frozenset("<>\u2264\u2265\u2a7d\u2a7e~\u2248"), frozenset("+<>")
_SIGN = re.compile(r"(^|[(\[{,;/:x*]\s*)[-+\u2212](?=#)")
_FIRST = frozenset("0123456789([{-+\u2212")  # of texts of several numbers
_PADDED = re.compile(r"(?<![0-9.,])0[0-9]")  # as codes are
_SEVERAL = re.compile(r"[(\[{]?\s*#(?:(?!\.#)[^#]{1,6}#)+[^#]{0,6}")


def are_bounds(texts: Sequence[str]) -> BoolArray:
    """Tell which of n texts are bounds of a number, shape (n,): "<0.5", "65+", "\u2265 10 mg"."""
    return np.array([_is_bound(text.strip()) for text in texts], dtype=bool)


def _is_bound(text: str) -> bool:
    """Most texts are told by their ends."""
    ends = text[:1] in _BEFORE or text[-1:] in _BEHIND
    return ends and _BOUND.fullmatch(text) is not None


def are_several(texts: Sequence[str]) -> BoolArray:
    """Tell which of n texts hold several numbers alike, shape (n,): "120/80", "3-15", "5.1 (0.3)".

    What stands between the numbers is that of most such texts, as codes have it in any way.
    """
    forms = [_form(text) for text in texts]
    known = Counter(form for form in forms if form)
    usual = max(known, key=known.__getitem__, default="")
    return np.array([bool(form) and form == usual for form in forms], dtype=bool)


def _form(text: str) -> str:
    """A text with a sign for each number, without their own signs; empty if it holds not several.

    Points alone do not part numbers, as in versions and dates.
    """
    text = text.strip()
    if text[:1] not in _FIRST:
        return ""
    form = _SIGN.sub(r"\1", re.sub(_NUMBER, "#", text))
    return form if _SEVERAL.fullmatch(form) and not _PADDED.search(text) else ""
