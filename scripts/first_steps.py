"""What one does first with gdcurves where it is installed, and with its extras.

    python scripts/first_steps.py [--extras]

In a folder of its own that is removed afterwards; needs neither the repository nor a network.
Without the extras, what says that they are to be installed is asked for. Ends with an error at the
first step that does not do what it should. `make release` does it in each environment.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

RUN = ("run", "--data", "sonar", "--sizes", "10,20,40", "--splits", "6")


def gdcurves(*words: str, code: int = 0) -> str:
    """Call the command; what it printed."""
    command = Path(sys.executable).with_name("gdcurves")
    ended = subprocess.run([command, *words], capture_output=True, text=True, check=False)
    printed = ended.stdout + ended.stderr
    if ended.returncode != code or "Warning" in printed or "Traceback" in printed:
        sys.exit(f"gdcurves {' '.join(words)}: exit code {ended.returncode}\n{printed}")
    return printed


def says(text: str, *wanted: str) -> None:
    """End with an error unless a text has these in it."""
    for each in wanted:
        if each not in text:
            sys.exit(f"not said: {each}\n{text}")


def plain() -> None:
    """The command, a run of packaged data, its figure and report, and a shipped config."""
    says(gdcurves("--version"), f"gdcurves {importlib.metadata.version('gdcurves')}", "numpy")
    says(gdcurves("--help"), "run", "report")
    says(gdcurves(*RUN, "--jobs", "2", "--report", "--out", "sonar"), "naive_bayes", "Report:")
    says(Path("sonar/report.html").read_text(encoding="utf-8"), "<svg", "sonar")
    says(gdcurves("plot", "sonar", "--format", "svg"), "figure.svg")
    says(gdcurves("report", "sonar", "--out", "mailed.html"), "mailed.html")
    json.loads(gdcurves("status", "sonar", "--json"))
    paper = ("run", "--config", "ng_jordan.yaml", "--only", "lenses", "--splits", "5")
    says(gdcurves(*paper, "--jobs", "1", "--out", "paper"), "logistic_regression")
    says(gdcurves("plot", "paper"), "figure1.pdf")


def xlsx() -> None:
    """Data of a workbook."""
    import openpyxl

    from gdcurves.datasets import Request, load

    book = openpyxl.Workbook()
    frame = load(Request("contact-lenses")).frame
    for row in [list(frame.columns), *frame.astype(str).to_numpy().tolist()]:
        book.active.append(row)
    book.save("lenses.xlsx")
    says(gdcurves("datasets", "show", "lenses.xlsx", "--target", frame.columns[-1]), "24")


def sklearn() -> None:
    """A classifier of scikit-learn's in a run, and one of the package as an estimator."""
    tree = ("--fitters", "naive_bayes,sklearn.tree.DecisionTreeClassifier")
    says(gdcurves(*RUN, *tree, "--jobs", "1", "--out", "tree"), "DecisionTreeClassifier")
    from sklearn.datasets import load_iris
    from sklearn.model_selection import cross_val_score

    from gdcurves.sklearn import NaiveBayes

    mean = cross_val_score(NaiveBayes(variance="per_class"), *load_iris(return_X_y=True)).mean()
    if not 0.94 < mean < 0.97:
        sys.exit(f"naive Bayes on iris has accuracy {mean}")


def notebook() -> None:
    """A run of a data frame, and one with the numbers of the same run of the command."""
    import pandas as pd

    from gdcurves import learning_curves
    from gdcurves.datasets import Request, load

    frame = load(Request("sonar")).frame
    options = {"sizes": [10, 20, 40], "splits": 6, "jobs": 1, "progress": False}
    says(learning_curves(frame, "Class", **options)._repr_html_(), "naive_bayes")
    pd.testing.assert_frame_equal(
        learning_curves("sonar", **options).curves, pd.read_csv("sonar/curves.csv")
    )


def dask() -> None:
    """A run on a scheduler and a worker, to the byte that of processes of this machine."""
    with cluster() as address:
        gdcurves(*RUN, "--backend", "dask", "--scheduler", address, "--out", "there")
    for table in ("curves.csv", "comparisons.csv"):
        if Path("there", table).read_bytes() != Path("sonar", table).read_bytes():
            sys.exit(f"{table} has other numbers where a cluster computed it")


@contextlib.contextmanager
def cluster() -> Iterator[str]:
    """Start a scheduler and a worker, each a process, and end them; the scheduler's address."""
    file = Path("scheduler.json")
    shared = ("--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard")
    with contextlib.ExitStack() as started, Path("dask.log").open("w") as log:

        def start(*words: str) -> None:
            command = [sys.executable, "-m", "dask", *words, *shared]
            process = started.enter_context(subprocess.Popen(command, stdout=log, stderr=log))
            started.callback(process.terminate)

        start("scheduler", "--port", "0")
        for _ in range(600):
            if file.exists():
                break
            time.sleep(0.1)
        else:
            sys.exit(f"no scheduler of Dask within a minute\n{Path('dask.log').read_text()}")
        start("worker", "--nthreads", "1", "--no-nanny")
        yield json.loads(file.read_text())["address"]


def without_extras() -> None:
    """What says which extra is to be installed; scikit-learn is there, for openml needs it."""
    Path("my.xlsx").write_bytes(b"PK\x03\x04")
    says(gdcurves("datasets", "show", "my.xlsx", code=2), "gdcurves[xlsx]")
    there = ("--backend", "dask", "--scheduler", "tcp://127.0.0.1:1")
    says(gdcurves(*RUN, *there, "--out", "there", code=2), "gdcurves[dask]")
    code = "import gdcurves, pandas; gdcurves.learning_curves(pandas.DataFrame(), 'y')"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    says(ended.stderr, "gdcurves[notebook]")


EXTRAS = (dask, notebook, sklearn, xlsx)


def main() -> None:
    """Do all of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--extras", action="store_true", help="all of them are installed")
    steps = [plain, *(EXTRAS if parser.parse_args().extras else [without_extras])]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for step in steps:
            step()
            print(f"    {step.__doc__.rstrip('.')}", flush=True)


if __name__ == "__main__":
    main()
