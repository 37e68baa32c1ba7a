"""Any classifier with the interface of scikit-learn, named in a config.

A config may come from anywhere, so it names classes and plain values, and nothing else: a class of
scikit-learn itself, or of a package that the user, not the config, has let in.
"""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Collection, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.config.strict import unlike
from gdcurves.errors import MisfitError
from gdcurves.fitters import features
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit
from gdcurves.fitters.rules import FunctionRules, Gives
from gdcurves.words import suggest

PACKAGE = "sklearn"
SEEDS = 2**31  # of estimators that draw
# What scikit-learn says that hardly anyone would change in a run, and what would harm it.
_REFUSED = {
    "n_jobs": "the run itself works in parallel",
    "random_state": "each fit has a seed of its own, from that of the run",
}
# What to do about a class that is made of others, or of anything that is no plain value.
_OWN = "write a class of your own that makes it, as mine.Vote, and name that with --allow mine"


def _named(value: Any) -> Any:
    parts = value.split(".") if isinstance(value, str) else []
    if len(parts) < 2 or not all(each.isidentifier() and each[0] != "_" for each in parts):
        raise unlike("the name of a class, such as sklearn.ensemble.RandomForestClassifier")
    return value


def _plain(value: Any) -> Any:
    if not isinstance(value, Mapping) or not all(map(_is_plain, value.values())):
        raise unlike("a mapping of parameters to numbers, texts, true, false, null, or lists")
    return value


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, Mapping):
        return all(isinstance(key, str | int) and _is_plain(each) for key, each in value.items())
    return value is None or isinstance(value, bool | int | float | str)


class Estimator(Fitter):
    """Fits a class with scikit-learn's interface, one training set at a time.

    On the command line its name is enough: `--fitters naive_bayes,sklearn.svm.SVC`. A config names
    classes of scikit-learn alone; those of another package run with `--allow PACKAGE` on the
    command line.

    A row's class is the one of the largest probability (`predict_proba`), else of the largest score
    (`decision_function`), else the one predicted; of classes that are level, the first. Classes
    without training rows have probability zero. An estimator that draws gets a seed for each fit
    from that of the run.

    Attributes
    ----------
    estimator
        The class by its module and name, as `sklearn.ensemble.RandomForestClassifier`.
    params
        What it is made with, as `{n_estimators: 200}`.
    encode
        Discrete inputs one-hot, every level a column, or as their ordinal codes.
    standardise
        Whether continuous inputs are less their mean over the training rows, in units of their
        standard deviation there (divisor m), and not scaled where they are constant.
    """

    linear: ClassVar[bool] = False
    summary: ClassVar[str] = "a classifier of scikit-learn (with `pip install 'gdcurves[sklearn]'`)"

    estimator: Annotated[str, BeforeValidator(_named)]
    params: Annotated[dict[str, Any], BeforeValidator(_plain)] = {}  # noqa: RUF012 (pydantic's)
    encode: Literal["one_hot", "ordinal"] = "one_hot"
    standardise: bool = False

    @property
    def description(self) -> str:
        """Which class it is, and its parameters: see `Fitter`."""
        given = ", ".join(f"{key}={value!r}" for key, value in self.params.items())
        return f"{self.estimator}({given})"

    @property
    def packages(self) -> tuple[str, ...]:
        """Packages whose code computes rules: see `Fitter`."""
        return (self.estimator.partition(".")[0],)

    def ready(self, allowed: Collection[str] = ()) -> None:
        """Refuse what is no classifier, or may not be used: see `Fitter`."""
        package = self.packages[0]
        if package not in (PACKAGE, *allowed):
            raise MisfitError(
                f"a config may name classes of scikit-learn alone, and not {self.estimator!r}; if"
                f" you trust it, give --allow {package}",
                "estimator",
            )
        made = _class(self.estimator)
        lacking = [key for key in _required(made) if key not in self.params]
        if lacking:
            named = " and ".join(map(repr, lacking))
            raise MisfitError(
                f"{self.estimator} cannot be made without {named}; give that under 'params' in a"
                f" config if it is a plain value, or {_OWN}",
                "params",
            )
        known = _parameters(made)
        for key in self.params:
            if key in _REFUSED:
                raise MisfitError(f"{_REFUSED[key]}; leave {key!r} out", "params", key)
            if key not in known:
                raise MisfitError(
                    f"{self.estimator} has no parameter {key!r}; {suggest(key, known)}",
                    "params",
                    key,
                )
        self._try()

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit[FunctionRules]:
        """Fit every training set of the batch, each when it is scored: so one is held at a time."""
        n_sets = len(batch.y)
        seeds = rng.integers(SEEDS, size=n_sets)
        model = self._made(0)

        def score(b: int, x: NDArray[Any]) -> FloatArray:
            coded = self._coded(batch.x[b], batch.levels)
            mean, deviation = self._scale(coded, batch.levels)
            fitted = self._made(int(seeds[b])).fit((coded - mean) / deviation, batch.y[b])
            rows = (self._coded(x, batch.levels) - mean) / deviation
            return _scores(fitted, rows, batch.n_classes)[None]

        return Fit(FunctionRules(score, 1, n_sets, _gives(model)))

    def _made(self, seed: int) -> Any:
        """The estimator, not fitted; `seed` is for one that draws."""
        made = _class(self.estimator)
        drawn = {"random_state": seed} if "random_state" in _parameters(made) else {}
        return made(**self.params, **drawn)

    def _coded(self, x: NDArray[Any], levels: tuple[int, ...]) -> FloatArray:
        """Inputs x (n, d) as the estimator sees them, shape (n, p)."""
        if self.encode == "ordinal":
            return np.asarray(x, dtype=np.float64)
        return features.design(x, levels)[:, 1:]

    def _scale(self, coded: FloatArray, levels: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
        """What is taken from coded rows (m, p), and what they are divided by: shapes (p,)."""
        layout = features.Layout.of(levels)
        continuous = ~layout.discrete
        if self.encode == "one_hot":
            continuous = continuous[layout.owner]
        if not self.standardise:
            continuous = np.zeros_like(continuous)
        mean = np.where(continuous, coded.mean(axis=0), 0.0)
        deviation = np.where(continuous, coded.std(axis=0), 1.0)
        return mean, np.where(deviation > 0, deviation, 1.0)

    def _try(self) -> None:
        """Fit a few rows, to see whether values of parameters are possible; raises MisfitError."""
        x = np.random.default_rng(0).normal(size=(40, 3))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._made(0).fit(x, np.arange(40) % 2)
        except Exception as error:
            # Others may be of these rows: then the run tells, and goes on with other classifiers.
            if isinstance(error, TypeError) or type(error).__name__ == "InvalidParameterError":
                message = " ".join(str(error).split())
                raise MisfitError(f"{self.estimator}: {message}", "params") from None


@cache
def _class(name: str) -> Any:
    """The class of this name; raises MisfitError where it is no classifier of its package."""
    module, _, own = name.rpartition(".")
    package = name.partition(".")[0]
    try:
        named = getattr(importlib.import_module(module), own, None)
    except ModuleNotFoundError as error:
        if error.name == package:
            extra = f"pip install 'gdcurves[{PACKAGE}]'" if package == PACKAGE else "install it"
            raise MisfitError(f"{package} is not installed; {extra}", "estimator") from None
        raise MisfitError(f"there is no module {module!r}", "estimator") from None
    if not inspect.isclass(named) or named.__module__.partition(".")[0] != package:
        raise MisfitError(f"{module} has no class {own!r} of its own", "estimator")
    if not all(callable(getattr(named, each, None)) for each in ("fit", "predict", "get_params")):
        raise MisfitError(f"{name} is no classifier: it does not fit and predict", "estimator")
    if getattr(named, "_estimator_type", "classifier") != "classifier" or not _classifies(named):
        held = f" by itself; {_OWN}" if _required(named) else ""
        raise MisfitError(f"{name} is no classifier{held}", "estimator")
    if inspect.isabstract(named):
        raise MisfitError(f"{name} is what classifiers are made of, and none itself", "estimator")
    return named


def _classifies(named: type) -> bool:
    return any(each.__name__ == "ClassifierMixin" for each in named.__mro__)


@cache
def _parameters(made: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of a class: those of its `__init__`, which `get_params` returns."""
    named = inspect.signature(made.__init__).parameters
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {name: each for name, each in named.items() if name != "self" and each.kind not in kinds}


def _required(made: Any) -> tuple[str, ...]:
    """Names of the parameters of a class without which it cannot be made."""
    return tuple(
        name for name, each in _parameters(made).items() if each.default is inspect.Parameter.empty
    )


def _gives(model: Any) -> Gives:
    if hasattr(model, "predict_proba"):
        return "probabilities"
    return "scores" if hasattr(model, "decision_function") else "predictions"


def _scores(fitted: Any, x: FloatArray, n_classes: int) -> FloatArray:
    """What a fitted estimator makes of rows x (n, p): shape (n, K), see `FunctionRules`.

    Minus infinity for classes that it has not seen.
    """
    scores = np.full((len(x), n_classes), -np.inf)
    classes: IntArray = np.asarray(fitted.classes_)
    gives = _gives(fitted)
    if gives == "probabilities":
        with np.errstate(divide="ignore"):  # a probability of zero
            scores[:, classes] = np.log(fitted.predict_proba(x))
    elif gives == "scores":
        of_rows = fitted.decision_function(x)
        if of_rows.ndim == 1:
            of_rows = np.stack([np.zeros(len(x)), of_rows], axis=1)
        scores[:, classes] = of_rows
    else:
        scores[np.arange(len(x)), fitted.predict(x)] = 0.0
    return scores
