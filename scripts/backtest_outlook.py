"""How well learning curves are foreseen: curves that are cut, against how they went on.

    python scripts/backtest_outlook.py [--splits N] [--record]

The curves of the committed runs are cut at the largest sizes up to a half and up to a quarter of
their last one. Of twenty other data sets (scikit-learn's, made up ones, and those of the package
beyond the sizes of the committed runs) curves are computed for this: at the sizes that `run --data`
has for a quarter of the rows, which are foreseen, and at 1.2, 1.5, 2 and 4 times the last of them.
The committed runs keep no raw rows, so there the means at different sizes count as independent.

Both are curves of the same rows before and after the cut. As whoever labels more rows has others, a
third source are samples of 50, 100 and 200 rows from laws with 20 to 200 inputs, of which each says
little: there curves are steep where they end. They are foreseen from all sizes that the sample has,
and held against the law: the change is that of its errors, the miss that of the fall, and the
interval, which is that for other data, holds its error or not.

With --record the outcome goes to results/README.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import silent
from bench_records import with_section
from sklearn import datasets as made

from gdcurves import curves, plan
from gdcurves.arrays import FloatArray, IntArray
from gdcurves.config import load_text
from gdcurves.crossings import outlook, paired, values
from gdcurves.crossings.evidence import NadeauBengio, independent
from gdcurves.crossings.paired import Curve, Paired
from gdcurves.datasets import Request
from gdcurves.plan import draft
from gdcurves.scoring.measures import MEASURES
from gdcurves.trends import Trend

ROOT = Path(__file__).parents[1]
MARKS = ("<!-- outlook: begin -->", "<!-- outlook: end -->")
PACKAGED = ("diabetes", "liver-disorders", "ionosphere", "sonar", "vote")
ERROR = MEASURES["error"]
SAMPLES = 2  # of each law and number of rows
FRESH, TESTED = 40, 600  # training sets and test rows that the errors of a law are means over
N_ROWS = 1000  # of data that are made up
CHANGES = 0.005  # of the error: where it changes by more, misses are compared with it
FITTERS = "[{type: naive_bayes, variance: per_class}, {type: logistic_regression}]"
AHEAD = (1.2, 1.5, 2, 4)  # times the size
AIMS = {2: 1 / 3, 4: 1 / 2}  # of the median change, by how many times the size


@dataclass(frozen=True, eq=False)
class Cut:
    """A curve of errors that is cut, and how it went on.

    Attributes
    ----------
    curve
        Up to the cut.
    deviation
        Standard deviation over other data of its last mean.
    here
        The error at the cut.
    after
        Errors at so many times the last size.
    of_law
        Whether these errors are those of the law, and not of the same rows.
    """

    curve: Curve
    deviation: float
    here: float
    after: dict[float, float]
    of_law: bool = False

    @property
    def last(self) -> float:
        """Mean at the last size."""
        return float(self.curve.mean[-1])

    @cached_property
    def trend(self) -> Trend | None:
        """How it is foreseen to go on; None where it is not of the form."""
        return outlook.of_one(ERROR, self.curve, self.deviation)

    def foreseen(self, ratio: float) -> tuple[float, float, float]:
        """Error at so many times the last size, and its interval."""
        assert self.trend is not None
        known = self.trend.elsewhere(self.deviation) if self.of_law else self.trend
        value, low, high = (float(each[0]) for each in known.loss(np.array([float(ratio)])))
        return value, low, high


def main() -> None:
    """Print, and perhaps record, how near what is foreseen comes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--splits", type=int, default=100)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    sources = {
        "committed runs": list(_committed()),
        "other data sets": [cut for each in _others() for cut in _computed(*each, given.splits)],
        "small samples": [
            cut for seed, each in enumerate(_laws()) for cut in _sampled(*each, given.splits, seed)
        ],
    }
    sources["all"] = [cut for cuts in sources.values() for cut in cuts]
    text = "\n".join(_lines(sources))
    print(text)
    if given.record:
        path = ROOT / "results" / "README.md"
        page = with_section(path.read_text(encoding="utf-8"), text, MARKS)
        path.write_text(page, encoding="utf-8")


def _committed() -> Iterator[Cut]:
    """Cut the curves of the committed runs; the error between their sizes is on straight lines."""
    for path in sorted((ROOT / "results" / "reference").glob("*/curves.csv")):
        table = curves.TABLE.read(path.parent)
        assert table is not None
        manifest = json.loads((path.parent / "manifest.json").read_text(encoding="utf-8"))
        written = {each["name"]: each for each in manifest["config"]["experiments"]}
        for (name, _), curve in table.groupby(["experiment", "fitter"], sort=False):
            m, mean, se = (curve[name].to_numpy() for name in ("m", "error_mean", "error_se"))
            n_splits, n_test = (curve[name].to_numpy() for name in ("n_splits", "n_test"))
            for part in (2, 4):
                k = int(np.searchsorted(m, m[-1] / part, side="right"))
                if k >= 3 and m[k - 1] >= outlook.FEWEST:
                    ahead = {q: q * m[k - 1] for q in AHEAD if q * m[k - 1] <= m[-1]}
                    after = {q: float(np.interp(at, m, mean)) for q, at in ahead.items()}
                    fresh = np.isinf(n_test[k - 1]) or independent(written[name])
                    test_per_train = 0.0 if fresh else n_test[k - 1] / m[k - 1]
                    deviation = se[k - 1] * np.sqrt(1 + n_splits[k - 1] * test_per_train)
                    before = Curve(m[:k], mean[:k], np.diag(se[:k] ** 2), n_splits[:k])
                    yield Cut(before, float(deviation), float(mean[k - 1]), after)


def _others() -> Iterator[tuple[str, pd.DataFrame | None]]:
    """Names of twenty data sets with their rows, which the package has where there are none."""
    yield from ((name, None) for name in PACKAGED)
    yield "iris", _frame(*made.load_iris(return_X_y=True))
    yield "wine", _frame(*made.load_wine(return_X_y=True))
    yield "cancer", _frame(*made.load_breast_cancer(return_X_y=True))
    x, y = made.load_diabetes(return_X_y=True)
    yield "progression", _frame(x, y > np.median(y))
    x, y = made.load_digits(return_X_y=True)
    for pair in ((3, 8), (1, 7)):
        two = np.isin(y, pair)
        yield f"digits-{pair[0]}-{pair[1]}", _frame(x[two], y[two])
    yield "hastie", _frame(*made.make_hastie_10_2(N_ROWS, random_state=0))
    yield "moons", _frame(*made.make_moons(N_ROWS, noise=0.3, random_state=0))
    yield "circles", _frame(*made.make_circles(N_ROWS, noise=0.2, factor=0.5, random_state=0))
    spheres = made.make_gaussian_quantiles(n_samples=N_ROWS, n_features=6, random_state=0)
    yield "spheres", _frame(*spheres)
    x, y = made.make_friedman1(N_ROWS, random_state=0)
    yield "friedman", _frame(x, y > np.median(y))
    for number, (inputs, telling) in enumerate(((20, 5), (40, 10), (8, 6), (60, 8))):
        clusters = made.make_classification(
            N_ROWS, inputs, n_informative=telling, flip_y=0.05, random_state=number
        )
        yield f"clusters-{inputs}", _frame(*clusters)


def _frame(x: FloatArray, y: IntArray) -> pd.DataFrame:
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])])
    return frame.assign(y=[f"c{int(label)}" for label in y])


def _computed(name: str, rows: pd.DataFrame | None, n_splits: int) -> Iterator[Cut]:
    """Compute the curves of a data set, and cut them at a quarter of nine tenths of its rows."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source, request = f"data: {name}", Request(name)
        if rows is not None:
            rows.to_csv(folder / "rows.csv", index=False)
            source, request = "data: rows.csv, target: y", Request(str(folder / "rows.csv"), "y")
        last = len(draft.make(request, None).problem.y) * 9 // 40
        foreseen = {round(m) for m in np.geomspace(2, last, 12)}
        sizes = sorted({*foreseen, *(round(q * last) for q in AHEAD)})
        text = (
            f"splits: {n_splits}\nsizes: {sizes}\nmeasures: [error]\n"
            f"experiments: [{{name: {name}, {source}}}]\nfitters: {FITTERS}\n"
        )
        (read,) = _runs(text, folder, ["naive_bayes", "logistic_regression"])
    for a in range(len(read.fitters)):
        curve, k = read.curve(a), len(foreseen)
        after = {q: float(curve.mean[np.searchsorted(curve.m, round(q * last))]) for q in AHEAD}
        before = Curve(curve.m[:k], curve.mean[:k], curve.covariance[:k, :k], curve.n_splits[:k])
        yield Cut(before, _deviation(read, a, k - 1), float(before.mean[-1]), after)


def _runs(text: str, folder: Path, fitters: list[str]) -> list[Paired]:
    """Errors of the experiments of a config, which is run in a folder."""
    planned = plan.make(load_text(text, folder / "m.yaml"))
    out = folder / "out"
    silent.run(planned, out, "m")
    names = [each.name for each in planned.experiments]
    paths = (sorted((out / "splits" / name).glob("*.csv")) for name in names)
    return [paired.of_chunks(each, fitters, ERROR) for each in paths]


def _deviation(read: Paired, a: int, k: int) -> float:
    """Standard deviation over other data of the mean of a fitter at a size, by their numbers."""
    return values.half_width(ERROR, read, a, k, NadeauBengio()) / outlook.REACH


def _laws() -> Iterator[tuple[str, int]]:
    """Blocks of inputs, and the numbers of rows of samples; more inputs tell more in all."""
    for d, distance in ((20, 1.5), (60, 2.0), (200, 3.0)):
        shift = distance / (4 * np.sqrt(d))
        some, none = f"normal: {{total: {distance}}}", "normal: {shift: 0}"
        unequal = (
            f"{{features: {d // 4}, normal: {{total: {distance * np.sqrt(part / 15):.4f}}}}}"
            for part in (8, 4, 2, 1)
        )
        for blocks in (
            f"{{features: {d}, {some}}}",
            f"{{features: {d // 2}, {some}}}, {{features: {d // 2}, {none}}}",
            ", ".join(unequal),
            f"{{features: {d}, p: [{0.5 - shift:.4f}, {0.5 + shift:.4f}]}}",
        ):
            for n_rows in (50, 100, 200):
                yield blocks, n_rows


def _sampled(blocks: str, n_rows: int, n_splits: int, seed: int) -> Iterator[Cut]:
    """Compute the curves of samples of a law, and the law's errors beyond their last size."""
    last = n_rows * 9 // 10
    sizes = sorted({round(m) for m in np.geomspace(2, last, 12)})
    beyond = [round(q * last) for q in (1, *AHEAD)]
    samples = ", ".join(
        f"{{name: s{i}, simulate: {{blocks: [{blocks}], rows: {n_rows}}}, sizes: {sizes}}}"
        for i in range(SAMPLES)
    )
    law = f"blocks: [{blocks}], rows: {beyond[-1] // 2 * 2 + TESTED}, draw: each"
    fitters = "[{type: naive_bayes, variance: per_class}, {type: penalised_logistic}]"
    rest = f"seed: {seed}\nmeasures: [error]\nfitters: {fitters}\n"
    names = ["naive_bayes", "penalised_logistic"]
    text = f"splits: {n_splits}\nexperiments: [{samples}]\n{rest}"
    with TemporaryDirectory() as folder:
        drawn = _runs(text, Path(folder), names)
    law = f"{{name: law, simulate: {{{law}}}, sizes: {beyond}}}"
    text = f"splits: {FRESH}\nexperiments: [{law}]\n{rest}"
    with TemporaryDirectory() as folder:
        (of_law,) = _runs(text, Path(folder), names)
    for a in range(len(of_law.fitters)):
        here, *after = of_law.curve(a).mean.tolist()
        for read in drawn:
            deviation = _deviation(read, a, len(read.m) - 1)
            yield Cut(read.curve(a), deviation, here, dict(zip(AHEAD, after, strict=True)), True)


def _lines(sources: dict[str, list[Cut]]) -> Iterator[str]:
    """Tables of what was foreseen, and of what was said of falling."""
    yield (
        "| curves | cut at m, foreseen at | number | of the form | change by more than"
        f" {CHANGES} | their median change | median miss | of the change | interval holds |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, cuts in sources.items():
        for ratio in AHEAD:
            yield f"| {name} | {ratio} m | {_foreseen(cuts, ratio)} |"
    yield ""
    yield "| said of | curves | that fell | by more than 0.01 | median fall |"
    yield "|---|---|---|---|---|"
    for ratio in AHEAD[:-1]:
        yield from _said(sources["all"], ratio)


def _said(cuts: list[Cut], ratio: float) -> Iterator[str]:
    """Rows on how curves fell of which it was said that so many times the rows bring something."""
    said: dict[str, list[float]] = {"yes": [], "no": [], "unknown": []}
    for cut in cuts:
        if ratio in cut.after:
            own = outlook.of_one(ERROR, cut.curve, 0.0)
            word = outlook.falls(cut.last, own, cut.trend, ratio)
            said[word].append(cut.here - cut.after[ratio])
    for word, fell in said.items():
        at = np.array(fell)
        yield (
            f"| {ratio} m, falls: {word} | {len(at)} | {np.sum(at > 0)} | {np.sum(at > 0.01)} |"
            f" {np.median(at):.4f} |"
        )


def _foreseen(cuts: list[Cut], ratio: float) -> str:
    """Cells about the curves that are known so far beyond their cut."""
    known = [cut for cut in cuts if ratio in cut.after]
    misses, changes, held = [], [], []
    for cut in known:
        if cut.trend is not None:
            value, low, high = cut.foreseen(ratio)
            truth = cut.after[ratio]
            misses.append(abs((value - cut.last) - (truth - cut.here)))
            changes.append(abs(cut.here - truth))
            held.append(low <= truth <= high)
    miss, change = np.array(misses), np.array(changes)
    far = change > CHANGES
    part = np.median(miss[far]) / np.median(change[far])
    aim = f", aim {AIMS[ratio]:.2f}" if ratio in AIMS else ""
    return (
        f"{len(known)} | {len(held)} | {far.sum()} | {np.median(change[far]):.4f} |"
        f" {np.median(miss[far]):.4f} | {part:.2f}{aim} | {np.mean(held):.1%}"
    )


if __name__ == "__main__":
    main()
