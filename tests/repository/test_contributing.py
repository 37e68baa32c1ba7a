"""The examples of CONTRIBUTING.md, in a copy of the package: their tests, a run, its figures."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAD = re.compile(r"# (?P<path>[\w./]+)(, in (?P<registry>[A-Z]+))?\n")
CONFIG = """\
splits: 20
sizes: [4, 12]
measures: [error, probability]
fitters: [{type: ridge}, {type: parzen, width: 0.5}]
experiments:
  - {name: drawn, simulate: {exponential: {means: [[1, 2], [3, 0.5]]}, rows: 60}}
  - {name: read, data: my.jsonl, target: y}
"""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Example:
    """A block of the page: a file, or a line for a registry that is in it already."""

    path: str
    registry: str | None
    text: str


def examples() -> Iterator[Example]:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL):
        head = HEAD.match(block)
        assert head is not None, f"a block without its place: {block[:60]!r}"
        yield Example(head["path"], head["registry"], block[head.end() :])


def place(example: Example, root: Path) -> None:
    """Write a file that there was not, or add a line to a registry and its import."""
    path = root / example.path
    if example.registry is None:
        assert not path.exists(), f"{example.path} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(example.text, encoding="utf-8")
        return
    imported, entry = example.text.split("\n\n")
    lines = path.read_text(encoding="utf-8").splitlines()
    tree = ast.parse("\n".join(lines))
    after = last_entry(tree, example.registry)
    lines.insert(after, entry.rstrip("\n"))
    last = max(node.end_lineno or 0 for node in tree.body if isinstance(node, ast.ImportFrom))
    assert last < after
    lines.insert(last, imported)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def last_entry(tree: ast.Module, registry: str) -> int:
    """Number of the line with which the last entry of a registry ends."""
    (value,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == registry
    )
    if isinstance(value, ast.Call):
        value = value.args[-1]
    if isinstance(value, ast.DictComp):
        value = value.generators[0].iter
    assert isinstance(value, ast.Dict | ast.Tuple)
    last = (value.values if isinstance(value, ast.Dict) else value.elts)[-1]
    assert last.end_lineno is not None
    return last.end_lineno


Python = Callable[..., str]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with all examples in it, and what their tests import."""
    root = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__", "*.gz")
    shutil.copytree(ROOT / "gdcurves", root / "gdcurves", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / "tests").mkdir()
    for helper in ("quiet.py", "rules.py", "test_docstrings.py"):
        (root / "tests" / helper).symlink_to(ROOT / "tests" / helper)
    for example in examples():
        place(example, root)
    return root


@pytest.fixture
def python(copy: Path) -> Python:
    """Run Python with a module in the copy; returns what it wrote."""

    def python(*arguments: str) -> str:
        ended = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    return python


def test_tests_of_the_page_pass(python: Python, copy: Path) -> None:
    """Each section has one; together they are what the page says there is."""
    paths = [each.path for each in examples() if each.path.startswith("tests/")]
    assert len(paths) == 6
    paths.append("tests/test_docstrings.py")
    assert re.search(r"^\d+ passed in", python("pytest", "-p", "no:cacheprovider", *paths), re.M)


def test_a_run_has_what_is_new(python: Python, copy: Path) -> None:
    listed = python("gdcurves", "fitters")
    assert "\nridge: " in listed
    assert "\nparzen: " in listed
    rows = [{"a": i % 7 + 0.5, "b": i % 5 - i % 2 / 4, "y": "pq"[i % 7 // 4]} for i in range(40)]
    pd.DataFrame(rows).to_json(copy / "my.jsonl", orient="records", lines=True)
    (copy / "my.yaml").write_text(CONFIG)
    python("gdcurves", "run", "--config", "my.yaml", "--out", "results", "--jobs", "1")
    curves = pd.read_csv(copy / "results" / "curves.csv").set_index("fitter")
    assert {*curves["experiment"]} == {"drawn", "read"}
    assert (curves.loc[curves["m"] == 12, "error_mean"] < 0.35).all()
    assert curves.loc["parzen", "probability_mean"].between(0.4, 1).all()
    assert curves.loc["ridge", "probability_mean"].isna().all()
    python("gdcurves", "plot", "results", "--figure", "quantiles")
    assert (copy / "results" / "quantiles.pdf").stat().st_size > 10_000
    assert "limits of such a law are not known" in python(
        "gdcurves", "limits", "--config", "my.yaml"
    )
