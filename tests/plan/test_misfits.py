"""Configs that do not fit their data: file, line and key of the config, place in the data."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Call

CONFIG = """\
splits: 2
experiments:
  - name: mine
    data: my.csv
    target: y
    inputs: all
    continuous: [a]
    discrete: [b]
    drop: [c]
    missing: drop_rows
    rescale: train
    classes: [n, p]
    sizes: [2, 4]
  - name: lenses
    data: contact-lenses
    sizes: [2]
fitters:
  - type: naive_bayes
  - type: hybrid
"""


@pytest.fixture(autouse=True)
def csv(tmp_path: Path) -> Path:
    """Twelve rows, of which one has a gap."""
    path = tmp_path / "my.csv"
    rows = [f"{10000 + i / 100},{'uvw'[i % 3]},{i},{'np'[i % 2]}" for i in range(12)]
    rows[6] = rows[6].replace("10000.06", "?")
    path.write_text("\n".join(["a,b,c,y", *rows]) + "\n")
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "target: y",
            "target: z",
            "5: experiments[0].target: file my.csv: no column 'z' for the",
        ),
        (
            "    target: y\n",
            "",
            "3: experiments[0].target: file my.csv: which column is to be p",
        ),
        (
            "continuous: [a]",
            "continuous: [b]",
            "7: experiments[0].continuous[0]: file my.csv: col",
        ),
        (
            "continuous: [a]\n    discrete: [b]",
            "continuous: [a, b]",
            "7: experiments[0].continuous[1]: file my.csv, line 2, column 'b': 'u' is no finite n",
        ),
        (
            "discrete: [b]",
            "discrete: [b, e]",
            "8: experiments[0].discrete[1]: file my.csv: no col",
        ),
        (
            "drop: [c]",
            "drop: [y]",
            "9: experiments[0].drop[0]: file my.csv: column 'y' is the tar",
        ),
        (
            "drop: [c]",
            "drop: [c, a]",
            "7: experiments[0].continuous[0]: file my.csv: column 'a' s",
        ),
        (
            "continuous: [a]\n    discrete: [b]\n    drop: [c]",
            "drop: [a, b, c]",
            "7: experiments[0].drop: file my.csv: no inputs are left beside the target 'y'",
        ),
        (
            "inputs: all\n    continuous: [a]\n    discrete: [b]",
            "inputs: continuous\n    discrete: [a, b]",
            "6: experiments[0].inputs: data set 'my' (file my.csv) has no continuous inputs",
        ),
        (
            "missing: drop_rows",
            "missing: error",
            "10: experiments[0].missing: file my.csv, line 8, column 'a': a value is missing",
        ),
        (
            "rescale: train",
            "rescale: none",
            "11: experiments[0].rescale: input 'a' of data set 'my' (file my.csv) spans 0.11",
        ),
        (
            "[n, p]",
            "[n, q]",
            "12: experiments[0].classes: target 'y' of data set 'my' (file my.c",
        ),
        (
            "classes: [n, p]",
            "threshold: 1",
            "12: experiments[0].threshold: file my.csv, line 2, c",
        ),
        ("sizes: [2, 4]", "sizes: [2, 11]", "13: experiments[0].sizes[1]: size 11 is too large: "),
        ("sizes: [2, 4]", "sizes: {start: 2, stop: 11}", "13: experiments[0].sizes.stop: size 11"),
        (
            "sizes: [2, 4]",
            "sizes: [2, 3]\n    stratified: true",
            "13: experiments[0].sizes[1]: size 3 means 1 training row of each of 2 classes for",
        ),
        (
            "- type: hybrid",
            "- {type: hybrid, blocks: [[a], [d]]}",
            "19: fitters[1].blocks: for mine, no input 'd'; choose from",
        ),
        ("data: my.csv", "data: me.csv", "4: experiments[0].data: no file 'me.csv', neither besi"),
    ],
)
def test_file_line_and_key(call: Call, tmp_path: Path, old: str, new: str, message: str) -> None:
    """The same of `run`, before any work, and of `config check`, although lenses could be run."""
    assert old in CONFIG
    (tmp_path / "c.yaml").write_text(CONFIG.replace(old, new, 1))
    before = sorted(tmp_path.iterdir())
    for command in (["config", "check", "c.yaml"], ["run", "--config", "c.yaml", "--jobs", "1"]):
        ended = call(*command)
        assert (ended.code, ended.out) == (2, "")
        line = ended.err.splitlines()[-1]
        assert line.startswith(f"Error: c.yaml:{message}")
    assert sorted(tmp_path.iterdir()) == before


def test_config_check_reads_the_data_at_hand(call: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(CONFIG)
    ended = call("config", "check", "c.yaml")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "c.yaml: no mistakes; 2 experiments, 2 splits, 12 fits\n"
    away = CONFIG.replace("data: contact-lenses", "data: openml:24")
    (tmp_path / "c.yaml").write_text(away)
    ended = call("config", "check", "c.yaml")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Data that would be fetched were not looked at: lenses\n")


@pytest.mark.slow
def test_broken_data_fail_alone_and_the_check_says_so(
    call: Call, tmp_path: Path, csv: Path
) -> None:
    """Case 31; what is wrong is the file, and not the config."""
    csv.write_text(csv.read_text() + "1,2\n")
    (tmp_path / "c.yaml").write_text(CONFIG)
    why = "mine: file my.csv, line 14: 2 cells, but the header names 4"
    ended = call("config", "check", "c.yaml")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"Error: {why}")
    ended = call("run", "--config", "c.yaml", "--jobs", "1")
    assert ended.code == 1
    assert f"Failed: {why}" in ended.out
    assert "c: 1 of 2 experiments done" in ended.out
