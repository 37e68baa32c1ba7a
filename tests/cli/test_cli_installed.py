"""The command as a user calls it: installed from a wheel, in its own process and folder."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from gdcurves.compute.versions import fingerprint

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]

Call = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and install it, alone, into a folder of its own; needs no network."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([*wheel, str(ROOT)], check=True)
    (built,) = folder.glob("gdcurves-*.whl")
    target = folder / "site"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(target), str(built)], check=True)
    return target


@pytest.fixture
def environment(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(installed)}


@pytest.fixture
def call(installed: Path, environment: dict[str, str], tmp_path: Path) -> Call:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [installed / "bin" / "gdcurves", *arguments],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return call


def test_the_installed_copy_is_tested(installed, environment, tmp_path):
    code = "import gdcurves; print(gdcurves.__file__)"
    command = [sys.executable, "-c", code]
    located = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert Path(located.stdout.strip()).is_relative_to(installed)


def test_its_code_has_the_fingerprint_of_this_checkout(installed, environment, tmp_path):
    """Whoever computes with either may go on with a run of the other."""
    code = "from gdcurves.compute import versions; print(versions.code_sha256())"
    command = [sys.executable, "-c", code]
    located = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert located.stdout.strip() == fingerprint(ROOT / "gdcurves"), located.stderr


def test_run_and_plot(call, tmp_path):
    options = ["--only", "lenses", "--splits", "20", "--out", "X"]
    ended = call("run", "--config", "ng_jordan.yaml", *options)
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    manifest = json.loads((tmp_path / "X" / "manifest.json").read_text())
    assert (manifest["status"], manifest["config"]["splits"]) == ("complete", 20)
    curves = pd.read_csv(tmp_path / "X" / "curves.csv")
    assert list(curves["m"]) == 2 * list(range(2, 24))
    assert list(curves["fitter"].unique()) == ["naive_bayes", "logistic_regression"]
    assert (curves["n_splits"] == 20).all()
    assert (curves["n_test"] == 24 - curves["m"]).all()
    assert curves["error_mean"].between(0, 1).all()
    assert any((tmp_path / "X" / "splits").rglob("*.csv"))

    ended = call("plot", "X")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == ["X/figure1.png", "X/figure1.pdf"]
    assert (tmp_path / "X" / "figure1.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "X" / "figure1.pdf").read_bytes().startswith(b"%PDF")


def test_wrong_config_has_no_traceback(call, tmp_path):
    (tmp_path / "my.yaml").write_text("spilts: 1000\n")
    ended = call("run", "--config", "my.yaml")
    assert ended.returncode == 2
    assert ended.stderr == "Error: my.yaml:1: spilts: unknown key; did you mean 'splits'?\n"
    assert [each.name for each in tmp_path.iterdir()] == ["my.yaml"]


def test_help_answers_at_once(call, environment, tmp_path):
    started = time.monotonic()
    assert call("--help").returncode == 0
    assert time.monotonic() - started < 3  # a tenth of that on an idle machine
    code = (
        "import sys; from gdcurves.cli import app\n"
        "app(['run', '--help'], standalone_mode=False)\n"
        "slow = {'numpy', 'scipy', 'pandas', 'matplotlib', 'openml', 'joblib'}\n"
        "sys.exit(', '.join(slow & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert ended.stderr.strip() == ""


@pytest.mark.parametrize(
    ("signum", "code", "word"),
    [(signal.SIGINT, 130, "Interrupted"), (signal.SIGTERM, 143, "Terminated")],
)
def test_signals_end_a_run_in_good_order(installed, environment, tmp_path, signum, code, word):
    options = ["--config", "ng_jordan", "--only", "sonar", "--splits", "100000", "--jobs", "1"]
    with subprocess.Popen(
        [installed / "bin" / "gdcurves", "run", *options],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        manifest = tmp_path / "results" / "ng_jordan" / "manifest.json"
        deadline = time.monotonic() + 60
        while not manifest.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signum)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert out == ""
    command = shlex.join([str(installed / "bin" / "gdcurves"), "run", *options, "--resume"])
    assert err.splitlines()[-1] == f"{word}; what was done is kept; resume with: {command}"
    assert "Traceback" not in err
    assert json.loads(manifest.read_text())["status"] == "interrupted"
