"""What texts spell: numbers, numbers in another way of writing, dates and times."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from string import ascii_letters

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.datasets.written.wrapping import bare

_NUMBER = re.compile(
    r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?)", re.ASCII
)
_PADDED = re.compile(r"[+-]?0\d+", re.ASCII)

_MINUS = "[-+\u2010-\u2015\u2212]?"
_BLANK = "[ \u00a0\u2007-\u2009\u202f]"
_CURRENCY = "[$\u00a2-\u00a5\u20a0-\u20cf]"
_OTHERWISE = re.compile(
    rf"{_MINUS}{_BLANK}?(?P<before>(?:(?:{_CURRENCY}|%){_BLANK}?|[A-Z]{{3}}{_BLANK})?)"
    rf"(?P<number>{_MINUS}(?:[0-9]{{1,3}}(?:([.,'\u2019]|{_BLANK})[0-9]{{3}})(?:\3[0-9]{{3}})*"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}"  # as in India
    r"|[0-9]*)(?:[.,][0-9]+)?)"
    rf"(?P<after>(?:{_BLANK}?[^\d\s.,:;()+-]\D{{0,5}})?)"
)

_BRACKETS = re.compile(r"([^\d(]{0,4})\(([^()]*)\)(\D{0,4})")

MISSING = {"NA", "na", "N/A", "n/a", "#N/A", "<NA>", "NULL", "Null", "null", "NaN", "NAN", "nan"}
MISSING |= {"#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "n.a.", "N.A."}
MISSING |= {
    "#NV",
    "#WERT!",
    "#BEZUG!",
    "#ZAHL!",
    "#N/D",
    "#VALEUR!",
    "#NOMBRE!",
}  # of other languages
MISSING |= {f".{letter}" for letter in f"{ascii_letters}_"}  # Stata's and those of SAS
MISSING |= {"missing", "Missing", "MISSING"}  # the first is Julia's
MISSING |= {"NaT"}  # of dates, as pandas writes it
MISSING |= {"-nan", "-NaN", "1.#QNAN", "1.#IND", "-1.#IND", "-nan(ind)"}  # as C prints what is none
MISSING |= {"", "?", "None", ".", "..", r"\N"}  # but not "none", which may be a quantity

_DRAWN = {"-", "--", "\u2013", "\u2014"}
MISSING |= _DRAWN

_FORMS = str.maketrans(  # of dashes, and of single and double quotes
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("`\u00b4\u02bc\u2018\u2019\u201a\u201b\u2032\u2039\u203a", "'"),
        **dict.fromkeys("\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033", '"'),
    }
)

_MINUS_LAST = re.compile(r"([0-9][0-9.,]*[.,][0-9]+) ?[-\u2212]")

_MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAYS = (
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}",
    r"\d{1,2}[-/.]\d{1,2}[-/.]\d{4}",
    r"\d{1,2}[-/]\d{1,2}[-/]\d{2}",
    rf"\d{{1,2}}[-. ]+{_MONTH}[-., ]+\d{{2,4}}",
    rf"\d{{1,2}}{_MONTH}\d{{4}}",  # as SAS has them
    rf"{_MONTH}\.? \d{{1,2}},? \d{{4}}",
)
_YEAR = r"(1[89]|20|21)\d\d"
_MONTH_ALONE = (
    "(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?"
    "|oct(ober)?|nov(ember)?|dec(ember)?)"
)
_PARTS_OF_YEARS = (  # months and quarters
    rf"{_YEAR}[-/M](0[1-9]|1[0-2])",
    rf"{_YEAR}[-/ ]?Q[1-4]",
    rf"Q[1-4][-/ ]?{_YEAR}",
    rf"{_MONTH_ALONE}[-/., ]+({_YEAR}|\d\d)",
    rf"{_YEAR}[-/., ]+{_MONTH_ALONE}",
)
_DATE = re.compile(
    rf"({'|'.join(_DAYS)})([T ].*|:\d\d:\d\d.*)?|\d+:\d\d.*|{'|'.join(_PARTS_OF_YEARS)}",
    re.IGNORECASE,
)
_SEASON = re.compile(r"\d\d(\d\d)[-/](\d\d)")  # 2009/10


MOST_UNITS, OFTEN = 3, 0.1
"""So many units of a column are seen, each behind more than this part of its numbers."""


def number(text: str) -> float:
    """Return the number that a text spells, infinity among them, NaN if it spells none."""
    text = text.strip()
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def numbers(texts: Sequence[str]) -> FloatArray:
    """Return the number that each of n texts spells, shape (n,), NaN where it spells none."""
    return np.array([number(text) for text in texts], dtype=np.float64)


def are_padded(texts: Sequence[str]) -> BoolArray:
    """Tell which of n texts are whole numbers with a zero that none needs first, shape (n,)."""
    return np.array([_PADDED.fullmatch(text.strip()) is not None for text in texts], dtype=bool)


def numbers_otherwise(texts: Sequence[str]) -> FloatArray:
    """Sizes of numbers as people write them: "1,5", "12,345.6", "45 %", "CHF 20"; NaN for others.

    One for each of n texts, shape (n,). Units count that most of these texts share, or some share
    behind a blank, as others are parts of codes. The last separator is taken for the decimal one,
    which may be wrong by powers of ten.
    """
    bares = [bare(text) for text in texts]
    matches = [_OTHERWISE.fullmatch(minus_first(_without_brackets(text))) for text in bares]
    usual = {("", ""), *_usual(matches)}
    sizes = np.array(
        [_value(each["number"]) if each and _around(each) in usual else np.nan for each in matches],
        dtype=np.float64,
    )
    for i, (text, inner) in enumerate(zip(texts, bares, strict=True)):
        if math.isnan(sizes[i]) and inner != text.strip():
            sizes[i] = number(inner)
    return sizes


def beside(texts: Sequence[str]) -> tuple[str, ...]:
    """What stands before and after the numbers in most of n texts: "kg", or nothing."""
    matches = [_OTHERWISE.fullmatch(bare(text)) for text in texts]
    usual = _usual([each for each in matches if each and re.search("[0-9]", each["number"])])
    return tuple(part for around in usual for part in around if part)


def minus_first(text: str) -> str:
    """Write "12.50-", as accounts have it, with its minus first; other texts stay as they are.

    Without decimals it may be a grade.
    """
    match = _MINUS_LAST.fullmatch(text)
    return f"-{match[1]}" if match else text


def _without_brackets(text: str) -> str:
    """A text without the brackets around all of it but a unit, which are a minus of accounts."""
    match = _BRACKETS.fullmatch(text) if "(" in text else None
    return "".join(match.groups()) if match else text


def _usual(matches: Sequence[re.Match[str] | None]) -> list[tuple[str, str]]:
    """What most often stands before and after the numbers, if anything does.

    With it other units that often stand behind a blank too, as in "2 kg" and "900 g".
    """
    given = [each for each in matches if each and _around(each) != ("", "")]
    around = Counter(map(_around, given))
    apart = Counter(_around(each) for each in given if each["after"][:1].isspace())
    usual = sorted(around, key=around.__getitem__, reverse=True)
    often = [each for each in usual[1:MOST_UNITS] if apart[each] > OFTEN * len(given)]
    return [*usual[:1], *(often if apart[usual[0]] else [])] if usual else []


def _around(match: re.Match[str]) -> tuple[str, str]:
    return match["before"].strip(), match["after"].strip()


def _value(text: str) -> float:
    *whole, last = re.findall("[0-9]+", text) or ["nan"]
    return float(f"{''.join(whole)}.{last}" if whole else last)


def are_dates(values: FloatArray) -> bool:
    """Tell whether all of some whole numbers, `values` (n,), are dates such as 20240131."""
    day, month = values % 100, values // 100 % 100
    return bool(((day >= 1) & (day <= 31) & (month >= 1) & (month <= 12)).all())


def is_date(text: str) -> bool:
    """Tell whether a text is a date, a month, a quarter, a time of the day, or some of these.

    2009-10 and the like may be a season, from one year to the next, and count as none.
    """
    text = text.strip()
    season = _SEASON.fullmatch(text)
    if season is not None and (int(season[1]) + 1) % 100 == int(season[2]):
        return False
    return _DATE.fullmatch(text) is not None


def look(text: str) -> str:
    """What a text looks like, without what hardly tells one from another.

    That is case, blanks, a stop, comma or mark at the end, quotes around it, the form of dashes and
    quotes, and what cannot be seen.
    """
    seen = "".join(
        each
        for each in unicodedata.normalize("NFKC", composed(text)).casefold()
        if unicodedata.category(each) not in ("Cc", "Cf") and not each.isspace()
    )
    if len(seen) > 2 and seen[0] == seen[-1] and seen[0] in "'\"":
        seen = seen[1:-1]
    return seen.rstrip(".,;:!?") or seen


def composed(text: str) -> str:
    """A text with one form of each letter, dash and quote, such as eyes hardly tell apart."""
    return unicodedata.normalize("NFC", text.translate(_FORMS))


def look_missing(texts: Sequence[str]) -> BoolArray:
    """Tell which of n texts may stand for a missing value, shape (n,).

    "-" and longer ones do not beside "+", as a sign.
    """
    stripped = [text.strip() for text in texts]
    known = MISSING - _DRAWN if "+" in stripped else MISSING
    return np.array([text in known for text in stripped], dtype=bool)
