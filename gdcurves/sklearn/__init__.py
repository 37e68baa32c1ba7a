"""The classifiers as estimators of scikit-learn: `gdcurves.sklearn.NaiveBayes` and so on.

There is one for every type that `gdcurves fitters` lists, under the name of its class, with the
type's options as parameters: `NaiveBayes`, `LogisticRegression`, `PenalisedLogistic`,
`NearestCentroid`, `LDA`, `Hybrid`, `Majority`. `CLASSES` has them all.
"""

from __future__ import annotations

from gdcurves.errors import UserError

try:
    from gdcurves.sklearn.estimator import Classifier, made_of
except ImportError as error:
    raise UserError(
        f"gdcurves.sklearn: {error}; install what it needs: pip install 'gdcurves[sklearn]'"
    ) from None

from gdcurves.fitters import REGISTRY
from gdcurves.fitters.estimator import Estimator

CLASSES: dict[str, type[Classifier]] = {
    fitter.__name__: made_of(fitter, __name__)
    for fitter in REGISTRY.values()
    if fitter is not Estimator  # which has those of scikit-learn itself
}
__all__ = ["CLASSES", "Classifier", *CLASSES]


def __getattr__(name: str) -> type[Classifier]:
    """Return the estimator of this name."""
    if name not in CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return CLASSES[name]


def __dir__() -> list[str]:
    return __all__
