"""The classifiers, by the name that stands under `fitters:` in a config."""

from __future__ import annotations

from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.estimator import Estimator
from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.lda import LDA
from gdcurves.fitters.least_squares import LeastSquares
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.majority import Majority
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.nearest_centroid import NearestCentroid
from gdcurves.fitters.needs import Needs
from gdcurves.fitters.penalised_logistic import PenalisedLogistic
from gdcurves.fitters.qda import QDA
from gdcurves.fitters.rules import FunctionRules, LinearRules
from gdcurves.fitters.tree import Tree
from gdcurves.fitters.zero_one import ZeroOne
from gdcurves.plugins import Registry

__all__ = [
    "REGISTRY",
    "Batch",
    "Diagnostics",
    "Fit",
    "Fitter",
    "FunctionRules",
    "LinearFit",
    "LinearRules",
    "Needs",
]

REGISTRY: Registry[type[Fitter]] = Registry(
    "fitters",
    "Fitter",
    lambda each: isinstance(each, type) and issubclass(each, Fitter),
    {
        "naive_bayes": NaiveBayes,
        "tree": Tree,
        "logistic_regression": LogisticRegression,
        "nearest_centroid": NearestCentroid,
        "lda": LDA,
        "qda": QDA,
        "hybrid": Hybrid,
        "least_squares": LeastSquares,
        "majority": Majority,
        "penalised_logistic": PenalisedLogistic,
        "zero_one": ZeroOne,
        "sklearn": Estimator,
    },
)
