"""The classifiers as estimators of scikit-learn: `gdcurves.sklearn.NaiveBayes` and so on.

There is one for every type that `gdcurves fitters` lists, under the name of its class and with the
type's options as parameters: `NaiveBayes`, `LogisticRegression`, `PenalisedLogistic`, `LDA`, ...,
those of other packages too. `classes()` has them all.
"""

from __future__ import annotations

from functools import cache

from gdcurves.errors import UserError

try:
    from gdcurves.sklearn.estimator import Classifier, made_of
except ImportError as error:
    raise UserError(
        f"gdcurves.sklearn: {error}; install what it needs: pip install 'gdcurves[sklearn]'"
    ) from None

from gdcurves.fitters import REGISTRY
from gdcurves.fitters.estimator import Estimator

__all__ = ["Classifier", "classes"]


@cache
def classes() -> dict[str, type[Classifier]]:
    """All of them by their names."""
    made: dict[str, type[Classifier]] = {}
    for fitter in REGISTRY.values():
        if fitter is not Estimator:  # which has those of scikit-learn itself
            made.setdefault(fitter.__name__, made_of(fitter, __name__))
    return made


def __getattr__(name: str) -> type[Classifier]:
    """Return the estimator of this name."""
    if name.startswith("_") or name not in classes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return classes()[name]


def __dir__() -> list[str]:
    return [*__all__, *classes()]
