"""Delimited text that is broken in every way, and what either reader makes of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets import Request, Table
from gdcurves.datasets.formats import arrow_text, delimited, quotes
from gdcurves.datasets.table import read_table
from gdcurves.errors import UserError

REQUEST = Request("f.csv", "y")
MANY = 50_000
_KEEP = 1 << 20

# fmt: off
NUMBERS = ["1", "2", "0", "-1", "1.0", "2.50", "3.25", "7.125", "1e3", "-0.0", "+4", ".5", "5.",
           "01", "001", "007", "9007199254740992", "9007199254740993", "1e400", "9" * 25]
TEXTS = ["u", "v", "w w", "é", "日本", "NA", "nan", "inf", "null", "-", "true", "0x1f", "1_0",
         "1,5", "1;5", "2024-01-31", "\ufeff", "\x1c", "5\" pipe", "a\tb", "'", "\\"]
QUOTED = ['"u"', '"v"', '"1"', '"2.5"', '""', '"a""b"', '"""a"', '"a"""', '"one\ntwo"',
          '"one\r\ntwo"', '"one\rtwo"', '"\n"', '"x,y"', '"x;y"', '"?"', '" u "', '"é"', '"\r\n"']
WRONG = ['"u', 'u"', '"', '"u"v', '"u" ', ' "u"', '\t"u"', '"u""', '""u"', '"""', 'a"b"c', "\0",
         '"a,', '"a\n', "\r", '\xa0"u"']
# fmt: on
EMPTY = ["", "", "?", " ?", " ", "\t"]


def text(rng: random.Random) -> bytes:
    """Draw a file: mostly rows that fit, some cells of which are broken, or its bytes are."""
    separator = rng.choice(",,,;\t")
    line = rng.choice(["\n", "\n", "\r\n", "\r\n", "\r"])
    columns = [_column(rng) for _ in range(rng.randint(1, 4))]
    titles = ["y", *rng.sample(["a", "b b", "id", "X", "Unnamed: 0", "c", "d"], len(columns))]
    rng.shuffle(titles)
    if rng.random() < 0.1:
        titles[rng.choice([0, 0, -1])] = ""
    rows = [[_quoted(rng, each) for each in titles]]
    wrong = rng.choice([0.0, 0.0, 0.0, 0.02, 0.1])
    for number in range(rng.choice([1, 2, 5, 12, 12, 40, 150])):
        row = [each(number) for each in (lambda _: rng.choice("npq"), *columns)]
        for i in range(len(row)):
            if rng.random() < wrong:
                row[i] = rng.choice(rng.choice([WRONG, QUOTED, EMPTY, TEXTS]))
        if rng.random() < wrong / 10:
            row = row[:-1] if rng.random() < 0.5 else [*row, ""]
        rows.append(row)
        if rng.random() < wrong:
            rows.append(rng.choice([[""], [" "], [""] * len(titles)]))
    made = line.join(separator.join(row) for row in rows)
    if rng.random() < 0.8:
        made += line
    content = made.encode()
    if rng.random() < 0.2:
        content = quotes.MARK + content
    if rng.random() < 0.05:
        content = made.encode(rng.choice(["latin-1", "cp1252", "utf-16"]), "replace")
    if rng.random() < 0.1:
        at = rng.randrange(len(content))
        content = content[:at] + rng.choice([b'"', b"\r", b"\n", b"\xff", b"", b","]) + content[at:]
    return content


def _column(rng: random.Random) -> Callable[[int], str]:
    """Draw what gives the cell of a row."""
    step = rng.choice([1, 2, 2**53])
    return rng.choice(
        [
            lambda _: rng.choice(NUMBERS[:8]),
            lambda _: f"{rng.random():.3f}",
            lambda _: str(rng.randrange(300)),
            lambda _: f"{rng.randrange(300):03d}",
            lambda _: rng.choice(NUMBERS),
            lambda number: str(number * step),
            lambda _: rng.choice(TEXTS[:3]),
            lambda _: rng.choice(QUOTED),
            lambda _: rng.choice(rng.choice([NUMBERS[:4], EMPTY])),
            lambda _: rng.choice(rng.choice([NUMBERS, EMPTY, TEXTS, QUOTED])),
            lambda _: f'"{rng.choice(NUMBERS[:8])}"',
        ]
    )


def _quoted(rng: random.Random, title: str) -> str:
    return f'"{title}"' if rng.random() < 0.2 else title


def outcome(content: bytes, careful: bool, block: int, sample: int) -> tuple[Any, ...]:
    """Return all that a reader makes of a text, its message where it refuses it.

    Arrow reads `block` bytes at a time, and takes what the first `sample` bytes show for the whole.
    """
    patches = [
        mock.patch.object(arrow_text, "_BLOCK", block),
        mock.patch.object(arrow_text, "_SAMPLE", sample),
        mock.patch.object(quotes, "PIECE", block),
    ]
    if careful:
        patches.append(mock.patch.object(delimited, "plain_quotes", return_value=None))
    for each in patches:
        each.start()
    try:
        raw = delimited.read(content, "f", MISSING_TEXTS, ("y",))
        table = read_table("f", raw, "file", REQUEST)
    except UserError as error:
        return (str(error),)
    finally:
        for each in patches:
            each.stop()
    check_tally(raw.columns, raw.n_rows, table)
    refused = {name: str(error) for name, error in table.refused.items()}
    return table.sha256, table.kinds, table.labels, table.dropped, refused, table.notes


def check_tally(columns: Any, n_rows: int, table: Table) -> None:
    """Fail unless every row and column that was read has a place in the table."""
    assert len(table.frame) == n_rows
    places = [table.target, *table.kinds, *table.dropped, *table.refused]
    assert sorted(places) == sorted(columns)


def respelt(rng: random.Random, content: bytes) -> bytes:
    """Write numbers of some lines in another way: decimal commas, signs between thousands."""
    ways = [(b".", b","), (b".", b",5."), (b".25", b".250"), (b".", b".125,"), (b"2", b"2,250")]
    before, after = rng.choice(ways)
    share = rng.choice([0.1, 0.9, 1.0])
    header, *lines = content.split(b"\n")
    others = [line.replace(before, after) if rng.random() < share else line for line in lines]
    return b"\n".join([header.replace(b",", b";"), *others])


def ended(rng: random.Random, content: bytes) -> bytes:
    """End lines, but mostly not the header, with a separator, or with several."""
    end, share = rng.choice([b",", b",", b";", b"\t", b", ,"]), rng.choice([0.9, 1.0, 1.0])
    header, *lines = content.split(b"\n")
    rows = [line + end if rng.random() < share else line for line in lines[:-1]]
    return b"\n".join([header, *rows, *lines[-1:]])


def extended(rng: random.Random, content: bytes) -> bytes:
    """Add lines that are no rows, or hardly: the header, lines drawn, units, totals and notes."""
    header, *lines = content.split(b"\n")
    separator = max(b",;\t", key=header.count)
    sign = bytes([separator])
    n = header.count(sign)
    for _ in range(rng.choice([1, 1, 2, 4])):
        texts = rng.choice(
            [[b"---"] * (n + 1), [b"kg", b"cm", b"", b"%"], [b"Total", b"1.5", b"2"], [b"Mean"]]
        )
        line = rng.choice(
            [
                *(header, sign.join([*texts, *[b""] * n][: n + 1]), b"---", b"* a note", sign * n),
                *(b"Total" + sign * n, b"Source: us", b"--+--", b"n", b"2", header.lower()),
            ]
        )
        at = rng.choice([0, len(lines), len(lines), rng.randint(0, len(lines))])
        lines[at:at] = [line]
    return b"\n".join([header, *lines])


def difference(
    seed: int, people: bool = False, ends: bool = False, extra: bool = False
) -> tuple[bytes, Any, Any] | None:
    """Read one text both ways; the text and both outcomes where they differ.

    `people` is whether its numbers are written as people write them, and `ends` whether rows end
    with separators of which the header knows nothing. `extra` is whether some lines are
    no rows.
    """
    rng = random.Random(seed)
    content = text(rng)
    if ends:
        content = ended(rng, content)
    if extra:
        content = extended(rng, content)
    if people:
        content = respelt(rng, content.replace(b",", b";"))
    how = {"block": rng.choice([64, 200, _KEEP]), "sample": rng.choice([20, 100, _KEEP])}
    fast, slow = (outcome(content, careful, **how) for careful in (False, True))
    return None if fast == slow else (content, fast, slow)


def broken_csv(_: Path) -> Iterator[tuple[str, str, bool]]:
    """Compare both readers on many texts."""
    seed = int(np.random.default_rng().integers(2**32))
    differ = sum(
        difference(seed + i, i % 4 == 0, i % 4 == 1, i % 3 == 0) is not None for i in range(MANY)
    )
    yield (
        f"{MANY:,} broken CSV files (seed {seed}): the fast reader beside the careful one",
        f"differ in {differ}; rows and columns of all others have their places",
        differ == 0,
    )
