"""Which kind a column is of, by its cells, and what about that is doubtful."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.datasets.columns import formed, grouplike, outlying, rownumbers
from gdcurves.datasets.columns.cells import level, levels, missing_numbers
from gdcurves.datasets.columns.texts import Column, Texts
from gdcurves.datasets.raw import Where
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.written import spelling
from gdcurves.datasets.written.whole import FEW_NUMBERS, LEVELS, PROBE, SCORES, are_few, are_whole
from gdcurves.errors import UserError
from gdcurves.words import CONTINUOUS, DISCRETE, DROP, MISSING_TEXT, counted

MOST_LEVELS = 1000
"""Texts of more different values are not taken for levels unless this is asked for."""

_FIRST_DAY, _LAST_DAY = 1800_01_01, 2199_12_31


def infer(column: Column, where: Where) -> Kind | None:
    """Tell a column's kind from its cells; None where all are missing.

    Numbers are continuous, unless all are whole and there are at most two different ones, or some
    begin with zeros, as codes do, and they are few or repeat; these and texts are discrete.

    Raises
    ------
    UserError
        Most cells are dates, or numbers that would make the column continuous, but not all; or
        there are too many different texts.
    """
    if isinstance(column.cells, np.ndarray):
        return _kind_of_numbers(column.cells, column.missing)
    texts = column.texts
    if not texts.written:
        return None
    if texts.plain.all() and not texts.collapse:
        return "discrete" if _are_codes(texts) else _kind_of_numbers(texts.numbers, column.missing)
    if texts.continuous and texts.plain.sum() > texts.loose.sum():
        raise _exceptions(texts, where)
    if texts.continuous and texts.are_amounts and texts.like.sum() > FEW_NUMBERS:
        raise _otherwise(texts, where)
    dates = _dates(texts)
    if texts.mostly(dates):
        row, text = texts.first(dates)
        raise where.error(
            row,
            f"dates or times such as {text!r} in {texts.share(dates)} have no place among the"
            f" inputs; make numbers of them, or name the column under {DROP} or {DISCRETE}",
        )
    if len(texts.written) > MOST_LEVELS:
        how = texts.how if texts.continuous else formed.instead(texts, texts.bounds | texts.several)
        advice = f" if these are numbers, {how};" * bool(how)
        raise where.error(
            None,
            f"holds {len(texts.written):,} different texts such as {texts.written[0]!r};{advice}"
            f"{_as_groups(column, where.column)} name it under {DROP}, or under {DISCRETE}"
            " if it is to be used all the same",
        )
    return "discrete"


def _are_codes(texts: Texts) -> bool:
    """Whether numbers are whole, some begin with a zero, and they are few or repeat.

    That is, stand in two rows each on average: measurements that a program has filled up with zeros
    hardly do.
    """
    if not spelling.are_padded(texts.written).any() or not are_whole(texts.numbers):
        return False
    repeat = len(texts.written) <= min(texts.counts.sum() / 2, MOST_LEVELS)
    return bool(repeat or are_few(texts.numbers))


def _dates(texts: Texts) -> BoolArray:
    """Which texts are dates or times, shape (k,)."""
    return np.array([spelling.is_date(text) for text in texts.written], dtype=bool)


def _as_groups(column: Column, name: str) -> str:
    """Advise to take a column for groups where it looks like some; say nothing elsewhere."""
    if grouplike.group_sizes(name, column.cells, column.missing) is None:
        return ""
    option = f"--groups {shlex.quote(name)}"
    return f" if its equal values are rows that belong together, give {option} (`groups`); else"


def _exceptions(texts: Texts, where: Where) -> UserError:
    """Return the error for a column of numbers, but for a few texts."""
    row, text = texts.first(~texts.plain)
    others = texts.named(~texts.plain, where, 1)
    parts = [
        f"{text!r} is no number, and {texts.share(texts.plain)} are",
        *([f"no numbers either: {others}"] if others else []),
        *([texts.how] if texts.loose.any() else []),
        *([formed.instead(texts, texts.bounds)] if texts.bounds.any() else []),
        f"correct it, or add it to {MISSING_TEXT}, or name the column under {DROP} or {DISCRETE}",
    ]
    return where.error(row, "; ".join(parts))


def _otherwise(texts: Texts, where: Where) -> UserError:
    """Return the error for a column of numbers that are not all written in one way."""
    row, text = texts.first(texts.loose)
    others = texts.named(~texts.loose, where)
    parts = [
        f"{texts.share(texts.like)} look like numbers, such as {text!r}, but not all in one way",
        *([f"the others: {others}"] if others else []),
        texts.how,
        f"write them so, or add what stands for none to {MISSING_TEXT}, or name the column under"
        f" {DROP}, or under {DISCRETE} if texts are meant",
    ]
    return where.error(row, "; ".join(parts))


def doubt(
    column: Column, where: Where, declared: Collection[str] = (), by_source: bool = False
) -> Remark | None:
    """Say what the user should look at in a column that is used as its cells show; None: nothing.

    Of its cells: texts that are numbers in another way of writing, levels that may stand for
    missing values and are not among those that the source has declared, and numbers that are dates
    or count the rows; and, where texts are so `by_source`, as in Parquet, that all are numbers,
    or most are dates.
    """
    if isinstance(column.cells, np.ndarray):
        return _doubt_of_numbers(column.cells, where)
    texts = column.texts
    if texts.collapse:
        return where.remark(
            About.TEXTS,
            None,
            f"whole numbers such as {texts.written[0].strip()!r} are too large to be told apart as"
            f" numbers, and are read as texts; name the column under {DISCRETE} or {DROP} if that"
            f" is meant, else under {CONTINUOUS}",
            "large",
        )
    as_texts = by_source and not declared and len(texts.written) > 0
    if as_texts and texts.are_numbers:
        row, text = texts.first(np.ones(len(texts.written), dtype=bool))
        return where.remark(
            About.TEXTS,
            row,
            f"all texts are numbers, such as {text!r}, and are read as levels, as the source has"
            f" them as texts; name the column under {CONTINUOUS} if numbers are"
            f" meant, else under {DISCRETE}",
            "by source",
        )
    if as_texts and texts.mostly(dates := _dates(texts)):
        row, text = texts.first(dates)
        return where.remark(
            About.DATES,
            row,
            f"dates or times such as {text!r} in {texts.share(dates)} are read as levels, as the"
            f" source has them as texts; make numbers of them, or name the column under {DROP}"
            f" or {DISCRETE}",
            "by source",
        )
    if texts.plain.all():
        padded = spelling.are_padded(texts.written)
        if padded.any() and are_whole(texts.numbers) and not are_few(texts.numbers):
            row, text = texts.first(padded)
            start = f"whole numbers begin with zeros, such as {text!r}, and are read as"
            if _are_codes(texts):
                return where.remark(
                    About.PADDED,
                    row,
                    f"{start} levels, as codes are; if they are measured or counted, name the"
                    f" column under {CONTINUOUS}, else under {DISCRETE}",
                    "levels",
                )
            return where.remark(
                About.PADDED,
                row,
                f"{start} numbers; if they are codes, name the column under {DISCRETE}, else under"
                f" {CONTINUOUS}",
            )
        values = np.full(len(column.cells), np.nan)
        values[: texts.counts.sum()] = np.repeat(texts.numbers, texts.counts)
        return _doubt_of_numbers(values, where)
    if not declared and (odd := formed.doubt(texts, where)) is not None:
        return odd
    if not texts.numeric or texts.are_levels or (declared and not texts.loose.any()):
        return None if declared or identifies(column) else _doubt_of_levels(texts, where)
    row, text = texts.first(texts.loose if texts.loose.any() else texts.plain)
    others = texts.named(~texts.like, where)
    parts = [
        f"{texts.share(texts.like)} look like numbers, such as {text!r}, and are read as texts",
        *([f"the others: {others}"] if others else []),
        texts.how,
        f"name the column under {DISCRETE} if texts are meant, or {DROP}",
    ]
    return where.remark(About.TEXTS, row, "; ".join(parts))


def _doubt_of_levels(texts: Texts, where: Where) -> Remark | None:
    if not texts.absent.any():
        return None
    row, _ = texts.first(texts.absent)
    absent = " or ".join(map(repr, texts.stripped(texts.absent)))
    return where.remark(
        About.MISSING_LEVEL,
        row,
        f"{texts.share(texts.absent)} hold {absent}, taken for a level of its own; add it to"
        f" {MISSING_TEXT} if it stands for a missing value, or name the column under {DISCRETE}",
    )


def empty_level(column: Column, where: Where) -> Remark | None:
    """Say how many cells of levels are empty, and so one of them; None where none is."""
    if isinstance(column.cells, np.ndarray):
        return None
    texts = column.texts
    empty = np.array([not text.strip() for text in texts.written], dtype=bool)
    if not empty.any():
        return None
    row, _ = texts.first(empty)
    return where.remark(
        About.MISSING_LEVEL,
        row,
        f"{texts.share(empty)} are empty, and count as a level of their own; add '' to"
        f" {MISSING_TEXT} if they stand for missing values",
        "empty",
    )


def _doubt_of_numbers(values: FloatArray, where: Where) -> Remark | None:
    if not are_whole(values[:PROBE]):
        return None
    given = values[np.isfinite(values)]
    if len(given) <= FEW_NUMBERS or (given != np.floor(given)).any():
        return None
    low, high = given.min(), given.max()
    n = len(values)
    advice = f"name it under {DROP} if it is no input, under {CONTINUOUS} if it is one"
    if low >= _FIRST_DAY and high <= _LAST_DAY and spelling.are_dates(given):
        remark = f"the numbers look like dates, such as {given[0]:.0f}; {advice}"
        return where.remark(About.DATES, None, remark)
    if high - low == n - 1 and len(np.unique(given)) == n:
        return where.remark(
            About.ROW_NUMBERS,
            None,
            f"holds each number from {low:.0f} to {high:.0f} once, as numbers of rows do; {advice}",
            "each once",
        )
    return None


def measured(texts: Sequence[str]) -> bool:
    """Tell whether all texts are numbers, and more or others than codes of classes would be."""
    plain, otherwise = spelling.numbers(texts), spelling.numbers_otherwise(texts)
    values = np.where(np.isnan(plain), otherwise, plain)
    return not np.isnan(values).any() and not are_few(values)


def _kind_of_numbers(values: FloatArray, missing: Collection[str]) -> Kind | None:
    codes = missing_numbers(missing)
    if codes:
        values = np.where(np.isin(values, codes), np.nan, values)
    if np.isnan(values).all():
        return None
    return "discrete" if are_few(values, LEVELS) else "continuous"


def outliers(column: Column, where: Where, target: Column) -> Remark | None:
    """Say so where numbers in a column stand far outside the others, as codes do.

    One that all rows of a class of the target have, and no others, is not to be taken for a missing
    value, without which that class has no rows.
    """
    values = column.numbers
    codes = outlying.codes(values)
    if not len(codes):
        return None
    are_codes = np.isin(values, codes)
    others = values[~are_codes & np.isfinite(values)]
    texts = [level(code) for code in codes.tolist()]
    shown, options = " and ".join(texts), "".join(f" --missing-text {text}" for text in texts)
    told = (
        f"{shown} in {counted(int(are_codes.sum()), 'cell')} stands far outside the others, from"
        f" {others.min():g} to {others.max():g}"
    )
    if (label := _class_of(codes, column, target)) is not None:
        return where.remark(
            About.CODES,
            None,
            f"{told}, in the rows of class {label!r} alone and in all of them, none of which would"
            f" be left if it were a missing value; name the column under {CONTINUOUS} or {DROP}",
            "of a class",
        )
    return where.remark(
        About.CODES,
        None,
        f"{told}; if it stands for a missing value, leave these"
        f" cells empty, or give{options} (`missing_texts`), which holds for all columns; else name"
        f" the column under {CONTINUOUS}",
    )


def _class_of(codes: FloatArray, column: Column, target: Column) -> str | None:
    """The label of a target whose rows are those of one of `codes` (k,) in a column; None if none.

    Of labels that repeat.
    """
    known, goal = levels(column.cells, column.missing), levels(target.cells, target.missing)
    n_labels = len(goal.categories)
    if not n_labels:
        return None
    full = (known.codes >= 0) & (goal.codes >= 0)
    sizes = np.bincount(goal.codes[goal.codes >= 0], minlength=n_labels)
    for code in np.flatnonzero(np.isin(spelling.numbers([*known.categories]), codes)):
        of_label = np.bincount(goal.codes[full & (known.codes == code)], minlength=n_labels)
        label = int(of_label.argmax())
        if of_label[label] == sizes[label] == of_label.sum() > 1:
            return str(goal.categories[label])
    return None


AMOUNT, ROUND = 1000, 10


def scores(column: Column) -> tuple[float, float] | None:
    """The least and the largest of whole numbers of few values in a column; None for others.

    Round numbers up to thousands are amounts, as of income in classes.
    """
    values = column.numbers
    if np.isinf(values).any() or not are_few(values, SCORES) or are_few(values, LEVELS):
        return None
    if np.nanmax(values) >= AMOUNT and not np.nanmax(values % ROUND):
        return None
    return float(np.nanmin(values)), float(np.nanmax(values))


def may_be_codes(column: Column, name: str) -> bool:
    """Tell whether a column holds more than two whole numbers, and its name speaks of codes."""
    if not rownumbers.speaks_of_codes(name):
        return False
    values = column.numbers
    return are_whole(values) and not are_few(values, LEVELS)


def identifies(column: Column) -> bool:
    """Tell whether a column holds texts that never repeat, as names of rows do not."""
    if isinstance(column.cells, np.ndarray):
        return False
    texts = column.texts
    unique = len(texts.written) > FEW_NUMBERS and bool((texts.counts == 1).all())
    return unique and (texts.collapse or not texts.plain.all())
