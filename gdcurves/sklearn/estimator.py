"""An estimator of scikit-learn around a classifier: one training set at a time, rows as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import Parameter, Signature
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from pydantic import ValidationError
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.config.explain import explain
from gdcurves.errors import UserError
from gdcurves.fitters import Batch, Fitter
from gdcurves.fitters.features import Layout
from gdcurves.fitters.majority import Majority
from gdcurves.fitters.needs import Needs
from gdcurves.fitters.rules import Gives, LinearRules, Rules
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.judgements import judgements
from gdcurves.scoring.pool import collect
from gdcurves.scoring.preparation import Preparation

OWN = {"discrete": (), "rescale": True, "random_state": None}
"""Parameters that all have, with their defaults."""


Method = TypeVar("Method", bound=Callable[..., FloatArray])


def _gives(*what: str) -> Callable[[Method], Method]:
    """Make a method that there is where the rules give one of these."""

    def check(self: Classifier) -> bool:
        return self._given() in what

    decorator: Callable[[Method], Method] = available_if(check)
    return decorator


class Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What all have in common; the parameters of each are its options in a config, and these.

    Where a training set has several rules, drawn at random, the first one is that of the estimator.

    Parameters
    ----------
    discrete
        Columns of X whose numbers are codes of levels: their numbers, or names if X has any, or
        "all". Rows to be predicted may have no other levels than the training rows.
    rescale
        Whether the other columns are brought to [0, 1] over the training rows, as `rescale: train`
        of a config does.
    random_state
        For classifiers that draw.

    Attributes
    ----------
    classes_
        The labels, in order, shape (K,).
    n_features_in_
        Number d of columns.
    feature_names_in_
        Their names, shape (d,), if X has any.
    fit_
        Rules and what the fit says of itself.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from gdcurves.sklearn import NaiveBayes
    >>> flowers = NaiveBayes(variance="per_class")
    >>> flowers
    NaiveBayes(variance='per_class')
    >>> cross_val_score(flowers, *load_iris(return_X_y=True)).round(2)
    array([0.93, 0.97, 0.93, 0.93, 1.  ])
    """

    fitter: ClassVar[type[Fitter]]

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to rows X (m, d) of classes y (m,).

        Raises ValueError for data or parameters that are none for this classifier.
        """
        X, y = validate_data(self, X, y)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        names = tuple(map(str, getattr(self, "feature_names_in_", ()))) or tuple(
            f"x{number}" for number in range(1, X.shape[1] + 1)
        )
        self._levels = self._found_levels(X)
        fitter = self._made(names)
        self._check(fitter.needs)
        x, levels = self._coded(X), tuple(map(len, self._levels))
        pool = collect(x, codes, levels, n_classes)
        layout = Layout.of(levels)
        rescales = self.rescale and len(layout.continuous) > 0
        self._preparation = Preparation(rescales, layout, np.zeros(0, dtype=np.int64), pool)
        ready, prepared = self._preparation.prepare(x[None])
        batch = Batch(ready, codes[None], levels, n_classes, names, self._preparation.centre)
        seed = check_random_state(self.random_state).randint(2**31)
        self.fit_ = prepared.rewrite(fitter.fit(batch, np.random.default_rng(seed)))
        return self

    def predict(self, X: Any) -> Any:
        """Class of each of rows X (n, d), shape (n,)."""
        predicted = self._judged(X).predicted[:, 0]
        return self.classes_[predicted.astype(np.int64)]

    @_gives("probabilities")
    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of each class for rows X (n, d), shape (n, K)."""
        judged = self._judged(X)
        return np.column_stack([judged.probability(k)[:, 0] for k in range(len(self.classes_))])

    @_gives("probabilities")
    def predict_log_proba(self, X: Any) -> FloatArray:
        """Logarithms of `predict_proba` of rows X (n, d), shape (n, K)."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    @_gives("probabilities", "scores")
    def decision_function(self, X: Any) -> FloatArray:
        """Score of class 1, or of each of K > 2, for rows X (n, d): shape (n,) or (n, K).

        Infinite where the rule decides before everything finite.
        """
        judged = self._judged(X)
        scores = np.column_stack([judged.score(k)[:, 0] for k in range(len(self.classes_))])
        if judged.excluded is not None:
            scores = np.where(judged.excluded[:, :, 0].T, -np.inf, scores)
        if scores.shape[1] > 2:
            return scores
        return np.asarray(scores[:, 1] - scores[:, 0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = issubclass(self.fitter, Majority)
        tags.classifier_tags.multi_class = self.fitter.needs.most_classes != 2
        return tags

    def _given(self) -> Gives | None:
        """What the rules give: tried on four rows before there are any, None if that fails."""
        if hasattr(self, "fit_"):
            rules: Rules = self.fit_.rules
            return rules.gives
        levels = 0 if "continuous" in self.fitter.needs.kinds else 2
        x = np.array([[[0], [1], [1], [0]]])
        batch = Batch(x if levels else x * 1.0, np.array([[0, 0, 1, 1]]), (levels,), 2, ("x1",))
        try:
            return self._made(batch.input_names).fit(batch, np.random.default_rng(0)).rules.gives
        except ValueError:
            return None

    def _judged(self, X: Any) -> Judged:
        """Rows X (n, d) as judged by the rule, (n, 1)."""
        check_is_fitted(self, "fit_")
        x = self._coded(validate_data(self, X, reset=False))
        own = self._preparation.pool
        y: IntArray = np.zeros(len(x), dtype=np.int64)
        pool = replace(collect(x, y, own.levels, own.n_classes), centre=own.centre)
        rules = self.fit_.rules
        if isinstance(rules, LinearRules):
            direction = None if rules.direction is None else rules.direction[:1]
            rules = replace(rules, weights=rules.weights[:1], direction=direction)
        outcome = self.fit_.diagnostics.outcome
        hard: BoolArray | None = None if outcome is None else outcome == Outcome.SEPARABLE
        ((_, judged),) = judgements(pool, rules, rules.gives == "probabilities", hard)
        return judged

    def _made(self, names: Sequence[str]) -> Fitter:
        """The classifier with its options, for inputs of these names; raises ValueError."""
        options = {key: value for key, value in self.get_params(False).items() if key not in OWN}
        try:
            fitter = self.fitter(**options)
            fitter.check(names)
        except ValidationError as error:
            details = error.errors()[0]
            key = ".".join(map(str, (*details["loc"], *details.get("ctx", {}).get("at", ()))))
            raise ValueError(f"{key}: {explain(details)}") from None
        except UserError as error:
            raise ValueError(str(error)) from None
        return fitter

    def _check(self, needs: Needs) -> None:
        """Refuse data that the classifier cannot take; raises ValueError."""
        name, n_classes = type(self).__name__, len(self.classes_)
        if n_classes < 2:
            raise ValueError("y holds one class, and a classifier tells two or more apart")
        if 0 < needs.most_classes < n_classes:
            only = "Only binary classification is supported: " * (needs.most_classes == 2)
            raise ValueError(f"{only}{name} tells {needs.most_classes} classes apart at most")
        kinds = {"discrete" if len(each) else "continuous" for each in self._levels}
        if kinds - needs.kinds:
            raise ValueError(f"{name} takes {needs.possible_kinds} inputs; see `discrete`")

    def _found_levels(self, X: FloatArray) -> list[FloatArray]:
        """Levels of each column of X (m, d), none of a continuous one; raises ValueError."""
        n_columns = X.shape[1]
        names = [*getattr(self, "feature_names_in_", ())]
        columns = range(n_columns) if self.discrete == "all" else self.discrete
        chosen = {names.index(each) if each in names else each for each in columns}
        if wrong := [each for each in chosen if each not in range(n_columns)]:
            raise ValueError(f"discrete: no column {wrong[0]!r} in X")
        return [np.unique(X[:, j]) if j in chosen else np.zeros(0) for j in range(n_columns)]

    def _coded(self, X: FloatArray) -> FloatArray | IntArray:
        """Rows X (n, d) with codes of levels for discrete columns (n, d); raises ValueError."""
        whole = all(map(len, self._levels))
        x: FloatArray | IntArray = X.astype(np.int32) if whole else X.astype(np.float64)
        for j, levels in enumerate(self._levels):
            if len(levels):
                codes = np.searchsorted(levels, X[:, j]).clip(max=len(levels) - 1)
                if (new := X[levels[codes] != X[:, j], j]).size:
                    raise ValueError(f"column {j} of X: no training row has the level {new[0]:g}")
                x[:, j] = codes
        return x


def made_of(fitter: type[Fitter], module: str) -> type[Classifier]:
    """Make the estimator of a classifier, whose options are its parameters."""
    options = {
        key: each.get_default(call_default_factory=True, validated_data={})
        for key, each in fitter.model_fields.items()
    }
    defaults = {**options, **OWN}

    def init(self: Classifier, **parameters: Any) -> None:
        if unknown := parameters.keys() - defaults.keys():
            raise TypeError(f"{fitter.__name__} has no parameter {min(unknown)!r}")
        for key, value in {**defaults, **parameters}.items():
            setattr(self, key, value)

    taken = [
        Parameter(key, Parameter.KEYWORD_ONLY, default=default) for key, default in defaults.items()
    ]
    own = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    init.__signature__ = Signature([own, *taken])  # type: ignore[attr-defined]
    content = {
        "__init__": init,
        "__doc__": fitter.__doc__,
        "__module__": module,
        "fitter": fitter,
    }
    return type(fitter.__name__, (Classifier,), content)
