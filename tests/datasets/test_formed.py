"""Numbers in a wrapping or in Fortran's form, and texts that hold numbers and are none."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gdcurves import datasets
from gdcurves.cli.drafting import Drafting
from gdcurves.datasets import Request, Table
from gdcurves.datasets.remarks import About

RNG = np.random.default_rng(3)
VALUES = RNG.normal(0, 50, 40).round(2)


def look(folder: Path, cells: list[str], **options: object) -> Table:
    """Read cells beside a number and a class, between tabs; quotes within cells as CSV has them."""
    quoted = [f'"{cell.replace(chr(34), 2 * chr(34))}"' if '"' in cell else cell for cell in cells]
    lines = [f"{i % 7}.5\t{cell}\t{'np'[i % 2]}" for i, cell in enumerate(quoted)]
    path = folder / "my.csv"
    path.write_text("\n".join(["a\tb\ty", *lines]) + "\n")
    return datasets.look(Request(str(path), "y", **options))  # type: ignore[arg-type]


FULL_WIDTH = str.maketrans({each: chr(ord(each) + 0xFEE0) for each in "0123456789.-"})
ARABIC = str.maketrans({**{str(i): chr(0x660 + i) for i in range(10)}, ".": "\u066b"})
DEVANAGARI = str.maketrans({str(i): chr(0x966 + i) for i in range(10)})


def fortran(value: float) -> str:
    return f"{value:.3E}".replace("E", "D")


@pytest.mark.parametrize(
    "write",
    [
        lambda value: f'="{value}"',
        lambda value: f'"{value}"',
        lambda value: f"'{value}",
        lambda value: f"'{value}'",
        lambda value: f"\u2019{value}",
        lambda value: f"={value}",
        lambda value: f'="{str(value).replace(".", ",")}"',
        fortran,
        lambda value: fortran(value).lower(),
        lambda value: f'="{fortran(value)}"',
        lambda value: f"\u200e{value}",  # as Windows copies numbers
        lambda value: f"\u202a{value}\u202c",
        lambda value: f"\ufeff{value}",
        lambda value: str(value).translate(FULL_WIDTH),
        lambda value: f"'{str(value).translate(FULL_WIDTH)}",
        lambda value: str(value).translate(ARABIC),
        lambda value: str(value).translate(DEVANAGARI),
    ],
)
def test_numbers_in_a_wrapping_are_numbers(tmp_path: Path, write: Callable[[float], str]) -> None:
    """Their values are those that were written, and the note shows how one is read."""
    cells = [write(value) for value in VALUES.tolist()]
    table = look(tmp_path, cells)
    assert table.kinds == {"a": "continuous", "b": "continuous"}
    read = table.frame["b"]
    np.testing.assert_allclose(read, VALUES, rtol=5e-4 if "D" in cells[0].upper() else 0)
    (note,) = table.notes
    assert f"read as numbers: 'b' ({cells[0]!r} as " in note
    texts = look(tmp_path, cells, discrete=("b",))
    assert {*texts.frame["b"].cat.categories} == {*cells}
    some = [
        cell if i % 3 else str(value)
        for i, (cell, value) in enumerate(zip(cells, VALUES, strict=True))
    ]
    if not {",", "\u066b"} & {*cells[0]}:
        assert look(tmp_path, some).kinds["b"] == "continuous"


def test_an_empty_cell_in_a_wrapping_is_missing(tmp_path: Path) -> None:
    cells = ['=""' if i % 10 == 3 else f'="{value}"' for i, value in enumerate(VALUES.tolist())]
    read = look(tmp_path, cells).frame["b"]
    assert np.isnan(read).to_numpy().nonzero()[0].tolist() == [3, 13, 23, 33]


@pytest.mark.parametrize(
    "cell", ["{}D{}", "TL{}{}", "Rs{}{}", "'{}{}a", '="u{}{}"', "={}+{}", "x'{}{}"]
)
def test_codes_are_no_numbers(tmp_path: Path, cell: str) -> None:
    cells = [cell.format(i % 5, i % 3) for i in range(40)]
    assert look(tmp_path, cells).kinds["b"] == "discrete"


SEVERAL = {
    "blood pressure": lambda i: f"{110 + i % 40}/{70 + i % 9}",
    "range": lambda i: f"{i % 9}-{i % 9 + 3}",
    "en dash": lambda i: f"{i % 9}\u2013{i % 9 + 3}",
    "mean and deviation": lambda i: f"{i % 9}.5 (0.{i % 4})",
    "plus and minus": lambda i: f"{i % 9}.5 \u00b1 0.{i % 4}",
    "interval": lambda i: f"({-i % 4}.5, {i % 9}.25)",
    "signs": lambda i: f"{'-' * (i % 2)}{i % 9}.5; {'-' * (i % 3 == 0)}{i % 7}.25",
    "size": lambda i: f"{i % 9} x {i % 7} cm",
    "words": lambda i: f"{i % 9} to {i % 9 + 5}",
    "fraction": lambda i: f"{i % 5 + 1} {i % 3 + 1}/4",
}


@pytest.mark.parametrize("of", SEVERAL.values(), ids=SEVERAL)
def test_several_numbers_in_a_cell_are_told(tmp_path: Path, of: Callable[[int], str]) -> None:
    """The columns that the note asks for are numbers, and the option that it names silences it."""
    cells = [of(i) for i in range(40)]
    table = look(tmp_path, cells)
    assert table.kinds.get("b", "discrete") == "discrete"
    (remark,) = [each for each in table.remarks if each.kind == About.SEVERAL]
    assert f"40 of 40 cells hold several numbers, such as {cells[0]!r}" in remark.text
    assert "write each of them into a column of its own" in remark.text
    assert "(--discrete)" in remark.text
    assert not look(tmp_path, cells, discrete=("b",)).notes


@pytest.mark.parametrize(
    "of",
    [
        lambda i: f"A{i % 9}-{i % 4}",
        lambda i: f"{i % 9}.{i % 3}.{i % 5}",
        lambda i: ["1-2", "u", "v", "w"][i % 4],
        lambda i: ["1-2", "3-4"][i % 2],
        lambda i: f"{i % 9}{'abcd'[i % 4]}{i % 3}{'xyz'[i % 3]}",
    ],
)
def test_other_texts_are_not(tmp_path: Path, of: Callable[[int], str]) -> None:
    assert not look(tmp_path, [of(i) for i in range(40)]).notes


BOUNDS = {
    "many numbers": lambda i: "<0.5" if i % 5 == 0 else f"{i}.25",
    "few numbers": lambda i: "<0.5" if i % 5 == 0 else f"{i % 4}.25",
    "mostly bounds": lambda i: f"{i % 4}.25" if i % 5 == 0 else "<0.5",
    "bounds alone": lambda i: [f"<{i % 9}.5", "< 1", f"<= {i % 7}", "\u22655 mg"][i % 4],
    "ages": lambda i: "90+" if i % 7 == 0 else str(30 + i % 60),
}


@pytest.mark.parametrize("of", BOUNDS.values(), ids=BOUNDS)
def test_bounds_are_told_with_what_makes_numbers(tmp_path: Path, of: Callable[[int], str]) -> None:
    """A column of many numbers is refused for them; the options that are named make it numbers."""
    cells = [of(i) for i in range(40)]
    table = look(tmp_path, cells)
    (said,) = [*map(str, table.refused.values()), *table.notes]
    assert "write a number in place of each bound, half of a limit of detection" in said
    assert "continuous" not in table.kinds.get("b", "")
    named = said.partition("count them as missing: ")[2].partition(";")[0]
    words = shlex.split(named)
    assert {*words[::2]} == {"--missing-text"}
    bounds = [cell for cell in dict.fromkeys(cells) if set(cell) & set("<\u2265+")]
    assert words[1::2] == bounds[:3]
    if len(bounds) == 1:
        request = Drafting(str(tmp_path / "my.csv"), "y", missing_text=words[1::2]).request
        made = datasets.look(request)
        numbers = [float("nan") if cell in bounds else float(cell) for cell in cells]
        np.testing.assert_array_equal(made.cells("b"), numbers)


def test_several_units_are_told(tmp_path: Path) -> None:
    cells = [f"{i % 8 + 1}.5 kg" if i % 2 else f"{i}50 g" for i in range(40)]
    (note,) = look(tmp_path, cells).notes
    assert "without 'kg' and 'g'; take that out of the cells" in note or (
        "without 'g' and 'kg'; take that out of the cells" in note
    )


# Of HI and Mathlevel in Ecdat, infert and esoph in R, DanishWelfare in vcd: classes, in order.
CLASSES = {
    "education": ["<9years", "9-11years", "12years", "13-15years", "16years", ">16years"],
    "schooling": ["0-5yrs", "6-11yrs", "12+ yrs"],
    "level": ["170", "171a", "172", "171b", "172b", "221a", "221b"],
    "age": ["25-34", "35-44", "45-54", "55-64", "65-74", "75+"],
    "alcohol": ["<1", "1-2", ">2"],
    "dose": ["0.0cwt", "0.2cwt", "0.4cwt", "0.6cwt"],
}


@pytest.mark.parametrize("texts", CLASSES.values(), ids=CLASSES)
def test_classes_of_numbers_are_levels(tmp_path: Path, texts: list[str]) -> None:
    table = look(tmp_path, [texts[i * i % 13 % len(texts)] for i in range(70)])
    assert table.kinds["b"] == "discrete"
    assert not table.notes


@pytest.mark.parametrize("spoilt", ["<1", "x"])
def test_few_numbers_with_a_text_among_them_are_told(tmp_path: Path, spoilt: str) -> None:
    """Scores, one of which is none; and many different texts are no levels however many rows."""
    (note,) = look(tmp_path, [spoilt if i == 9 else str(i % 5) for i in range(70)]).notes
    assert f"'{spoilt}'" in note
    (note,) = look(tmp_path, [f"{i * i % 47}-{i * i % 47 + 2}" for i in range(230)]).notes
    assert "hold several numbers" in note
