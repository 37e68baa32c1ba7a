"""A package that brings a classifier, a measure, a figure and a law: built, installed and run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pandas as pd
import pytest

from gdcurves import plugins
from gdcurves.errors import UserError
from gdcurves.fitters import REGISTRY, Fitter
from gdcurves.fitters.majority import Majority
from gdcurves.plugins import Registry, package_of

METADATA = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "theirs-of-gdcurves"
version = "3.1"
[tool.hatch.build.targets.wheel]
include = ["theirs_of_gdcurves.py"]
[project.entry-points."gdcurves.fitters"]
stump = "theirs_of_gdcurves:Stump"
[project.entry-points."gdcurves.measures"]
accuracy = "theirs_of_gdcurves:ACCURACY"
[project.entry-points."gdcurves.figures"]
plain = "theirs_of_gdcurves:plain"
[project.entry-points."gdcurves.laws"]
coins = "theirs_of_gdcurves:Coins"
"""
CODE = """
import numpy as np
from gdcurves.config import StrictModel
from gdcurves.fitters.majority import Majority
from gdcurves.plots import learning_curves
from gdcurves.scoring.measures import SumMeasure

class Stump(Majority):
    summary = "as the largest class, from elsewhere"

class Accuracy(SumMeasure):
    name = label = column = "accuracy"
    needs, better, largest_difference = "predictions", "higher", 1.0
    def terms(self, judged, k):
        return (judged.predicted == k,)
    def of_tally(self, tally):
        return tally.sums[0].sum(axis=0).mean(axis=0) / tally.n_test
ACCURACY = Accuracy()

def plain(run):
    return learning_curves.sheets(run)

class Coins(StrictModel):
    n: int
    features = property(lambda self: tuple(f"c{i}" for i in range(self.n)))
    levels = property(lambda self: (2,) * self.n)
    non_negative = property(lambda self: True)
    n_classes = property(lambda self: 2)
    def draw(self, n_per_class, rng, n_sets):
        return rng.integers(2, size=(n_sets, sum(n_per_class), self.n), dtype=np.int32)
"""
CONFIG = """
splits: 20
sizes: [4, 12]
measures: [error, accuracy]
figure: plain
fitters: [{type: naive_bayes}, {type: stump}]
experiments: [{name: fair, simulate: {coins: {n: 3}, rows: 200}}]
"""


@pytest.mark.process
@pytest.mark.slow
def test_what_an_installed_package_brings_is_there(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "pyproject.toml").write_text(METADATA)
    (source / "theirs_of_gdcurves.py").write_text(CODE)
    (tmp_path / "my.yaml").write_text(CONFIG)
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run(
        [sys.executable, "-m", "pip", *install, "--target", "site", "./source"],
        cwd=tmp_path,
        check=True,
    )
    path = os.pathsep.join([str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])

    def call(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "gdcurves", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    assert "stump: as the largest class, from elsewhere" in call("fitters")
    assert "from theirs_of_gdcurves 3.1" in call("fitters")
    call("run", "--config", "my.yaml", "--jobs", "2", "--out", "out")
    curves = pd.read_csv(tmp_path / "out" / "curves.csv")
    assert {*curves["fitter"]} == {"naive_bayes", "stump"}
    total = curves["error_mean"] + curves["accuracy_mean"]
    assert total.tolist() == pytest.approx([1.0] * len(curves))
    assert curves["error_mean"].mean() == pytest.approx(0.5, abs=0.05)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["versions"]["theirs_of_gdcurves"] == "3.1"
    drawn = call("plot", "out").split()
    assert drawn
    assert all((tmp_path / path).is_file() for path in drawn)


def test_parts_of_our_own_are_from_no_other_package() -> None:
    assert {package_of(each) for each in REGISTRY.values()} == {None}
    assert Majority().packages == ()
    assert package_of(Path) == "pathlib"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("naive_bayes", "gdcurves.fitters.majority:Majority", "there is one of this name already"),
        ("mine", "no_such_module:Fitter", "it cannot be imported (ModuleNotFoundError: No module"),
        ("mine", "gdcurves.fitters:NoSuch", "it cannot be imported (AttributeError"),
        ("mine", "pathlib:Path", "pathlib:Path is no Fitter"),
    ],
)
def test_what_does_not_fit_is_one_line(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = EntryPoints([EntryPoint(name, value, "gdcurves.fitters")])
    monkeypatch.setattr(plugins, "_entries", lambda: entries)
    registry = Registry("fitters", "Fitter", lambda each: issubclass(each, Fitter), dict(REGISTRY))
    with pytest.raises(UserError) as caught:
        list(registry)
    assert said in str(caught.value)
    assert f"brings {name!r} to the entry points 'gdcurves.fitters'" in str(caught.value)
    assert "\n" not in str(caught.value)
