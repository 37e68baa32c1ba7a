"""Experiment files: how they are read, and what is said about wrong ones."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from gdcurves.config import FitterConfig, RunConfig, StrictModel, find, load
from gdcurves.errors import UserError
from gdcurves.words import suggest

GOOD = """\
splits: 20
seed: 3
sizes: {start: 2, stop: 9, step: 3}
experiments:
  - name: lenses
    data: contact-lenses
    inputs: discrete
    classes: [soft, hard]
  - name: boston
    inputs: continuous
    threshold: median
    sizes: [2, 5]
fitters:
  - type: naive_bayes
    laplace: 2
  - type: naive_bayes
    name: unsmoothed
    laplace: 0
"""

# The table of the protocol, in the order of the paper's panels.
PANELS = [
    ("pima", "continuous", 2, 59, 3),
    ("adult-continuous", "continuous", 2, 30, 1),
    ("boston", "continuous", 2, 59, 3),
    ("optdigits-0-1", "continuous", 2, 154, 8),
    ("optdigits-2-3", "continuous", 2, 154, 8),
    ("ionosphere", "continuous", 2, 97, 5),
    ("liver-disorders", "continuous", 2, 59, 3),
    ("sonar", "continuous", 2, 102, 5),
    ("adult-discrete", "discrete", 2, 382, 20),
    ("promoters", "discrete", 2, 97, 5),
    ("lymphography", "discrete", 2, 135, 7),
    ("breast-cancer", "discrete", 2, 268, 14),
    ("lenses", "discrete", 2, 23, 1),
    ("sick", "discrete", 2, 116, 6),
    ("voting-records", "discrete", 2, 70, 2),
]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "my.yaml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def error(path: Path) -> str:
    """Return the one line about a wrong file, without the folder."""
    with pytest.raises(UserError) as caught:
        load(path)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{path.parent}/")


def test_values_and_defaults(write):
    config = load(write(GOOD)).config
    lenses, boston = config.experiments
    assert (config.splits, config.seed, config.figure) == (20, 3, "learning_curves")
    assert config.sizes == (2, 5, 8)
    assert (lenses.data, lenses.sizes, lenses.optional) == ("contact-lenses", None, False)
    assert [(each.name, each.labels) for each in lenses.classes] == [
        ("soft", ("soft",)),
        ("hard", ("hard",)),
    ]
    assert (boston.data, boston.classes, boston.threshold) == ("boston", None, "median")
    assert boston.sizes == (2, 5)
    assert [each.name for each in config.fitters] == ["naive_bayes", "unsmoothed"]
    assert [each.options for each in config.fitters] == [{"laplace": 2}, {"laplace": 0}]


def test_case_26_values_are_read_as_yaml_1_2(write):
    # Case 26: 1e3 is a number, "no" is text, a leading zero is no octal number, dates are text.
    text = GOOD.replace("seed: 3", "seed: 1e3").replace("lenses\n", "no\n", 1)
    text = text.replace("splits: 20", "splits: 010").replace("[soft, hard]", "[off, 2001-01-01]")
    config = load(write(text)).config
    assert (config.seed, type(config.seed)) == (1000, int)
    assert config.splits == 10
    assert config.experiments[0].name == "no"
    assert [each.name for each in config.experiments[0].classes] == ["off", "2001-01-01"]


@pytest.mark.parametrize("text", ["1_0", "1_000", "0b11", "1:30", "12_", "0o1_7"])
def test_what_other_yaml_has_for_numbers_is_text(write, text):
    assert error(write(GOOD.replace("splits: 20", f"splits: {text}"))).startswith(
        f"my.yaml:1: splits: found '{text}'; write a whole number"
    )
    classes = load(write(GOOD.replace("[soft, hard]", f"[{text}, hard]"))).config.experiments[0]
    assert classes.classes[0].labels == (text,)


def test_classes_as_mapping_merge_labels(write):
    text = GOOD.replace("[soft, hard]", "{any: [soft, hard], 0: none, 1: [7]}")
    classes = load(write(text)).config.experiments[0].classes
    assert [(each.name, each.labels) for each in classes] == [
        ("any", ("soft", "hard")),
        ("0", ("none",)),
        ("1", ("7",)),
    ]


def test_labels_that_other_readers_lose_stay_text(write):
    # Case 25b: "NA" and "None" are labels; YAML 1.2 reads them as text.
    classes = load(write(GOOD.replace("[soft, hard]", "[NA, None]"))).config.experiments[0].classes
    assert [each.labels for each in classes] == [("NA",), ("None",)]


def test_anchors_comments_and_byte_order_mark(write):
    text = GOOD.replace("sizes: {", "sizes: &grid {").replace("sizes: [2, 5]", "sizes: *grid")
    config = load(write("\ufeff# a comment\n" + text)).config
    assert config.experiments[1].sizes == config.sizes == (2, 5, 8)


def test_resolved_config_is_a_config(write):
    for path in (write(GOOD), find("ng_jordan.yaml")):
        config = load(path).config
        assert RunConfig.model_validate_json(config.model_dump_json()) == config
        assert RunConfig.model_validate(config.model_dump(mode="json")) == config


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # Case 27.
        ("splits:", "spilts:", "my.yaml:1: spilts: unknown key; did you mean 'splits'?"),
        # Case 26.
        ("seed: 3", "splits: 3", "my.yaml:2: splits: this key is in line 1 already"),
        (
            "data: contact-lenses",
            "name: a",
            "my.yaml:6: experiments[0].name: this key is in line 5",
        ),
        ("splits: 20", "splits: -5", "my.yaml:1: splits: found -5; write 1 or more"),
        ("splits: 20", "splits: 1.5", "my.yaml:1: splits: found 1.5; write a whole number"),
        ("splits: 20", "splits: many", "my.yaml:1: splits: found 'many'; write a whole number"),
        ("splits: 20", "splits: '20'", "my.yaml:1: splits: found '20'; write a whole number"),
        ("splits: 20", "splits: true", "my.yaml:1: splits: found true; write a whole number"),
        ("splits: 20", "splits:", "my.yaml:1: splits: found nothing; write a whole number"),
        ("seed: 3", "seed: -1", "my.yaml:2: seed: found -1; write 0 or more"),
        ("stop: 9", "stop: 1", "my.yaml:3: sizes.stop: found 1; write 2 or more"),
        ("start: 2", "start: 12", "my.yaml:3: sizes.stop: found 9; write 12 (start) or more"),
        ("step: 3", "Step: 3", "my.yaml:3: sizes.Step: unknown key; did you mean 'step'?"),
        ("{start: 2, stop: 9, step: 3}", "7", "my.yaml:3: sizes: found 7; write a list of whole"),
        ("[2, 5]", "[2, 5, 5]", "my.yaml:12: experiments[1].sizes[2]: found 5 after 5"),
        ("[2, 5]", "[5, 2]", "my.yaml:12: experiments[1].sizes[1]: found 2 after 5"),
        ("[2, 5]", "[1, 5]", "my.yaml:12: experiments[1].sizes[0]: found 1; write 2 or more"),
        ("[2, 5]", "[]", "my.yaml:12: experiments[1].sizes: the list is empty"),
        ("sizes: {", "# {", "my.yaml:5: experiments[0].sizes: this key is missing"),
        ("stop: 9, ", "", "my.yaml:3: sizes.stop: this key is missing; add it"),
        ("name: boston", "name: Lenses", "my.yaml:9: experiments[1].name: 'Lenses' is the name of"),
        ("name: boston", "name: a,b", "my.yaml:9: experiments[1].name: found 'a,b'; write a name"),
        *(
            (
                "name: boston",
                f"name: '{text}'",
                f"my.yaml:9: experiments[1].name: found '{text}', which pandas and spreadsheets"
                " read in CSV files as something else than a name; write another name",
            )
            for text in ("nan", "Null", "none", "NA", "TRUE")
        ),
        ("name: boston", "name: 7", "my.yaml:9: experiments[1].name: found 7; write text"),
        ("unsmoothed", "naive_bayes", "my.yaml:17: fitters[1].name: 'naive_bayes' is the name of"),
        ("name: lenses", "naem: lenses", "my.yaml:5: experiments[0].naem: unknown key; did you"),
        ("discrete", "descrete", "my.yaml:7: experiments[0].inputs: found 'descrete'; write 'cont"),
        ("discrete", "all\n    missing: men", "my.yaml:8: experiments[0].missing: found 'men'; wr"),
        (
            "discrete",
            "all\n    missing: {discrete: mean}",
            "my.yaml:8: experiments[0].missing.discrete: found 'mean'; write 'drop_rows', 'level'",
        ),
        ("discrete", "all\n    drop: x", "my.yaml:8: experiments[0].drop: found 'x'; write a list"),
        ("discrete", "all\n    rescale: no", "my.yaml:8: experiments[0].rescale: found 'no'; wri"),
        (
            "type: naive_bayes\n    n",
            "tpye: x\n    n",
            "my.yaml:16: fitters[1].type: this key is missing; is it 'tpye' that",
        ),
        (
            "name: unsmoothed",
            "experiments: [boton]\n    name: unsmoothed",
            "my.yaml:17: fitters[1].experiments: no experiment 'boton'; did you mean 'boston'?",
        ),
        (
            "name: unsmoothed",
            "experiments: []\n    name: unsmoothed",
            "my.yaml:17: fitters[1].experiments: the list is empty",
        ),
        ("[soft, hard]", "[soft]", "my.yaml:8: experiments[0].classes: found 1 of them"),
        ("[soft, hard]", "[soft, soft]", "my.yaml:8: experiments[0].classes: the label 'soft'"),
        ("[soft, hard]", "[soft, true]", "my.yaml:8: experiments[0].classes[1]: found true; write"),
        ("[soft, hard]", "{a: [], b: c}", "my.yaml:8: experiments[0].classes.a: the list is empty"),
        (
            "[soft, hard]",
            '{"<5": [yes, ~]}',
            "my.yaml:8: experiments[0].classes.<5[1]: found nothi",
        ),
        (
            "[soft, hard]",
            "soft",
            "my.yaml:8: experiments[0].classes: found 'soft'; write a list of",
        ),
        ("threshold: median", "threshold: mean", "my.yaml:11: experiments[1].threshold: found"),
        ("threshold: median", "threshold: .inf", "my.yaml:11: experiments[1].threshold: found"),
        (
            "threshold: median",
            "threshold: 2\n    classes: [a, b]",
            "my.yaml:11: experiments[1].threshold: this makes the classes already",
        ),
    ],
)
def test_errors_name_file_line_and_key(write, old, new, message):
    assert old in GOOD
    assert error(write(GOOD.replace(old, new, 1))).startswith(message)


def test_first_error_of_the_file_is_shown_and_the_others_counted(write):
    text = GOOD.replace("[2, 5]", "[1, 0]").replace("seed: 3", "seed: x")
    message = "my.yaml:2: seed: found 'x'; write a whole number (2 more mistakes after it)"
    assert error(write(text)) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "my.yaml: the file is empty"),
        ("# nothing\n", "my.yaml: the file is empty"),
        ("- 1\n", "my.yaml:1: the file holds no keys"),
        ("splits\n", "my.yaml:1: the file holds no keys"),
        ("sizes:\n\tstart: 2\n", "my.yaml:2: not valid YAML: a tab indents this line"),
        ("seed: 1\nsizes:[4]\n", "my.yaml:2: not valid YAML: write 'key: value', with a blank"),
        ("seed: 1\n  sizes: [4]\n", "my.yaml:2: not valid YAML: a ': ' cannot stand here; are"),
        ("a:\n  - b: 1\n   c: 2\n", "my.yaml:3: not valid YAML: this line is indented otherwise"),
        ("seed: ]\n", "my.yaml:1: not valid YAML: a value is missing before ']'; write one"),
        ("seed: @1\n", "my.yaml:1: not valid YAML: a text cannot begin with '@'; put it in"),
        ("splits: 2: 3\n", "my.yaml:1: not valid YAML: a ': ' cannot stand here; are"),
        ("\nfigure: 'a\nseed: 1\n", "my.yaml:2: not valid YAML: the quote that opens here"),
        ("sizes: [1\nseed: 1\n", "my.yaml:2: not valid YAML: "),
        ("seed: *x\n", "my.yaml:1: not valid YAML: a text cannot begin with '*'"),
        ("sizes: &x [*x]\n", "my.yaml:1: sizes[0]: an alias that contains itself"),
        ("seed: 1\nfigure: !me x\n", "my.yaml:2: figure: the tag '!me' has no meaning here"),
        ("seed: !!int x\n", "my.yaml:1: seed: cannot read 'x' as a whole number"),
        ("seed: 1\n[a, b]: 2\n", "my.yaml:2: a key must be text"),
        ("---\nseed: 1\n---\nseed: 2\n", "my.yaml:3: not valid YAML: '---' starts a second"),
        ("seed: 1\nfigure: \x07\n", "my.yaml:2: a control character stands here"),
        (b"seed: 1\nfigure: \xe9\n", "my.yaml:2: this is not UTF-8 text"),
        ("seed: 1\n".encode("utf-16"), "my.yaml:1: this is not UTF-8 text"),
        ("<<: {seed: 1}\n", "my.yaml:1: <<: unknown key; choose from splits, seed"),
        ("experiments: []\nfitters: []\n", "my.yaml:1: experiments: the list is empty"),
        ("experiments: {a: 1}\nfitters: x\n", "my.yaml:1: experiments: found a mapping; write a l"),
    ],
)
def test_files_that_are_no_config(write, content, message):
    assert error(write(content)).startswith(message)


class Options(StrictModel):
    """What a fitter may ask for."""

    laplace: float = 1.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("laplce: 2", "my.yaml:15: fitters[0].laplce: unknown key; did you mean 'laplace'?"),
        ("inptus: x", "my.yaml:15: fitters[0].inptus: unknown key; did you mean 'inputs'?"),
        ("laplace: no", "my.yaml:15: fitters[0].laplace: found 'no'; write a number"),
    ],
)
def test_parts_are_checked_in_place(write, line, message):
    document = load(write(GOOD.replace("laplace: 2", line)))
    options = document.config.fitters[0].options
    with pytest.raises(UserError) as caught:
        document.parse(Options, options, "fitters", 0, also=FitterConfig.model_fields)
    assert str(caught.value).endswith(message)
    assert document.parse(Options, {"laplace": 2}, "fitters", 0) == Options(laplace=2.0)


def test_locate_falls_back_to_the_line_around(write):
    document = load(write(GOOD))
    path = str(document.path)
    assert document.locate("experiments", 1, "sizes", 1) == f"{path}:12: experiments[1].sizes[1]"
    assert document.locate("sizes", 2) == f"{path}:3: sizes[2]"
    assert document.locate() == f"{path}:1"


def test_ng_jordan_is_the_table_of_the_protocol():
    config = load(find("ng_jordan.yaml")).config
    assert [(each.name, each.inputs, each.sizes) for each in config.experiments] == [
        (name, inputs, tuple(range(first, last + 1, step)))
        for name, inputs, first, last, step in PANELS
    ]
    assert all(
        each.sizes[-1] == panel[3] for each, panel in zip(config.experiments, PANELS, strict=True)
    )
    assert [each.name for each in config.experiments if each.optional] == ["sick"]
    assert (config.splits, config.figure) == (1000, "ng_jordan")
    assert [(each.name, each.inputs) for each in config.fitters] == [
        ("naive_bayes", None),
        ("logistic_regression", None),
        ("nearest_centroid", "continuous"),
    ]


def test_ng_jordan_has_the_published_sizes(shared):
    sizes = {each.name: each.sizes for each in load(find("ng_jordan")).config.experiments}
    with (shared / "reference" / "ng_jordan_2001_figure1.csv").open(encoding="utf-8") as file:
        points = [(row["experiment"], int(row["m"])) for row in csv.DictReader(file)]
    published = {
        name: tuple(m for _, m in group)
        for name, group in itertools.groupby(points, key=lambda point: point[0])
    }
    assert len(published) == 15
    assert {name: sizes[name] for name in published} == published


def test_as_published_has_the_same_panels():
    exact, published = (load(find(each)).config for each in ("ng_jordan", "as_published"))
    assert published.experiments == exact.experiments
    names = {each.name for each in exact.experiments}
    runs = [
        (each.name, {name for name in names if each.runs_on(name, inputs_of(published, name))})
        for each in published.fitters
        if each.type == "logistic_regression"
    ]
    overlapping = {"promoters", "breast-cancer"}
    assert runs == [
        ("logistic_regression", names - overlapping),
        ("logistic_regression_overlapping", overlapping),
    ]


def inputs_of(config, name):
    return next(each.inputs for each in config.experiments if each.name == name)


def test_find(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shipped = find("ng_jordan.yaml")
    assert shipped.is_file()
    assert find("ng_jordan") == shipped
    (tmp_path / "ng_jordan").mkdir()
    assert find("ng_jordan") == shipped
    (tmp_path / "ng_jordan.yaml").write_text(GOOD)
    assert find("ng_jordan.yaml") == Path("ng_jordan.yaml")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ng_jordn.yaml", "ng_jordn.yaml: no such file, and no config of this name comes with gd"),
        ("sub/ng_jordan.yaml", "sub/ng_jordan.yaml: no such file"),
        (".", ".: this is a folder; name the YAML file in it"),
    ],
)
def test_find_says_what_there_is(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as caught:
        find(name)
    assert str(caught.value).startswith(message)
    assert "did you mean 'ng_jordan.yaml'?" in str(caught.value) or name == "."


def test_suggest():
    assert suggest("Pima", ["pima", "sonar"]) == "did you mean 'pima'?"
    assert suggest("xyz", ["pima", "sonar"]) == "choose from pima, sonar"
    assert suggest("a b", ["a\u00a0b"]) == r"did you mean 'a\xa0b'?"
    assert suggest("ab", ["a\u200bb"]) == r"did you mean 'a\u200bb'?"
    assert suggest("bl\u00fc", ["bl\u00fch"]) == "did you mean 'bl\u00fch'?"
    many = suggest("xyz", [f"v{i}" for i in range(2000)])
    assert many.startswith("choose from v0, v1, ")
    assert many.endswith(", v29, 1,970 more")
