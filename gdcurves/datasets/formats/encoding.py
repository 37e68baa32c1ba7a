"""Texts of any encoding, brought to UTF-8, which is what the readers of texts take."""

from __future__ import annotations

import codecs
from contextlib import suppress

from gdcurves.datasets.formats.quotes import MARK, Content, opened, size, whole
from gdcurves.errors import MisfitError, UserError

_MARKED = {  # the longer ones first, as one begins with the other
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_ADVICE = (
    "save the file as UTF-8, or name its encoding: --encoding cp1252, or `encoding: cp1252`, in"
    " western Europe; cp1250 in central, cp1251 of Cyrillic, shift_jis of Japanese, gb18030 of"
    " Chinese"
)
_SAMPLE = 1000


def in_utf8(content: Content, origin: str, encoding: str | None) -> Content:
    """Return the same text in UTF-8, from the encoding that its mark shows or that is named.

    What stands behind its end, as DOS marks it, or fills its last block with zeros, is no part.

    Raises
    ------
    UserError
        There is no such encoding, the text is not of it, or it is UTF-8, which one of single bytes
        reads as well.
    """
    with opened(content) as stream:
        start = stream.read(_SAMPLE)
    marked = next((name for mark, name in _MARKED.items() if start.startswith(mark)), None)
    shown = start.rstrip(b"\0")
    if marked is None and encoding is None and 3 * shown.count(b"\0") > len(shown):
        first = "be" if start[:1] == b"\0" else "le"
        raise UserError(
            f"{origin}: holds zero bytes, as UTF-16 without its mark does; name the encoding, such"
            f" as --encoding utf-16-{first}, or save the file as UTF-8"
        )
    known = marked or ("utf-8" if encoding is None else _known(encoding))
    if known == "utf-8" or start.startswith(MARK):
        return _without_end(content)
    if known.startswith(("utf-16", "utf-32")) and b"\0" not in start:  # but every comma has some
        raise MisfitError(f"{origin}: is not {known} text; name another encoding", "encoding")
    text = whole(content)
    if _of_single_bytes(known) and _is_utf8(text):
        raise MisfitError(
            f"{origin}: is UTF-8 text, from which {known} would make other letters; leave out the"
            " encoding (--encoding)",
            "encoding",
        )
    try:
        return _without_end(text.decode(known).encode())
    except UnicodeError as error:
        raise MisfitError(_unfit(text, origin, known, error), "encoding") from error


def _of_single_bytes(encoding: str) -> bool:
    """Whether most bytes are a letter each, so that nearly any text is read without an error."""
    upper = bytes(range(128, 256))
    try:
        letters = upper.decode(encoding, "replace")
    except UnicodeError:  # as those for names of the internet
        return False
    return len(letters) == len(upper) > 2 * letters.count("\ufffd")


def _is_utf8(text: bytes) -> bool:
    """Whether it has letters beyond ASCII, and all of them as UTF-8 has them."""
    try:
        return not text.isascii() and bool(text.decode())
    except UnicodeDecodeError:
        return False


def _without_end(content: Content) -> Content:
    """The text without marks of its end and zeros behind the last line."""
    with opened(content) as stream:
        stream.seek(max(0, size(content) - _SAMPLE))
        end = stream.read().rstrip(b"\r\n")
    has_end = end[-1:] in (b"\0", b"\x1a")
    return whole(content).rstrip(b"\0\x1a\r\n") + b"\n" if has_end else content


def _known(encoding: str) -> str:
    """Python's name of an encoding of texts; raises MisfitError where there is none."""
    try:
        with suppress(UnicodeError):
            b" ".decode(encoding)  # one of bytes alone is none
        return codecs.lookup(encoding).name
    except (LookupError, ValueError) as error:  # the latter: a zero byte in the name
        raise MisfitError(
            f"encoding {encoding!r}: there is none of this name; usual ones are utf-8, cp1252,"
            " latin-1, utf-16, cp1250, cp1251, shift_jis, gb18030",
            "encoding",
        ) from error


def _unfit(content: bytes, origin: str, encoding: str, error: UnicodeError) -> str:
    where = ""
    if isinstance(error, UnicodeDecodeError) and not encoding.startswith(("utf-16", "utf-32")):
        n_lines = content.count(b"\n", 0, error.start) + 1
        where = f", line {n_lines}"
    return f"{origin}{where}: is not {encoding} text; name another encoding"


def not_utf8(line: int, byte: int, origin: str) -> UserError:
    """Return the error for a line that holds a byte which is not UTF-8."""
    return UserError(f"{origin}, line {line}: is not UTF-8 text (byte {byte:#04x}); {_ADVICE}")
