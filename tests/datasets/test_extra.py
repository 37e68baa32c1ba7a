"""Rows that are no data: what is left of a file without them is what the file is without them."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import openpyxl
import pytest

from gdcurves import datasets
from gdcurves.datasets import Request, Table
from gdcurves.datasets.formats import delimited
from gdcurves.errors import UserError

N = 24
HEADER = "name,weight,height,y"
ROWS = [f"{'uvw'[i % 3]},{i * 37 % 101}.25,{i * i % 19},{'np'[i % 2]}" for i in range(N)]
PLAIN = [HEADER, *ROWS]


def text_of(path: Path, lines: list[str], careful: bool) -> Table:
    path = path / "my.csv"
    path.write_text("\n".join(lines) + "\n")
    with mock.patch.object(delimited, "plain_quotes", return_value=None if careful else 0):
        return datasets.look(Request(str(path), "y"))


def book_of(path: Path, lines: list[str]) -> Table:
    book = openpyxl.Workbook()
    for line in lines:
        cells = line.split(",")
        book.active.append([float(each) if each[:1].isdigit() else each or None for each in cells])
    book.save(path / "my.xlsx")
    return datasets.look(Request(str(path / "my.xlsx"), "y"))


def at(number: int, *lines: str) -> list[str]:
    """The file with more lines, the first of which has this number."""
    return [*PLAIN[: number - 1], *lines, *PLAIN[number - 1 :]]


END = len(PLAIN) + 1
EXTRA = {
    "header again": (at(10, HEADER), "1 repeating the column names ({} 10)"),
    "twice": (at(10, HEADER, HEADER), "2 repeating the column names ({0} 10; {0} 11)"),
    "header with blanks": (at(10, "name, weight,height , y"), "1 repeating the column names"),
    "header at the end": (at(END, HEADER), "1 repeating the column names"),
    "dashes": (at(2, "----,------,------,-"), "1 of dashes ({} 2)"),
    "dashes and gaps": (at(7, "----,,===,"), "1 of dashes ({} 7)"),
    "units": (at(2, ",kg,cm,"), "1 of texts above the numbers, such as units ({} 2, 'kg')"),
    "all units": (at(2, "text,kg,cm,class"), "1 of texts above the numbers"),
    "signs": (at(2, ",%,\u00b0,"), "1 of texts above the numbers"),
    "questions": (
        at(2, "Who are you?,How heavy?,How tall?,Are you well?", "Q1,Q2,Q3,Q4"),
        "2 of texts above the numbers, such as units ({0} 2, 'Who are you?'; {0} 3, 'Q1')",
    ),
    "total": (at(END, "Total,600.5,90,"), "1 of totals ({} 26, 'Total')"),
    "sum in German": (at(END, "Summe:,600.5,90,"), "1 of totals"),
    "several": (
        at(END, ",,,", "Mean,50.5,9.5,", "SD,5.5,1.5,", "N,24,24,"),
        "1 empty beside them ({0} 26) and 3 of totals ({0} 27, 'Mean'; {0} 28, 'SD'; {0} 29, 'N')",
    ),
    "footnote": (at(END, "* by hand,,,"), "1 of notes below the table ({} 26, '* by hand')"),
    "all": (
        at(END, "Total,600.5,90,", ",,,", "* by hand,,,", "Source: us,,,"),
        "1 of totals ({0} 26, 'Total'), 1 empty beside them ({0} 27) and 2 of notes below the",
    ),
}  # fmt: skip


IN_SHEETS = {
    name: each for name, each in EXTRA.items() if not {",,,", "----,,===,"} & {*each[0]}
}  # empty rows are none there, and what begins with = is a formula


def check(lines: list[str], said: str, read: Table, plain: Table, unit: str) -> None:
    """See that what is left is the plain table, and rows are told by the file's own lines."""
    assert read.frame.equals(plain.frame)
    assert (read.sha256, read.kinds, read.labels) == (plain.sha256, plain.kinds, plain.labels)
    (note,) = {*read.notes} - {*plain.notes}
    assert said.format(unit) in note
    n_out = len(lines) - len(PLAIN)
    assert f"{n_out} row{'s' * (n_out > 1)} left out: " in note
    for number in (0, N - 1):
        assert read.location(number).endswith(f"{unit} {lines.index(ROWS[number]) + 1}")


@pytest.mark.parametrize(("lines", "said"), EXTRA.values(), ids=EXTRA)
@pytest.mark.parametrize("careful", [False, True])
def test_rows_that_are_no_data(tmp_path: Path, careful: bool, lines: list[str], said: str) -> None:
    plain, read = (text_of(tmp_path, each, careful) for each in (PLAIN, lines))
    check(lines, said, read, plain, "line")


@pytest.mark.parametrize(("lines", "said"), IN_SHEETS.values(), ids=IN_SHEETS)
def test_rows_of_sheets_that_are_no_data(tmp_path: Path, lines: list[str], said: str) -> None:
    plain, read = (book_of(tmp_path, each) for each in (PLAIN, lines))
    check(lines, said, read, plain, "row")


@pytest.mark.parametrize(
    ("below", "said"),
    [
        (["* by hand"], "1 of notes below the table (line 26, '* by hand')"),
        (["", "Source: us", "(24 rows)"], "2 of notes below the table"),
        (["-----+----+----", "Source: us"], "1 of dashes (line 26) and 1 of notes"),
    ],
)
def test_notes_of_one_cell(tmp_path: Path, below: list[str], said: str) -> None:
    read, plain = text_of(tmp_path, [*PLAIN, *below], False), text_of(tmp_path, PLAIN, False)
    assert read.frame.equals(plain.frame)
    assert said in read.notes[0]


def test_a_table_as_a_database_prints_it(tmp_path: Path) -> None:
    lines = [line.replace(",", " | ") for line in PLAIN]
    lines = [lines[0], "------+-----+------+---", *lines[1:], "(24 rows)"]
    read, plain = text_of(tmp_path, lines, False), text_of(tmp_path, PLAIN, False)
    assert read.sha256 == plain.sha256
    assert (
        "1 of dashes (line 2) and 1 of notes below the table (line 27, '(24 rows)')"
        in (read.notes[0])
    )


@pytest.mark.parametrize("end", [[], ["24 rows in set (0.00 sec)"]])
@pytest.mark.parametrize("above", [[], ["mysql> select * from people;"]])
def test_a_table_in_a_frame(tmp_path: Path, above: list[str], end: list[str]) -> None:
    """As MySQL prints it."""
    frame = "+------+--------+--------+---+"
    lines = [f"| {line.replace(',', ' | ')} |" for line in PLAIN]
    lines = [*above, frame, lines[0], frame, *lines[1:], frame, *end]
    read = text_of(tmp_path, lines, False)
    assert read.sha256 == text_of(tmp_path, PLAIN, False).sha256
    assert len(read.frame) == N


def test_a_title_above_rows_that_end_with_a_separator(tmp_path: Path) -> None:
    lines = ["People 2024", *(f"{line}," for line in PLAIN)]
    assert text_of(tmp_path, lines, False).sha256 == text_of(tmp_path, PLAIN, False).sha256


def test_a_table_of_markdown(tmp_path: Path) -> None:
    lines = [f"| {line.replace(',', ' | ')} |" for line in PLAIN]
    read = text_of(tmp_path, [lines[0], "|---|---|---|---|", *lines[1:]], False)
    assert read.sha256 == text_of(tmp_path, PLAIN, False).sha256
    assert [*read.dropped] == ["column 1", "column 6"]


def test_units_above_bounds(tmp_path: Path) -> None:
    """What else is wrong with such a column is said as without the units."""
    lines = [line.replace(",1,", ",<2,") for line in PLAIN]
    read = text_of(tmp_path, [lines[0], ",kg,cm,", *lines[1:]], False)
    plain = text_of(tmp_path, lines, False)
    assert "1 of texts above the numbers" in "".join(read.notes)
    assert (read.sha256, read.kinds) == (plain.sha256, plain.kinds)
    assert len(read.notes) == len(plain.notes) + 1


def test_totals_within_the_table_are_told(tmp_path: Path) -> None:
    lines = [*PLAIN[:9], "Subtotal,99,5,", *PLAIN[9:17], "Subtotal,80,6,", *PLAIN[17:]]
    for careful in (False, True):
        read = text_of(tmp_path, lines, careful)
        assert len(read.frame) == N + 2
        said = "line 10: 'Subtotal' and numbers beside it may be a total, in 2 rows; take such rows"
        assert said in read.notes[0]
    assert not any("may be a total" in each for each in text_of(tmp_path, PLAIN, False).notes)
    levels = [line.replace("w,", "total,") for line in PLAIN]
    assert not any("may be a total" in each for each in text_of(tmp_path, levels, False).notes)


@pytest.mark.parametrize("careful", [False, True])
def test_codes_above_a_mean_are_codes(tmp_path: Path, careful: bool) -> None:
    """Though a mean of 4.5 among them makes numbers of all, and large ones are no floats."""
    large = [str(2**53 + i % 3) for i in range(N)]
    lines = [f"{i % 9 + 1:02d},{large[i]},{i}.25,{'np'[i % 2]}" for i in range(N)]
    table = ["code,number,x,y", *lines, "Mean,1.5,7.25,"]
    read = text_of(tmp_path, table, careful)
    assert {*read.frame["code"].cat.categories} == {f"{i:02d}" for i in range(1, 10)}
    assert {*read.frame["number"].cat.categories} == {*large}
    table = ["code,number,x,y", *(line[1:] for line in lines), "Total,4.5,7.25,", ",,,"]
    assert read.frame["number"].equals(text_of(tmp_path, table, careful).frame["number"])


LEVELS = ["colour,shape,when,size,y"]
LEVELS += [
    f"{'rgb'[i % 3]},{['oval', 'box'][i // 3 % 2]},2024-01-{i + 1:02d},{i % 7}.5,{'np'[i % 2]}"
    for i in range(N)
]
QUALTRICS = [
    "Which colour?,Which shape?,Recorded Date,How large?,Are you well?",
    ",".join(f"{{'ImportId':'QID{i}'}}".replace("'", '""').join('""') for i in range(5)),
]
SECOND = {
    "questions and ids": QUALTRICS,
    "one row of questions": QUALTRICS[:1],
    "types": ["text,text,date,float,text"],
    "types and roles": ["discrete,discrete,meta,continuous,discrete", ",,,,class"],  # Orange's
    "units and gaps": ["-,-,-,cm,-"],
    "a unit alone": [",,,(cm),"],
}


@pytest.mark.parametrize("rows", SECOND.values(), ids=SECOND)
@pytest.mark.parametrize("n_columns", [5, 3])
def test_second_names_above_levels(tmp_path: Path, rows: list[str], n_columns: int) -> None:
    """With one column of numbers or none, what is left is the table without these rows."""
    kept = [0, 1, 2, 3, 4] if n_columns == 5 else [0, 1, 4]
    lines = [LEVELS[0], *rows, *LEVELS[1:]]
    lines, plain = (
        [",".join([line.split(",")[i] for i in kept]) for line in each] for each in (lines, LEVELS)
    )
    if n_columns == 3 and "cm" in rows[0]:
        pytest.skip("nothing tells that these are no levels")
    read, expected = (text_of(tmp_path, each, False) for each in (lines, plain))
    assert read.frame.equals(expected.frame)
    assert f"{len(rows)} of texts above the data that stand nowhere else" in read.notes[0]
    assert read.location(0).endswith(f"line {len(rows) + 2}")


ALONE = "levels stand in no other row, as words of comments and names of columns; if th"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({9: "# checked,by me,2024-03-01,1.5,twice"}, f"line 9: its {ALONE}is is no row of data"),
        ({2: "1,2,3,4,5"}, f"line 2: its {ALONE}is is no row of data, take it out"),
        ({END: "24,24,24,24,24"}, f"line 26: its {ALONE}is is no row of data, take it out"),
        (
            {5: "#,a,,7.5,comment", 20: "another,here,,1.5,too"},
            f"line 5 and line 20: their {ALONE}ese are no rows of data, take them out",
        ),
    ],
)
@pytest.mark.parametrize("careful", [False, True])
def test_rows_of_levels_that_stand_alone_are_told(
    tmp_path: Path, more: dict[int, str], said: str, careful: bool
) -> None:
    lines = [*LEVELS]
    for number, line in more.items():
        lines.insert(number - 1, line)
    read = text_of(tmp_path, lines, careful)
    assert len(read.frame) == N + len(more)
    assert sum(said in note for note in read.notes) == 1
    assert not any(ALONE in note for note in text_of(tmp_path, LEVELS, careful).notes)
    rare = [line.replace("1.5,", "9.5,") for line in LEVELS]
    rare[4] = "rare,triangle,2024-01-04,3.5,n"  # a label that others have
    assert not any(ALONE in note for note in text_of(tmp_path, rare, careful).notes)


@pytest.mark.parametrize(
    "first",
    [
        "r,triangle,2024-02-01,9.5,n",  # a size
        "q,triangle,2024-02-01,,n",  # a label that others have
        "q,,,,",
        ",,2024-02-01,,",
    ],
)
def test_a_first_row_that_may_be_data_stays(tmp_path: Path, first: str) -> None:
    read = text_of(tmp_path, [LEVELS[0], first, *LEVELS[1:]], False)
    assert len(read.frame) == N + 1


def test_few_levels_show_no_second_names(tmp_path: Path) -> None:
    """A level and a label that one row alone has may be so by chance."""
    rows = [f"{'uv'[i % 2]},{'np'[i // 2 % 2]}" for i in range(N)]
    assert len(text_of(tmp_path, ["x,y", "rare,seldom", *rows], False).frame) == N + 1


def test_column_names_again_in_capitals(tmp_path: Path) -> None:
    read = text_of(tmp_path, at(10, HEADER.upper()), False)
    assert read.frame.equals(text_of(tmp_path, PLAIN, False).frame)
    assert "1 repeating the column names (line 10)" in read.notes[0]


def test_files_that_are_joined_with_their_marks(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    halves = ["\n".join([HEADER, *ROWS[i : i + 12]]) + "\n" for i in (0, 12)]
    path.write_bytes(b"".join(each.encode("utf-8-sig") for each in halves))
    read = datasets.look(Request(str(path), "y"))
    assert read.frame.equals(text_of(tmp_path, PLAIN, False).frame)


@pytest.mark.parametrize("columns", [[0, 1, 2, 3], [0, 2, 3], [0, 1, 3]])
def test_column_names_again_in_another_order(tmp_path: Path, columns: list[int]) -> None:
    """The parts in a folder, as the message says, are the table."""
    plain = [",".join(line.split(",")[i] for i in columns) for line in PLAIN]
    moved = [",".join(reversed(line.split(","))) for line in [plain[0], *plain[13:]]]
    said = r"line 14: the column names once more, in another order, .* name the folder$"
    for careful in (False, True):
        with pytest.raises(UserError, match=said):
            text_of(tmp_path, [*plain[:13], *moved], careful)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "0.csv").write_text("\n".join(plain[:13]) + "\n")
    (tmp_path / "parts" / "1.csv").write_text("\n".join(moved) + "\n")
    read = datasets.look(Request(str(tmp_path / "parts"), "y"))
    assert read.frame.equals(text_of(tmp_path, plain, False).frame)


KEPT = {
    "names of levels": at(10, "name,1.5,2,y"),
    "a row of data": at(10, "Total,1.5,2,n"),
    "a total that repeats": [*at(10, "Total,1.5,2,"), "Total,3.5,4,"],
    "a name": at(END, "Max,1.5,2,"),
    "a label": at(END, "Total,1.5,2,n"),
    "gaps": at(2, "u,,,n"),
    "no text": at(END, "7,,,"),
    "known": at(END, "u,,,"),
}


@pytest.mark.parametrize("lines", KEPT.values(), ids=KEPT)
def test_what_may_be_data_stays(tmp_path: Path, lines: list[str]) -> None:
    read = text_of(tmp_path, lines, False)
    assert len(read.frame) == len(lines) - 1
    assert not any("left out: " in note for note in read.notes)


def test_columns_whose_names_are_their_texts(tmp_path: Path) -> None:
    """A row that says the same as the header is one, where others have these texts too."""
    rows = [f"{'uv'[i % 2]},{'yx'[i // 2 % 2]}" for i in range(N)]
    assert len(text_of(tmp_path, ["u,y", *rows], False).frame) == N


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (at(9, "5.5"), "line 9: 1 cell, but the header names 4 columns; "),
        (at(9, "Source: us"), "line 9: 1 cell, but the header names 4 columns; "),
        (at(END, "u,1.5"), "line 26: 2 cells, but the header names 4 columns; "),
        (at(END, "5.5"), "line 26: 1 cell, but the header names 4 columns; "),
        (at(END, "u"), "line 26: 1 cell, but the header names 4 columns; "),
    ],
)
def test_lines_that_may_be_parts_of_rows_are_refused(
    tmp_path: Path, lines: list[str], said: str
) -> None:
    """Without the line, as the message says, the file is read."""
    with pytest.raises(UserError) as caught:
        text_of(tmp_path, lines, False)
    assert said in str(caught.value)
    assert "take the line out if it is no row" in str(caught.value)
    assert len(text_of(tmp_path, PLAIN, False).frame) == N
