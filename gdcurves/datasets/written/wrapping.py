"""What other programs put around a number, its digits elsewhere, and Fortran's power of ten."""

from __future__ import annotations

import re
import unicodedata

_WRAPPED = re.compile(
    r"=(?P<formula>[-+.,0-9]+)"  # a formula that is a number
    r"|=?[\"\u201c\u201d](?P<guarded>[^\"\u201c\u201d]*)[\"\u201c\u201d]"  # Excel's text guard
    r"|['\u2018\u2019](?P<marked>.*?)['\u2018\u2019]?"  # its mark of a text
)
_FIRST = frozenset("='\"\u2018\u2019\u201c\u201d")
_UNSEEN = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_UNSEEN_OR_WIDE = re.compile(rf"[{_UNSEEN}\u3000\uff01-\uff5e\uffe5]|(?![0-9])\d")
_FORTRAN = re.compile(
    r"(?P<size>[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+))[dD](?P<power>[-+]?[0-9]+)"
    r"|(?P<whole>[-+]?[0-9]+)[dD](?P<signed>[-+][0-9]+)"  # 1D5 may be a code
)


def bare(text: str) -> str:
    """A text without blanks and the wrapping around it: ="1.29", '1.29 and 12.9D-01 are 1.29.

    Marks that cannot be seen are left out, and digits and signs are those of ASCII, of which others
    have forms of their own, as in Japan and in Arabic. Texts without any of these are left as they
    are, but for blanks around them.
    """
    if not text.isascii():
        text = _UNSEEN_OR_WIDE.sub(_in_ascii, text)
    text = text.strip()
    if text[:1] in _FIRST and (match := _WRAPPED.fullmatch(text)) is not None:
        text = next(part for part in match.groups() if part is not None).strip()
    if ("D" in text or "d" in text) and (match := _FORTRAN.fullmatch(text)) is not None:
        size, power, whole, signed = match.groups()
        text = f"{size or whole}E{power or signed}"
    return text


def _in_ascii(match: re.Match[str]) -> str:
    """The digit or sign of ASCII that a character is a form of; nothing for one that is unseen."""
    each = match[0]
    if each.isdecimal():
        return str(unicodedata.decimal(each))
    return "" if unicodedata.category(each) == "Cf" else unicodedata.normalize("NFKC", each)
