"""Classes of scikit-learn as classifiers: what they score, and what a config may not name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import kills
import numpy as np
import pytest
import quiet
from conftest import Call
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from gdcurves import config, plan
from gdcurves.errors import UserError
from gdcurves.fitters import Batch, FunctionRules
from gdcurves.fitters.estimator import SEEDS, Estimator
from gdcurves.run import reading

RNG = np.random.default_rng(0)
LEVELS = (0, 0, 3)
X = np.column_stack([RNG.normal(size=(60, 2)), RNG.integers(3, size=60)])
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(np.int64) + (X[:, 2] == 2)
ONE_HOT = np.column_stack([X[:, :2], X[:, 2:] == np.arange(3)])

CONFIG = """
splits: 4
sizes: [12, 30]
chunk: 2
experiments: [{{name: e, data: vote, missing: level}}]
fitters:
  - {{type: naive_bayes}}
  - {{type: sklearn, name: other, {options}}}
"""


def scores(fitter: Estimator, x: Any = X, y: Any = Y, test: Any = X) -> Any:
    """Scores (n, K) of three classes, of rows by the fit to some."""
    batch = Batch(x[None], y[None], LEVELS, 3)
    rules = fitter.fit(batch, np.random.default_rng(7)).rules
    assert isinstance(rules, FunctionRules)
    return rules.score(0, test)[0]


def planned(tmp_path: Path, options: str, **given: Any) -> plan.Plan:
    text = CONFIG.format(options=options)
    return plan.make(config.load_text(text, tmp_path / "my.yaml"), **given)


def test_probabilities_are_those_of_the_class() -> None:
    """A forest is the same one, with the seed that is drawn for it."""
    fitter = Estimator(
        estimator="sklearn.ensemble.RandomForestClassifier", params={"n_estimators": 12}
    )
    seed = int(np.random.default_rng(7).integers(SEEDS, size=1)[0])
    theirs = RandomForestClassifier(n_estimators=12, random_state=seed).fit(ONE_HOT, Y)
    assert np.exp(scores(fitter)) == pytest.approx(theirs.predict_proba(ONE_HOT), abs=1e-12)


def test_a_class_without_training_rows_is_impossible() -> None:
    fitter = Estimator(estimator="sklearn.linear_model.LogisticRegression")
    two = np.flatnonzero(Y != 1)
    found = scores(fitter, X[two], Y[two])
    assert np.isneginf(found[:, 1]).all()
    theirs = LogisticRegression().fit(ONE_HOT[two], Y[two])
    assert np.exp(found[:, [0, 2]]) == pytest.approx(theirs.predict_proba(ONE_HOT), abs=1e-9)


def test_scores_where_there_are_no_probabilities() -> None:
    fitter = Estimator(estimator="sklearn.svm.LinearSVC", encode="ordinal", standardise=True)
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    mean[2], deviation[2] = 0.0, 1.0  # codes stay as they are
    rows = (X - mean) / deviation
    seed = int(np.random.default_rng(7).integers(SEEDS, size=1)[0])
    theirs = LinearSVC(random_state=seed).fit(rows, Y)
    assert scores(fitter) == pytest.approx(theirs.decision_function(rows), abs=1e-9)
    two = np.flatnonzero(Y > 0)
    found = scores(fitter, X[two], Y[two])
    assert (found[:, 1] == 0).all()
    assert np.isneginf(found[:, 0]).all()


def test_predictions_where_there_are_no_scores() -> None:
    name = "sklearn.linear_model.Perceptron"
    assert np.isfinite(scores(Estimator(estimator=name))).all()
    fitter = Estimator(estimator="sklearn.neighbors.RadiusNeighborsClassifier")
    assert np.exp(scores(fitter)).sum(axis=1) == pytest.approx(1.0)


def test_it_is_the_penalised_logistic_regression_that_we_fit(tmp_path: Path) -> None:
    """In a whole run, by all measures, to scikit-learn's tolerance."""
    text = CONFIG.format(
        options="estimator: sklearn.linear_model.LogisticRegression,"
        " params: {tol: 1.0e-8, max_iter: 1000}"
    )
    text = text.replace("{type: naive_bayes}", "{type: penalised_logistic, standardise: false}")
    text += "measures: [error, balanced_error, auc, brier, logloss]\n"
    quiet.run(plan.make(config.load_text(text, tmp_path / "my.yaml")), tmp_path / "out", "my")
    curves = reading.read(tmp_path / "out").curves
    ours, theirs = (curves[curves["fitter"] == name] for name in ("penalised_logistic", "other"))
    means = [name for name in curves.columns if name.endswith("_mean")]
    assert len(means) == 5
    for name in means:
        assert ours[name].tolist() == pytest.approx(theirs[name].tolist(), abs=2e-5)


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "logging.os.system",
        "builtins.eval",
        "subprocess.Popen",
        "sklearn.os.system",
        "sklearn.utils.os.system",
        "sklearn.utils.fixes.sys",
        "sklearn.svm",
        "sklearn.svm.SVC.fit",
        "sklearn.svm.SVC()",
        "sklearn.svm._classes.SVC",
        "sklearn.svm.__loader__.load_module",
        "sklearn..svm.SVC",
        ".sklearn.svm.SVC",
        "sklearn/svm/SVC",
        "sklearn.svm.SVC\\nimport os",
        "sklearnx.svm.SVC",
        "SKLEARN.svm.SVC",
        "sklearn.svm.SVR",
        "sklearn.cluster.KMeans",
        "sklearn.base.ClassifierMixin",
        "sklearn.preprocessing.StandardScaler",
        "sklearn.datasets.load_files",
        "gdcurves.fitters.majority.Majority",
        "pickle.Unpickler",
        "",
    ],
)
def test_names_that_a_config_may_not_have(tmp_path: Path, name: str) -> None:
    before = {*sys.modules}
    with pytest.raises(UserError) as caught:
        planned(tmp_path, f'estimator: "{name}"')
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{tmp_path}/my.yaml:8: fitters[1].estimator: ")
    imported = {each.partition(".")[0] for each in {*sys.modules} - before}
    assert imported <= {"sklearn", "numpy", "scipy", "joblib"}  # those of scikit-learn itself


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ("{n_estimator: 3}", "no parameter 'n_estimator'; did you mean 'n_estimators'"),
        ("{__class__: os}", "no parameter '__class__'"),
        ("{n_estimators: -3}", "The 'n_estimators' parameter of RandomForestClassifier must be"),
        ("{n_estimators: {a: 1}}", "The 'n_estimators' parameter of RandomForestClassifier must"),
        ("{criterion: os.system}", "The 'criterion' parameter of RandomForestClassifier must be"),
        ("{n_jobs: 4}", "the run itself works in parallel; leave 'n_jobs' out"),
        ("{random_state: 4}", "each fit has a seed of its own"),
        ("[3]", "a mapping of parameters to numbers, texts, true, false"),
    ],
)
def test_parameters_that_a_config_may_not_have(tmp_path: Path, params: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        planned(tmp_path, f"estimator: sklearn.ensemble.RandomForestClassifier, params: {params}")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "fitters[1].params" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ensemble.VotingClassifier", "cannot be made without 'estimators'; give that under"),
        ("multiclass.OneVsRestClassifier", "cannot be made without 'estimator'; give that under"),
        ("model_selection.GridSearchCV", "is no classifier by itself"),
        ("pipeline.Pipeline", "is no classifier by itself"),
    ],
)
def test_what_is_made_of_other_classifiers_has_a_way(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        planned(tmp_path, f"estimator: sklearn.{name}")
    assert "write a class of your own that makes it" in str(caught.value)


@pytest.fixture
def own_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package of someone else's with a classifier."""
    (tmp_path / "theirs_of_test.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n"
        "__version__ = '1.2'\n"
        "class Stump(DecisionTreeClassifier):\n"
        "    def __init__(self, random_state=None):\n"
        "        super().__init__(max_depth=1, random_state=random_state)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return "theirs_of_test.Stump"


def test_another_package_is_let_in_by_the_user_alone(tmp_path: Path, own_package: str) -> None:
    options = f"estimator: {own_package}"
    with pytest.raises(UserError, match="if you trust it, give --allow theirs_of_test"):
        planned(tmp_path, options)
    assert "theirs_of_test" not in sys.modules
    made = planned(tmp_path, options, allowed=["theirs_of_test"])
    assert made.packages == ("theirs_of_test",)


@pytest.mark.slow
def test_on_the_command_line(call: Call, tmp_path: Path) -> None:
    lines = ["x,z,y", *(f"{i * 37 % 101},{i * 7 % 5}.5,{'ab'[i * i % 7 % 2]}" for i in range(60))]
    (tmp_path / "my.csv").write_text("\n".join(lines) + "\n")
    name = "sklearn.tree.DecisionTreeClassifier"
    given = ("--data", "my.csv", "--target", "y", "--splits", "4", "--sizes", "10,40")
    ran = call("run", *given, "--fitters", f"naive_bayes,{name}", "--out", "a")
    assert ran.code == 0
    assert f"DecisionTreeClassifier: {name}()" in ran.out
    drafted = call("config", "init", "my.csv", "--target", "y", "--fitters", name)
    assert f"- {{type: sklearn, name: DecisionTreeClassifier, estimator: {name}}}" in drafted.out
    for wrong, said in (
        ("sklearn", "or the name of a class, such as sklearn.ensemble.RandomForestClassifier"),
        ("sklearn.tree.DecisionTree", "has no class 'DecisionTree' of its own"),
        ("os.system", "give --allow os"),
    ):
        refused = call("run", *given, "--fitters", wrong, "--out", "b")
        assert (refused.code, said in refused.err) == (2, True)


@pytest.mark.process
def test_the_same_bytes_with_one_process_and_with_two_that_were_killed(
    call: Call, tmp_path: Path
) -> None:
    text = CONFIG.replace("splits: 4", "splits: 24").format(
        options="estimator: sklearn.ensemble.RandomForestClassifier, params: {n_estimators: 4}"
    )
    (tmp_path / "my.yaml").write_text(text)
    assert call("run", "--config", "my.yaml", "--jobs", "1", "--out", "1").code == 0
    two = kills.command(tmp_path / "my.yaml", tmp_path / "2")
    with kills.start(two) as process:
        kills.wait_until(lambda: kills.chunks_done(tmp_path / "2") > 1)
        process.kill()
    assert kills.state(tmp_path / "2") == "running"
    assert 1 < kills.chunks_done(tmp_path / "2") < 12
    assert call(*two[len(kills.PROGRAM) :], "--resume").code == 0
    assert kills.tables(tmp_path / "2") == kills.tables(tmp_path / "1")
    assert '"sklearn": "' in (tmp_path / "1" / "manifest.json").read_text()
