"""Numbers as people write them: decimal commas, groups of thousands, per cent, currencies."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from gdcurves.datasets.written import spelling
from gdcurves.datasets.written.wrapping import bare
from gdcurves.words import listed

MARKS = (".", ",")
"""What may stand before decimals; the other one may then stand between thousands."""

_RAISED = "\u00b7\u2219\u22c5\u066b"
"""Points before decimals and nowhere else: in the middle of the line, as The Lancet prints them,
and that of Arabic."""

_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
"""What stands for a minus before a number."""
_MINUS = tuple(_DASHES)

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u2008\u2009\u202f", " "),
        **dict.fromkeys(_RAISED, "."),
        **dict.fromkeys("\u2019\u066c", "'"),
        "\u066a": "%",
        "\u2212": "-",
    }
)
_CODES = (
    "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|IDR|ILS|INR|JPY|KRW|MXN|MYR|NOK|NZD|PHP|PLN|RON"
    "|RUB|SEK|SGD|THB|TRY|UAH|USD|VND|ZAR"
)
_NAMES = (  # TL1 may be a code
    r"kr\.?|Fr\.|z\u0142|K\u010d|Ft|R[sp](?:\.|(?= ))|(?:TL|lei|\u0440\u0443\u0431\.?)(?! ?[0-9])"
    r"|\u5186|\u5143|\uc6d0"
)
_CURRENCY = rf"(?:[A-Z]{{0,2}}[$\u00a2-\u00a5\u20a0-\u20cf]|{_CODES}|{_NAMES})"
_SIGN = rf"(?:{_CURRENCY}|[%\u2030])"
_BRACKETS = re.compile(rf"(?P<before>(?:{_SIGN} ?)?)\((?P<inner>.*)\)(?P<after>(?: ?{_SIGN})?)")
_NO_CENTS = re.compile(  # 12.- and 12/-
    rf"(?<=[0-9])(?:/-|[.,][{_DASHES}]{{1,2}})(?=(?: ?{_CURRENCY})?$)"
)
_AMOUNT = re.compile(
    rf"(?:(?P<sign>[-+]) ?)?(?P<before>(?:{_SIGN} ?)?)(?P<inner>[-+]?)"
    r"(?P<digits>[0-9.,](?:[0-9.,' ]*[0-9.,])?)(?P<power>(?:[eE][-+]?[0-9]+)?)"
    rf"(?P<after>(?: ?{_SIGN})?)",
    re.ASCII,
)
_INDIAN = "|[1-9][0-9]?,(?:[0-9]{2},)+[0-9]{3}"
_DIGITS = {
    mark: re.compile(
        rf"(?:[0-9]+|[1-9][0-9]{{0,2}}(?P<group>[{other}' ])[0-9]{{3}}(?:(?P=group)[0-9]{{3}})*"
        rf"{_INDIAN * (mark == '.')})"
        rf"(?:[{mark}][0-9]*)?|[{mark}][0-9]+"
    )
    for mark, other in zip(MARKS, reversed(MARKS), strict=True)
}


@dataclass(frozen=True)
class Written:
    """How the numbers of a column are written.

    Attributes
    ----------
    marks
        Those of `MARKS` before decimals with which all texts are numbers, one or both.
    differ
        Whether it makes a difference which: a point or a comma stands in one of them.
    plain
        Whether all are numbers in the plain way, with a point before decimals and nothing else.
    grouped
        Whether points seem to stand between thousands: there are numbers without one, and 1.500,
        of which who writes 900 and not 900.000 would have written 1.5.
    example
        The first text that shows how.
    """

    marks: tuple[str, ...]
    differ: bool
    plain: bool
    grouped: bool
    example: str


def written(texts: Iterable[str]) -> Written | None:
    """Tell how all of some texts are numbers in one way; None where they are not.

    They have the same signs of a currency or of per cent, all or none, and the same sign between
    thousands, which stand in groups of three digits, or of two before the last three as in India:
    12,34,567, and never before a power of ten. A raised point stands before decimals, and beside no
    other point.
    """
    groups = {mark: {""} for mark in MARKS}  # signs between thousands
    around = None
    first = marked = odd = ""  # the first text of all, with a point or a comma, that is not plain
    bare, ends_in_zero = False, False
    points: set[str] = set()
    for text in texts:
        amount = _amount(text)
        if amount is None:
            return None
        digits = amount["digits"]
        points.update(each for each in f".{_RAISED}" if each in text)
        if points - {"."}:
            groups.pop(",", None)
            if len(points) > 1:
                return None
        for mark in [*groups]:
            match = _DIGITS[mark].fullmatch(digits)
            if match is not None:
                groups[mark].add(group := next(iter({*digits} - {*"0123456789", mark}), ""))
            if match is None or len(groups[mark]) > 2 or (amount["power"] and group):
                del groups[mark]
        beside = (amount["before"].strip(), amount["after"].strip())
        if not groups or beside != (around or beside):
            return None
        around = beside
        first = first or text.strip()
        if "." in digits or "," in digits:
            marked = marked or text.strip()
            ends_in_zero |= digits.endswith("0")
        else:
            bare = True
        if not odd and math.isnan(spelling.number(text)):
            odd = text.strip()
    if not first:
        return None
    is_open = bool(marked) and len(groups) == 2
    return Written(
        tuple(groups),
        differ=bool(marked),
        plain=not odd,
        grouped=is_open and bare and ends_in_zero,
        example=marked if is_open else odd or first,
    )


def plainly(text: str, mark: str) -> str:
    """Write a number that has this mark before decimals in the plain way: "1.234,5" is "1234.5".

    Other texts stay as they are.
    """
    amount = _amount(text)
    if amount is None or _DIGITS[mark].fullmatch(amount["digits"]) is None:
        return text
    bracket = "(" in text or not text.isascii()
    negative = (amount["sign"] or amount["inner"]) == "-" or (bracket and _unwrapped(text)[1])
    whole, point, decimals = amount["digits"].partition(mark)
    before = re.sub("[^0-9]", "", whole)
    return f"{'-' * negative}{before}{'.' * bool(point)}{decimals}{amount['power']}"


def is_amount(text: str) -> bool:
    """Tell whether a text is a number in some way, with nothing but a currency or per cent."""
    return _amount(text) is not None


def how(texts: Iterable[str]) -> str:
    """Say how numbers are written, as some texts are not: with a unit beside them, for instance."""
    texts = [*texts]
    said = "numbers are written with a decimal point or comma, alike in a whole column: 1234.5,"
    said += " 1.234,5"
    amounts = [amount for text in texts if (amount := _amount(text)) is not None]
    signs = {sign for each in amounts for sign in (each["before"].strip(), each["after"].strip())}
    if signs := signs - {""}:
        said += f", and with {listed(sorted(map(repr, signs)), 'or')} in all cells or in none"
    units = spelling.beside([text for text in texts if not is_amount(text)])
    if not units:
        return said
    return f"{said}, and without {' and '.join(map(repr, units))}; take that out of the cells"


def _amount(text: str) -> re.Match[str] | None:
    """Take a text apart: signs, a currency, digits; parentheses are a minus.

    What other programs put around it is no part of it.
    """
    inner, _ = _unwrapped(text)
    amount = _AMOUNT.fullmatch(inner)
    return None if amount is None or (amount["sign"] and amount["inner"]) else amount


def _unwrapped(text: str) -> tuple[str, bool]:
    """A text in signs of ASCII, without parentheses; and whether there were some, for a minus.

    None are taken off one that has a minus too.
    """
    inner = bare(text).translate(_ALIKE)
    if inner.startswith(_MINUS):
        inner = f"-{inner[1:]}"
    if inner.find("-", 1) > 0 or not inner.isascii():
        inner = spelling.minus_first(_NO_CENTS.sub("", inner))
    match = _BRACKETS.fullmatch(inner) if "(" in inner else None
    if match is None or match["inner"].startswith(("-", "+")):
        return inner, False
    return "".join(match.group("before", "inner", "after")), True
