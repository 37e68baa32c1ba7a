"""The classifiers, by the name that stands under `fitters:` in a config."""

from __future__ import annotations

from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit
from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.lda import LDA
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.nearest_centroid import NearestCentroid

__all__ = ["REGISTRY", "Batch", "Fit", "Fitter"]

REGISTRY: dict[str, type[Fitter]] = {
    "naive_bayes": NaiveBayes,
    "logistic_regression": LogisticRegression,
    "nearest_centroid": NearestCentroid,
    "lda": LDA,
    "hybrid": Hybrid,
}
