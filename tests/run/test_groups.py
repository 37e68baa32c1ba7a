"""Runs whose training sets are drawn by groups of rows: what they hold, store and say."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from quiet import run
from scipy import stats

from gdcurves import config, plan, splits
from gdcurves.arrays import FloatArray, IntArray
from gdcurves.errors import UserError
from gdcurves.fitters import REGISTRY, Batch
from gdcurves.plan.loading import load, notes
from gdcurves.problems.problem import Problem
from gdcurves.run import reading
from gdcurves.store import files, sums
from gdcurves.store.files import Run
from gdcurves.units import Units

SPLITS = 90
CONFIG = """
splits: {splits}
chunk: 36
interval: rows
measures: [error, auc, logloss]
experiments:
  - {{name: sick, data: my.csv, target: kind, sizes: {sizes}, {keys}}}
fitters: [{fitters}]
"""
FITTERS = "{type: naive_bayes}, {type: nearest_centroid}, {type: majority}"


def patients(
    rng: np.random.Generator, sizes: IntArray, d: int = 3, alike: float = 0.5, signal: float = 0.6
) -> pd.DataFrame:
    """Patients of two classes with so many rows each, which lie around a centre of their own."""
    y = rng.permutation(np.arange(len(sizes)) % 2)
    centre = rng.normal(size=(len(sizes), d))
    centre[:, :2] += signal * (2 * y[:, None] - 1)
    of_row = np.repeat(np.arange(len(sizes)), sizes)
    x = centre[of_row] + alike * rng.normal(size=(len(of_row), d))
    frame = pd.DataFrame(x.round(4), columns=[f"x{i}" for i in range(d)])
    return frame.assign(patient=[f"p{i}" for i in of_row], kind=np.where(y[of_row], "yes", "no"))


UNEQUAL = np.array([1, 1, 2, 3, 5, 8, 2, 1, 4, 12, 2, 3, 1, 6, 2, 2, 3, 1, 4, 5, 1, 2, 7, 1])


def home(
    tmp_path: Path,
    frame: pd.DataFrame,
    keys: str = "groups: patient",
    sizes: str = "[3, 9, 17]",
    n_splits: int = SPLITS,
    fitters: str = FITTERS,
) -> Path:
    """A config and its data, shuffled."""
    tmp_path.mkdir(exist_ok=True)
    shuffled = frame.sample(frac=1, random_state=1)
    shuffled.to_csv(tmp_path / "my.csv", index=False)
    text = CONFIG.format(keys=keys, sizes=sizes, splits=n_splits, fitters=fitters)
    (tmp_path / "my.yaml").write_text(text)
    return tmp_path / "my.yaml"


def loaded(path: Path) -> Problem:
    problem = load(plan.make(config.load(path)), "packaged", None, offline=True)[0]["sick"]
    assert isinstance(problem, Problem)
    return problem


def done(path: Path, **options: object) -> Run:
    run(plan.make(config.load(path)), path.parent / "out", "my", **options)
    return reading.read(path.parent / "out")


@pytest.fixture(scope="module")
def unequal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = home(tmp_path_factory.mktemp("g") / "u", patients(np.random.default_rng(0), UNEQUAL))
    done(path)
    return path


@pytest.mark.slow
def test_no_group_is_on_both_sides_and_sizes_count_groups(unequal: Path) -> None:
    problem = loaded(unequal)
    units = problem.units
    assert (units.n, problem.provenance.groups) == (24, 24)
    assert sorted(units.sizes) == sorted(UNEQUAL)
    assert problem.features == ("x0", "x1", "x2")
    drawn = splits.training_sets(units.kinds(problem.y), [3, 9, 17], range(SPLITS), 0, "sick")
    rows = files.read_rows(unequal.parent / "out", "sick")
    for m, groups in drawn.items():
        n_train = units.sizes[groups].sum(axis=1)
        own = rows[rows["m"] == m]
        for _, each in own.groupby("fitter"):
            assert each.sort_values("split")["n_train"].tolist() == n_train.tolist()
        assert (own["n_train"] + own["n_test"] == len(problem.y)).all()
        for sets, training in units.by_number_of_rows(groups):
            for number, each in zip(sets, training, strict=True):
                test = np.setdiff1d(np.arange(len(problem.y)), each)
                assert not set(units.of_row[each]) & set(units.of_row[test])
                assert set(units.of_row[each]) == set(groups[number].tolist())
                assert len(set(problem.y[each].tolist())) == 2


def losses(problem: Problem, groups: IntArray, name: str) -> FloatArray:
    """Whether each row is misclassified by a rule that is fitted to some groups, set by set."""
    wrong = np.empty((len(groups), len(problem.y)))
    for b, each in enumerate(groups):
        rows = np.flatnonzero(np.isin(problem.units.of_row, each))
        low, high = problem.x[rows].min(axis=0), problem.x[rows].max(axis=0)
        x = (problem.x - low) / (high - low)
        batch = Batch(x[None, rows], problem.y[None, rows], (0,) * 3, 2, problem.features, None)
        rules = REGISTRY[name]().fit(batch, np.random.default_rng(0)).rules
        wrong[b] = (rules.weights[0, 0, 0] @ np.column_stack([np.ones(len(x)), x]).T > 0) != (
            problem.y == 1
        )
    return wrong


def jackknife(
    difference: FloatArray, trained: FloatArray, of_row: IntArray
) -> tuple[float, float, float]:
    """Mean difference (J, n), half of its interval, and Nadeau & Bengio's: group by group."""
    J, G = trained.shape
    m = int(trained[0].sum())

    def mean(b: int, without: int = -1) -> float:
        some = ~trained[b, of_row] & (of_row != without)
        return float(difference[b, some].mean())

    D = np.array([mean(b) for b in range(J)])
    influence, noise, test, test_noise = np.zeros((4, G))
    for g in range(G):
        off = np.flatnonzero(~trained[:, g])
        on = np.flatnonzero(trained[:, g])
        less = np.array([mean(b, g) for b in off])
        pi = len(on) / J
        influence[g] = D.mean() - less.mean()
        noise[g] = pi**2 * D[on].var(ddof=1) / len(on)
        noise[g] += ((1 - pi) * D[off] - less).var(ddof=1) / len(off)
        own = D[off] + (G - m - 1) * (D[off] - less)
        test[g] = own.mean() - D.mean()
        test_noise[g] = own.var(ddof=1) / len(off)
    v = (G - 1) / G * np.sum(influence**2 - noise)
    v_test = G / (G - 1) * np.sum(test**2) / G**2 - np.sum(test_noise) / G**2
    s2 = D.var(ddof=1)
    t = stats.t.ppf(0.975, [G - 1, J - 1])
    half_width = t[0] * np.sqrt(max(v, v_test, 0.0) + s2 / J)
    return float(D.mean()), float(half_width), float(t[1] * np.sqrt((1 / J + (G - m) / m) * s2))


@pytest.mark.slow
@pytest.mark.parametrize("m", [3, 9])
def test_the_interval_is_a_jackknife_over_groups(unequal: Path, m: int) -> None:
    """Against the formula with loops over groups and splits, from fits outside a run."""
    problem = loaded(unequal)
    units = problem.units
    kinds = units.kinds(problem.y)
    groups = splits.training_sets(kinds, [3, 9, 17], range(SPLITS), 0, "sick")[m]
    trained = np.zeros((SPLITS, units.n), dtype=bool)
    np.put_along_axis(trained, groups, True, axis=1)
    names = ("nearest_centroid", "majority")
    a, b = (losses(problem, groups, name) for name in names)
    difference, half_width, widest = jackknife(a - b, trained, units.of_row)
    table = reading.read(unequal.parent / "out").comparisons
    (row,) = table[
        (table["measure"] == "error")
        & (table["m"] == m)
        & (table["fitter_a"] == names[0])
        & (table["fitter_b"] == names[1])
    ].itertuples()
    assert row.difference == pytest.approx(difference, abs=1e-12)
    assert half_width < widest
    assert (row.high - row.low) / 2 == pytest.approx(half_width, rel=1e-5)
    assert row.interval == "jackknife"


def content(folder: Path) -> dict[str, bytes]:
    names = ["curves.csv", "crossings.csv", "comparisons.csv", "outlook.csv"]
    paths = [*(folder / name for name in names), *(folder / "splits").rglob("*.*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.slow
def test_groups_of_one_row_give_the_numbers_of_rows_to_the_byte(tmp_path: Path) -> None:
    frame = patients(np.random.default_rng(1), np.ones(40, dtype=int))
    sampled = FITTERS + ", {type: logistic_regression}, {type: penalised_logistic, strength: cv}"
    found = [
        content(done(home(tmp_path / keys[:4], frame, keys, fitters=sampled)).folder)
        for keys in ("groups: patient", "drop: [patient]")
    ]
    assert len(found[0]) == 4 + 2 * 3
    assert found[0] == found[1]


@pytest.mark.slow
def test_resumed_to_the_byte_with_one_process_or_two(unequal: Path, tmp_path: Path) -> None:
    again = shutil.copytree(unequal.parent / "out", tmp_path / "out")
    chunks = sorted((again / "splits" / "sick").glob("*.csv"))
    assert len(chunks) == 3
    chunks[1].unlink()
    run(plan.make(config.load(unequal)), again, "my", mode="resume", jobs=2)
    assert content(again) == content(unequal.parent / "out")


def test_other_groups_are_other_data(unequal: Path, tmp_path: Path) -> None:
    frame = patients(np.random.default_rng(0), UNEQUAL)
    frame.loc[0, "patient"] = "p9"
    path = home(tmp_path / "o", frame)
    shutil.copytree(unequal.parent / "out", path.parent / "out")
    with pytest.raises(UserError, match="sha256 of the data of sick was"):
        done(path, mode="resume")


@pytest.mark.slow
def test_blocks_of_groups_say_what_groups_say(unequal: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(sums, "MOST_BYTES", 1)
    monkeypatch.setattr(sums, "LEAST_BLOCKS", 12)
    blocks = done(home(tmp_path / "b", patients(np.random.default_rng(0), UNEQUAL)))
    with np.load(next((blocks.folder / "splits" / "sick").glob("*.npz"))) as file:
        assert file["units"].tolist() == [2] * 12
    whole = reading.read(unequal.parent / "out").comparisons
    assert blocks.comparisons["difference"].tolist() == whole["difference"].tolist()
    ratio = (blocks.comparisons["high"] - blocks.comparisons["low"]) / (
        whole["high"] - whole["low"]
    )
    assert ratio.median() == pytest.approx(1, abs=0.3)


@pytest.mark.slow
def test_nearly_equal_rows_on_both_sides_make_errors_look_small(tmp_path: Path) -> None:
    """150 patients of four rows: by groups the error is that on new ones, by rows far below."""
    errors: dict[str, list[float]] = {"group": [], "row": [], "new": []}
    for seed in range(5):
        frame = patients(np.random.default_rng(seed), np.full(150, 4), 12, 0.05, 0.4)
        for how, keys, sizes in (
            ("group", "groups: patient", "[135]"),
            ("row", "drop: [patient]", "[540]"),
        ):
            path = home(
                tmp_path / f"{how}{seed}", frame, keys, sizes, 20, "{type: logistic_regression}"
            )
            errors[how].append(float(done(path).curves["error_mean"].iloc[0]))
        new = patients(np.random.default_rng(100 + seed), np.full(2000, 1), 12, 0.05, 0.4)
        errors["new"].append(_on_new(frame, new, seed))
    by_group, by_row, truth = (np.mean(errors[key]) for key in ("group", "row", "new"))
    assert by_group == pytest.approx(truth, abs=0.02)
    assert by_row < by_group - 0.025


@pytest.mark.slow
def test_the_folds_of_a_strength_hold_whole_groups(tmp_path: Path) -> None:
    """Four nearly equal rows say of the strength what one does, so that loss is about the same."""
    frame = patients(np.random.default_rng(3), np.full(60, 4), 8, 0.05, 0.35)
    losses = [
        done(
            home(
                tmp_path / how, rows, sizes="[20]", n_splits=36,
                fitters="{type: penalised_logistic, strength: cv}",
            )
        ).curves["logloss_mean"].item()
        for how, rows in (("four", frame), ("one", frame.drop_duplicates("patient")))
    ]  # fmt: skip
    assert losses[0] == pytest.approx(losses[1], abs=0.1)  # by rows it would be about 5


def _on_new(frame: pd.DataFrame, new: pd.DataFrame, seed: int) -> float:
    """Error on new patients of scikit-learn's logistic regression, from 135 of the patients."""
    from sklearn.linear_model import LogisticRegression

    inputs = [f"x{i}" for i in range(12)]
    rng = np.random.default_rng(seed)
    wrong = []
    for _ in range(10):
        some = frame[frame["patient"].isin(rng.permutation(frame["patient"].unique())[:135])]
        rule = LogisticRegression(C=1e6, max_iter=1000).fit(some[inputs], some["kind"])
        wrong.append(np.mean(rule.predict(new[inputs]) != new["kind"]))
    return float(np.mean(wrong))


def test_two_columns_say_which_rows_stay_together(tmp_path: Path) -> None:
    """As one that holds both: numbers of patients that begin anew in every centre."""
    frame = patients(np.random.default_rng(2), UNEQUAL)
    number = frame["patient"].str[1:].astype(int)
    frame["centre"] = np.where(number % 2, "north", "south")
    frame["number"] = number // 2
    both = loaded(home(tmp_path / "two", frame.drop(columns="patient"), "groups: [centre, number]"))
    one = loaded(home(tmp_path / "one", frame.drop(columns=["centre", "number"])))
    assert both.units.n == one.units.n == len(UNEQUAL)
    for here, there in ((both, one), (one, both)):  # the same rows together
        assert here.units.of_row is not None
        pairs = {*zip(here.units.of_row.tolist(), there.units.of_row.tolist(), strict=True)}
        assert len(pairs) == len(UNEQUAL)
    frame.loc[4, "centre"] = None
    problem = loaded(home(tmp_path / "gap", frame, "groups: [centre, number], drop: [patient]"))
    expected = "columns 'centre' and 'number': 1 row without a value is a group of its own"
    assert any(expected in each for each in notes({"s": problem}))


def test_rows_without_a_group_are_one_each(tmp_path: Path) -> None:
    frame = patients(np.random.default_rng(2), UNEQUAL)
    frame.loc[[4, 40], "patient"] = None
    problem = loaded(home(tmp_path / "m", frame))
    named = frame["patient"].nunique()
    assert problem.units.n == named + 2
    expected = "file my.csv, column 'patient': 2 rows without a value are a group each"
    assert any(expected.removeprefix("file my.csv") in each for each in notes({"s": problem}))


@pytest.mark.slow
def test_a_class_in_one_group_alone_is_noted_and_run(tmp_path: Path) -> None:
    frame = patients(np.random.default_rng(3), UNEQUAL)
    frame["kind"] = np.where(frame["patient"] == "p9", "third", frame["kind"])
    path = home(tmp_path / "c", frame, n_splits=20)
    (note,) = [each for each in loaded(path).provenance.notes if "alone" in each]
    assert "class 'third' is in one group alone, so that no split both learns and tests it" in note
    assert np.isfinite(done(path).curves["error_mean"]).all()


@pytest.mark.parametrize(
    ("keys", "sizes", "message"),
    [
        ("groups: patient, stratified: true", "[4]", "drawn by 'groups', whose rows may be of any"),
        ("groups: patient", "[24]", "sick has 24 groups of data set 'my.csv', .* write 23 or less"),
        ("groups: kind", "[4]", "'kind' is the target and stands under 'groups' too"),
        ("groups: patent", "[4]", "no column 'patent', named under 'groups'; did you mean"),
        ("groups: patient, drop: [patient]", "[4]", "stands twice under .* and 'groups'"),
        ("groups: few", "[2]", "sick has 2 groups by 'few', and takes 3 at least"),
    ],
)
def test_refused(tmp_path: Path, keys: str, sizes: str, message: str) -> None:
    frame = patients(np.random.default_rng(0), UNEQUAL)
    frame["few"] = np.where(np.arange(len(frame)) < 9, "a", "b")
    path = home(tmp_path / "r", frame, keys, sizes)
    with pytest.raises(UserError, match=message) as error:
        loaded(path)
    assert "my.yaml:7: experiments[0]." in str(error.value)


def test_laws_have_no_groups(tmp_path: Path) -> None:
    (tmp_path / "law.yaml").write_text(
        "splits: 3\nsizes: [5]\nexperiments: [{name: e, simulate: ce_diag, groups: a}]\n"
        "fitters: [{type: majority}]\n"
    )
    with pytest.raises(UserError, match="does not go with 'simulate'; leave out 'groups'"):
        config.load(tmp_path / "law.yaml")


def test_numbers_do_not_depend_on_the_order_of_rows_nor_on_how_groups_are_spelled(
    tmp_path: Path,
) -> None:
    frame = patients(np.random.default_rng(0), UNEQUAL)
    numbered = frame.assign(patient=frame["patient"].str[1:].astype(float))
    first = loaded(home(tmp_path / "a", frame))
    second = loaded(home(tmp_path / "b", numbered.iloc[::-1]))
    assert np.array_equal(first.x, second.x)
    assert np.array_equal(first.units.of_row, second.units.of_row)


def test_units_of_a_problem_survive_being_stored(unequal: Path, tmp_path: Path) -> None:
    problem = loaded(unequal)
    problem.save(tmp_path / "p")
    assert np.array_equal(Problem.load(tmp_path / "p").units.of_row, problem.units.of_row)
    assert Units.rows(5).kinds(np.array([0, 1, 1, 0, 2])).tolist() == [0, 1, 1, 0, 2]
