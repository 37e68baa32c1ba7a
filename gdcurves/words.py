"""Counting and suggesting, in words."""

from __future__ import annotations

import difflib
import json
import re
import shlex
import unicodedata
from collections.abc import Iterable, Sequence

MOST_SHOWN = 30

_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_NOT_ASCII = re.compile("[^\0-\x7e]")


# Keys of configs as messages name them, with the options that do the same.
DROP = "'drop' (--drop)"
DISCRETE = "'discrete' (--discrete)"
CONTINUOUS = "'continuous' (--continuous)"
MISSING_TEXT = "'missing_texts' (--missing-text)"


def counted(n: int, noun: str) -> str:
    """Return a number with its noun: "1 class", "2 classes", "1,000 rows"."""
    ending = "" if n == 1 else "es" if noun.endswith("s") else "s"
    return f"{n:,} {noun}{ending}"


def roughly(value: float) -> str:
    """Spell a number that is no more than a guess: two digits."""
    return f"{float(f'{value:.2g}'):,.0f}"


def spelt(value: float) -> str:
    """Spell a value of a measure: three decimals, or four where it would be zero but is not."""
    return f"{value:z.3f}" if abs(value) >= 0.0005 else f"{value:z.4f}".removesuffix("0")


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return parts with commas, and a word before the last one."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def first_of(names: Sequence[str], most: int) -> list[str]:
    """Return so many names, and how many others there are; all where that would be one."""
    if len(names) <= most + 1:
        return [*names]
    return [*names[:most], counted(len(names) - most, "other")]


def quoted(name: str) -> str:
    """A name as a value of an option, in double quotes where that could not be read otherwise."""
    if "," not in name and not name.startswith('"'):
        return name
    within = name.replace('"', '""')
    return f'"{within}"'


def visible(text: str) -> str:
    """A text with escapes for control characters, which terminals obey and YAML files refuse."""
    return _UNSEEN.sub(_escape, text)


def yaml_of(content: object, in_ascii: bool = False) -> str:
    """YAML of texts, or of lists and mappings of them, all in quotes.

    With escapes for all that is not ASCII, or for what `visible` escapes.
    """
    escaped = _NOT_ASCII if in_ascii else _UNSEEN
    return escaped.sub(_escape, json.dumps(content, ensure_ascii=False))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"


def dropping(names: Iterable[str]) -> str:
    """The option that leaves columns out, as it is typed: --drop a,b."""
    return shlex.join(["--drop", ",".join(map(quoted, names))])


def without_value(texts: Iterable[str]) -> str:
    """The options that say of texts that they stand for no value: --missing-text a."""
    return " ".join(
        shlex.join([f"--missing-text={text}"] if text[:1] == "-" else ["--missing-text", text])
        for text in texts
    )


def spans(numbers: Sequence[int], among: Sequence[int]) -> str:
    """Return numbers as stretches of those that they are among: "2, 5 to 20 and 90"."""
    positions = [list(among).index(each) for each in numbers]
    stretches: list[list[int]] = []
    for position in positions:
        if stretches and position == stretches[-1][-1] + 1:
            stretches[-1].append(position)
        else:
            stretches.append([position])
    return listed(
        [
            f"{among[each[0]]:,}" + (f" to {among[each[-1]]:,}" if len(each) > 1 else "")
            for each in stretches
        ]
    )


def _look(word: str) -> str:
    """A word without what cannot be seen, and with one form of each letter and blank."""
    shown = (each for each in word if unicodedata.category(each) != "Cf")
    return unicodedata.normalize("NFKC", "".join(shown))


def suggest(word: str, known: Iterable[str]) -> str:
    """Say what to write instead of `word`: "did you mean 'splits'?", or else all there is.

    Case is no difference: "Pima" is close to "pima". One that eyes cannot tell from `word` is shown
    with escapes.
    """
    names = list(known)
    spellings = {name.casefold(): name for name in names}
    alike = [name.casefold() for name in names if _look(name) == _look(word)]
    close = alike or difflib.get_close_matches(word.casefold(), spellings, n=1)
    if close:
        name = spellings[close[0]]
        shown = ascii(name) if _look(name) == _look(word) else f"'{name}'"
        return f"did you mean {shown}?"
    if not spellings:
        return "there is none to choose from"
    more = len(names) - MOST_SHOWN
    return "choose from " + ", ".join([*names[:MOST_SHOWN], *[f"{more:,} more"] * (more > 0)])
