"""Binary features whose dependence is a tree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import ConfigDict, Field, RootModel, Tag, model_validator

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.config import StrictModel
from gdcurves.config.shapes import MAPPING, NUMBER, by_shape
from gdcurves.config.strict import wrong
from gdcurves.errors import UserError
from gdcurves.simulators.base import class_rows
from gdcurves.words import counted, suggest

MOST_ENUMERATED = 16

Probability = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Given(StrictModel):
    """A feature that depends on another one: P(1 | parent = 1) and P(1 | parent = 0).

    Attributes
    ----------
    given
        Name of the parent.
    if_1, if_0
        Probability of a 1 where that is 1, and where it is 0.
    """

    given: str
    if_1: Probability
    if_0: Probability


Node = Annotated[
    Annotated[Probability, Tag(NUMBER)] | Annotated[Given, Tag(MAPPING)],
    by_shape("a probability, or a mapping of given, if_1 and if_0"),
]


class Bernoulli(RootModel[Annotated[tuple[dict[str, Node], ...], Field(strict=False)]]):
    """A dependence tree over d binary features for every class.

    Written as a list with one mapping for each class, from the features' names to P(1), or to
    what it is given another feature:

        - {x1: 0.2, x2: {given: x1, if_1: 0.7, if_0: 0.2}}
        - {x1: 0.8, x2: {given: x1, if_1: 0.8, if_0: 0.3}}

    The paper writes these conditional probabilities as p2|1(1) = 0.7, p2|1(0) = 0.2. All classes
    have the same features in the same order; each may have a tree of its own.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    non_negative: ClassVar[bool] = True

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(self.root[0])

    @property
    def levels(self) -> tuple[int, ...]:
        """Two of each feature."""
        return (2,) * len(self.features)

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""
        return len(self.root)

    def draw(self, n_per_class: Sequence[int], rng: np.random.Generator, n_sets: int) -> IntArray:
        """Draw data sets, see `Law`."""
        uniform = rng.random((n_sets, sum(n_per_class), len(self.features)))
        x = np.zeros(uniform.shape, dtype=np.int32)
        for k, rows in enumerate(class_rows(n_per_class)):
            for i in self._orders[k]:
                p = self._given(k, i, x[:, rows])
                x[:, rows, i] = uniform[:, rows, i] < p
        return x

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Return the exact means (K, d) and covariances (K, d, d)."""
        K, d = self.n_classes, len(self.features)
        means, covariances = np.zeros((K, d)), np.zeros((K, d, d))
        for k, order in enumerate(self._orders):
            for n_before, i in enumerate(order):
                parent, if_0 = self._parents[k, i], self._if_0[k, i]
                slope = self._if_1[k, i] - if_0
                means[k, i] = if_0 + slope * means[k, parent]
                # The features before it depend on it through its parent alone.
                before = order[:n_before]
                covariances[k, i, before] = slope * covariances[k, parent, before]
                covariances[k, before, i] = covariances[k, i, before]
                covariances[k, i, i] = means[k, i] * (1 - means[k, i])
        return means, covariances

    def cells(self) -> tuple[IntArray, FloatArray]:
        """Enumerate all feature vectors, the first feature changing fastest.

        Returns
        -------
        The vectors, shape (2^d, d), and their exact probabilities in each class, (2^d, K).

        Raises
        ------
        UserError
            If there are more than `MOST_ENUMERATED` features.
        """
        d = len(self.features)
        if d > MOST_ENUMERATED:
            raise UserError(
                f"a Bernoulli law of {d} features has too many cells to enumerate for its limits;"
                f" use {MOST_ENUMERATED} features or fewer"
            )
        x = binary(d)
        probabilities = np.ones((2**d, self.n_classes))
        for k in range(self.n_classes):
            for i in range(d):
                p = self._given(k, i, x)
                probabilities[:, k] *= np.where(x[:, i] == 1, p, 1 - p)
        return x, probabilities

    def _given(self, k: int, i: int, x: IntArray) -> FloatArray:
        """P(x_i = 1 | its parent) in class k, for features x (..., d)."""
        parent = x[..., self._parents[k, i]] == 1
        p: FloatArray = np.where(parent, self._if_1[k, i], self._if_0[k, i])
        return p

    @cached_property
    def _parents(self) -> IntArray:
        """Index of each feature's parent, shape (K, d); of itself where it has none."""
        return np.array(
            [
                [
                    self.features.index(node.given if isinstance(node, Given) else name)
                    for name, node in tree.items()
                ]
                for tree in self.root
            ]
        )

    @cached_property
    def _if_1(self) -> FloatArray:
        return self._probabilities("if_1")

    @cached_property
    def _if_0(self) -> FloatArray:
        return self._probabilities("if_0")

    def _probabilities(self, case: str) -> FloatArray:
        """P(1) in one case of the parent, shape (K, d); the same in both for features without."""
        return np.array(
            [
                [getattr(node, case) if isinstance(node, Given) else node for node in tree.values()]
                for tree in self.root
            ]
        )

    @cached_property
    def _orders(self) -> list[list[int]]:
        """For each class, its features with every parent before its children."""
        depths = [[len(_ancestors(tree, name)) for name in tree] for tree in self.root]
        return [np.argsort(each, kind="stable").tolist() for each in depths]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.n_classes < 2:
            number = counted(self.n_classes, "mapping")
            raise wrong(f"found {number}; write one for each of two classes or more")
        for k, tree in enumerate(self.root):
            if not tree:
                raise wrong("the mapping is empty; write a probability for each feature", k)
            if tuple(tree) != self.features:
                raise wrong(
                    f"found the features {', '.join(tree)}; write those of the first class, in its"
                    f" order: {', '.join(self.features)}",
                    k,
                )
            for name, node in tree.items():
                if isinstance(node, Given) and node.given not in tree:
                    others = [other for other in tree if other != name]
                    message = f"no feature '{node.given}'; {suggest(node.given, others)}"
                    raise wrong(message, k, name, "given")
            for name in tree:
                if name in (ancestors := _ancestors(tree, name)):
                    way = " given ".join([name, *ancestors])
                    message = f"a circle: {way}; write one of them as a probability"
                    raise wrong(message, k, name, "given")
        return self


def binary(d: int) -> IntArray:
    """All vectors of d bits, the first one changing fastest, shape (2^d, d)."""
    return (np.arange(2**d)[:, None] >> np.arange(d) & 1).astype(np.int32)


def _ancestors(tree: dict[str, Node], name: str) -> list[str]:
    """Return parent, parent's parent, ...; up to a repetition where they form a circle."""
    ancestors: list[str] = []
    node = tree[name]
    while isinstance(node, Given) and node.given not in ancestors:
        ancestors.append(node.given)
        node = tree[node.given]
    return ancestors
