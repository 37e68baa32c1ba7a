"""Naive Bayes with a tree of dependences, and its discriminative twin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.chow_liu import information, trees
from gdcurves.fitters.densities import Addend
from gdcurves.fitters.discriminative import Discriminative
from gdcurves.fitters.features import Layout
from gdcurves.fitters.generative import against_first, exclude_absent
from gdcurves.fitters.likelihood import Likelihood, softmax
from gdcurves.fitters.maps import LEVEL_PAIRS
from gdcurves.fitters.naive_bayes import Prior, log_prior
from gdcurves.fitters.needs import Needs
from gdcurves.fitters.population import Population
from gdcurves.fitters.rules import LinearRules
from gdcurves.logistic.batched import gram

# Counts of pairs of levels are held for a slice of the batch at a time, about 32 MB.
SLICE_ENTRIES = 4_000_000


class Tree(Discriminative):
    """Tree-augmented naive Bayes (Friedman, Geiger & Goldszmidt, 1997), one tree for all classes.

    The tree is that of Chow & Liu: the largest mutual information given the class, the first input
    its root, equal pairs in their order. Each input depends on the class and on its parent: p(x_i =
    v | parent = u, y) = (count + l) / (count of u and y + l * levels_i). Prior (n_y + l) / (m + K
    l), n_y / m or 1 / K. l = 0 stands for the limit l -> 0: a probability of zero decides before
    everything finite, and levels are equally likely given what never occurs.

    `objective: conditional` keeps the tree, and takes the parameters that maximise the conditional
    likelihood instead, without smoothing: a logistic regression with a weight for each class and
    each entry of the tables, on the sphere of which hyperplanes are drawn where a set is
    separable, see `Discriminative`.

    Attributes
    ----------
    objective
        `joint` for the generative model, `conditional` for its discriminative twin.
    laplace
        The l that is added to all counts.
    prior
        (n_y + l) / (m + K l), n_y / m, or 1 / K.
    """

    summary: ClassVar[str] = "naive Bayes with a tree of dependences (TAN), or its conditional twin"
    needs: ClassVar[Needs] = Needs(kinds=frozenset({"discrete"}))

    objective: Literal["joint", "conditional"] = "joint"
    laplace: Addend = 1.0
    prior: Prior = "smoothed"

    @property
    def description(self) -> str:
        """Which model it is: see `Fitter`."""
        what = "by counts" if self.objective == "joint" else "by the conditional likelihood"
        return f"naive Bayes in which each input may depend on one other, {what}"

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        if self.objective == "conditional":
            return super().fit(batch, rng)
        parts = [self.of_tables(each) for each in Tables.parts(batch)]
        rules = [each.rules for each in parts]
        weights = np.concatenate([each.weights for each in rules], axis=1)
        directions = [each.direction for each in rules]
        direction = None
        if any(each is not None for each in directions):
            direction = np.concatenate(
                [
                    np.zeros_like(each.weights) if each.direction is None else each.direction
                    for each in rules
                ],
                axis=1,
            )
        return Fit(LinearRules(weights, direction, LEVEL_PAIRS))

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity: what smooths is gone."""
        statistics = law.statistics
        counts = statistics.n[:, :, None, None] * law.second_moments[None, :, 1:, 1:]
        tables = Tables(statistics.n, counts, statistics.layout)
        if self.objective == "joint":
            return self.model_copy(update={"laplace": 0.0}).of_tables(tables)
        used = np.flatnonzero(_free(tables.parents[0], tables.layout))
        n_others, q = statistics.n.shape[1] - 1, len(used)
        n_features = tables.layout.n_columns + LEVEL_PAIRS.n_products(tables.layout)
        ratios = np.zeros((n_others, n_others, q, n_features))
        for k in range(n_others):
            ratios[k, k, np.arange(q), used] = 1.0
        ratios = ratios.reshape(n_others, n_others * q, n_features)
        fit = law.best(ratios, LEVEL_PAIRS, np.ones(n_others * q))
        return replace(fit, diagnostics=replace(fit.diagnostics, theta=None))

    def of_tables(self, tables: Tables) -> LinearFit:
        """Rules of largest joint likelihood, smoothed."""
        weights, infinite = tables.log_ratios(self.laplace)
        weights[:, :, 0] += against_first(log_prior(tables.n, self.prior, self.laplace))
        if self.laplace == 0 or self.prior == "empirical":
            infinite = exclude_absent(tables.n, weights, infinite)
        direction = None if infinite is None else infinite[None]
        return Fit(LinearRules(weights[None], direction, LEVEL_PAIRS))

    def likelihood(self, batch: Batch) -> Likelihood:
        """Conditional likelihoods of training sets in which every class is present."""
        layout = batch.layout
        parents = np.concatenate([each.parents for each in Tables.parts(batch)])
        design, column = _entries(batch.x.astype(np.int64), parents, layout)
        n_features = layout.n_columns + LEVEL_PAIRS.n_products(layout)

        def placed(rules: FloatArray) -> FloatArray:
            whole = np.zeros((*rules.shape[:3], n_features + 1))
            at = np.broadcast_to(column[None, :, None], rules.shape)
            np.put_along_axis(whole, at, rules, axis=3)
            return whole[..., :n_features]

        return softmax(batch.y, design, batch.n_classes, placed, LEVEL_PAIRS)


@dataclass(frozen=True, eq=False)
class Tables:
    """What training sets, or a law, say of pairs of levels.

    Attributes
    ----------
    n
        Rows of each class, or its probability, shape (B, K).
    counts
        How many of them have two levels together, shape (B, K, q - 1, q - 1).
    layout
        Which levels belong to which input.
    """

    n: FloatArray
    counts: FloatArray
    layout: Layout

    @classmethod
    def parts(cls, batch: Batch) -> Iterator[Tables]:
        """Those of a batch, some training sets at a time, in their order."""
        width = max(1, SLICE_ENTRIES // (batch.n_classes * batch.layout.n_columns**2))
        for first in range(0, len(batch.y), width):
            part = slice(first, first + width)
            membership = batch.membership[part]
            levels = batch.design[part, :, 1:]
            counts = [gram(levels, own) for own in membership.transpose(1, 0, 2)]
            yield cls(membership.sum(axis=2), np.stack(counts, axis=1), batch.layout)

    @property
    def parents(self) -> IntArray:
        """Parent of every input, minus one for the root, shape (B, d)."""
        return trees(information(self.n, self.counts, self.layout))

    def log_ratios(self, laplace: float) -> tuple[FloatArray, FloatArray | None]:
        """Log density ratios (B, K - 1, q + p) of the tree, and what tends to infinity in them.

        In features of `LEVEL_PAIRS`; smoothed by `laplace`.
        """
        layout, parents = self.layout, self.parents
        of_level = layout.owner
        alone = np.einsum("bkll->bkl", self.counts)
        levels = np.array(layout.widths, dtype=float)[of_level]
        # Of a level (first of the two) given the parent's (second), and of the root's alone.
        edge = parents[:, of_level, None] == of_level
        pairs = _log_share(self.counts, alone[:, :, None, :], levels[:, None], laplace)
        roots = _log_share(alone, self.n[:, :, None], levels, laplace)
        first, second = (each - 1 for each in LEVEL_PAIRS.columns(layout))
        root = parents[:, None, of_level] < 0
        whole = []
        for of_root, of_pair in zip(roots, pairs, strict=True):
            both = np.where(edge[:, None], of_pair, 0.0)
            both = both[:, :, first, second] + both[:, :, second, first]
            constant = np.zeros((*self.n.shape, 1))
            whole.append(np.concatenate([constant, np.where(root, of_root, 0.0), both], axis=2))
        finite, infinite = map(against_first, whole)
        return finite, infinite if whole[1].any() else None


def _log_share(
    count: FloatArray, of: FloatArray, levels: FloatArray, laplace: float
) -> tuple[FloatArray, FloatArray]:
    """Log of (count + l) / (of + l levels), and minus one where it tends to it as log l does.

    Shapes (B, K, ...), which broadcast; without anything to count, levels are equally likely.
    """
    numerator, denominator = count + laplace, of + laplace * levels
    unknown = np.broadcast_to(denominator == 0, count.shape)
    zero = (numerator == 0) & ~unknown
    share = np.where(zero, 1.0, numerator) / np.where(denominator == 0, 1.0, denominator)
    return np.log(np.where(unknown, 1.0 / levels, share)), -zero.astype(float)


def _free(parents: IntArray, layout: Layout) -> BoolArray:
    """Which features of `LEVEL_PAIRS` the logit of a tree (d,) is linear in, no two redundant.

    Shape (q + p,): levels but the first of each input, and their products along the tree.
    """
    later = np.ones(layout.n_columns, dtype=bool)
    later[[0, *layout.starts]] = False
    first, second = LEVEL_PAIRS.columns(layout)
    i, j = layout.owner[first - 1], layout.owner[second - 1]
    edge = (parents[i] == j) | (parents[j] == i)
    return np.concatenate([later, edge & later[first] & later[second]])


def _entries(codes: IntArray, parents: IntArray, layout: Layout) -> tuple[FloatArray, IntArray]:
    """A one, and which entry of the table of each input a row of codes (B, m, d) is: (B, m, p).

    The trees have `parents` (B, d). Also where each column stands in features of `LEVEL_PAIRS`,
    shape (B, p); there is one behind these for columns that a set has no use for.
    """
    n_sets, m, _ = codes.shape
    width = np.array(layout.widths)
    of_parent = np.where(parents < 0, 1, width[parents])
    stops = 1 + np.cumsum(width * of_parent, axis=1)
    starts = stops - width * of_parent
    parent_code = np.where(
        parents[:, None] < 0, 0, np.take_along_axis(codes, np.maximum(parents, 0)[:, None], axis=2)
    )
    design = np.zeros((n_sets, m, int(stops.max())))
    design[:, :, 0] = 1.0
    column = starts[:, None] + codes * of_parent[:, None] + parent_code
    np.put_along_axis(design, column, 1.0, axis=2)
    first, second = LEVEL_PAIRS.columns(layout)
    of_pair = np.zeros((layout.n_columns, layout.n_columns), dtype=np.int64)
    of_pair[first, second] = of_pair[second, first] = layout.n_columns + np.arange(len(first))
    column = np.full((n_sets, design.shape[2]), layout.n_columns + len(first))
    column[:, 0] = 0
    for b, tree in enumerate(parents):
        for i, parent in enumerate(tree):
            own = layout.starts[i] + np.arange(width[i])
            if parent >= 0:
                theirs = layout.starts[parent] + np.arange(width[parent])
                own = of_pair[own[:, None], theirs].ravel()
            column[b, starts[b, i] : stops[b, i]] = own
    return design, column
