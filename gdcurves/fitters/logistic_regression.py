"""Logistic regression by maximum likelihood, with its limit where there is no maximum."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.fitters.batch import Batch, LinearFit
from gdcurves.fitters.discriminative import Discriminative
from gdcurves.fitters.likelihood import Likelihood
from gdcurves.fitters.maps import LINEAR
from gdcurves.fitters.population import Population
from gdcurves.logistic.simplex import corners, others


class LogisticRegression(Discriminative):
    """Ng & Jordan (2001), equation (3) and footnote 2; for K classes the softmax of K scores.

    The scores are <w_k, x> with weights that sum to zero over the classes, so a vector to be drawn
    is a matrix W, and the uniform measure is the one on the unit sphere of these matrices,
    intercepts included. For two classes it is that of the difference w_1 - w_0. Ties, outcomes and
    draws: see `Discriminative`.
    """

    summary: ClassVar[str] = "logistic regression without penalty; uniform draw where separable"

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity: each feature of each class is a score of its own."""
        n_others = law.statistics.n.shape[1] - 1
        q = law.statistics.layout.n_columns
        ratios = np.zeros((n_others, n_others, q - 1, q))
        for k in range(n_others):
            ratios[k, k, :, 1:] = np.eye(q - 1)
        ratios = ratios.reshape(n_others, n_others * (q - 1), q)
        fit = law.best(ratios, LINEAR, np.ones(ratios.shape[1]))
        return replace(fit, diagnostics=replace(fit.diagnostics, theta=None))

    def likelihood(self, batch: Batch) -> Likelihood:
        """Likelihoods of training sets in which every class is present."""
        corner = corners(batch.n_classes)
        n_others = batch.n_classes - 1
        edges = corner[batch.y][:, :, None] - corner[others(batch.n_classes)[batch.y]]
        design = batch.design
        rows = edges[:, :, :, :, None] * design[:, :, None, None, :]
        from_first = corner[1:] - corner[0]

        def to_rules(v: FloatArray) -> FloatArray:
            by_corner = v.reshape(*v.shape[:2], n_others, design.shape[2])
            rules: FloatArray = np.einsum("kc,rbcq->rbkq", from_first, by_corner)
            return rules

        n_sets, m, q = design.shape
        return Likelihood(rows.reshape(n_sets, m * n_others, n_others * q), n_others, to_rules)
