"""How curves look: told apart by dash pattern and lightness, so colour is never needed.

The colours are those of Okabe and Ito's palette for colour-blind readers, some made darker or
lighter so that they also differ in greyscale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count


@dataclass(frozen=True)
class Style:
    """Look of a line: `dashes` are on and off lengths in line widths (empty: solid), width in pt.

    Lines of a higher `layer` are drawn over those of a lower one.
    """

    colour: str
    dashes: tuple[float, ...] = ()
    width: float = 1.15
    layer: int = 1


@dataclass(frozen=True)
class Marker:
    """Look of a marker: a matplotlib marker name, its size in pt, its edge and its fill."""

    shape: str
    size: float
    edge: str
    fill: str


# Ng & Jordan's line styles: naive Bayes solid, logistic regression dashed. What is akin has one
# hue; a variant is the lighter one. Where two curves coincide, the upper one has the wider gaps.
KNOWN: dict[str, tuple[str, Style]] = {
    "naive_bayes": ("naive Bayes", Style("#0b2545", layer=2)),
    "logistic_regression": ("logistic regression", Style("#d55e00", (3.6, 1.5), layer=3)),
    "logistic_regression_overlapping": (
        "logistic regression, overlapping codes",
        Style("#d55e00", (3.6, 1.5, 1.0, 1.5), layer=3),
    ),
    "penalised_logistic": (
        "logistic regression with a penalty",
        Style("#c97a1c", (6.0, 1.4, 1.2, 1.4), layer=3),
    ),
    "largest_margin": ("largest margin", Style("#5b8a3a", (1.4, 1.2), layer=3)),
    "zero_one": (
        "fewest training errors",
        Style("#9a4d86", (6.0, 1.2, 1.0, 1.2, 1.0, 1.2), layer=4),
    ),
    "qda": ("quadratic discriminant analysis", Style("#b795d0", (9.0, 1.6, 1.0, 1.6), layer=3)),
    "tree": ("tree-augmented naive Bayes", Style("#0072b2", (2.2, 1.2), layer=2)),
    "least_squares": ("least squares", Style("#4d4d4d", (7.0, 1.2, 2.6, 1.2), layer=3)),
    "majority": ("largest class", Style("#8c8c8c", (1.0, 1.4), width=0.9, layer=1)),
    "nearest_centroid": ("nearest centroid", Style("#7db9e0", width=1.5)),
    "lda": ("linear discriminant analysis", Style("#0f6b66", (8.0, 1.6), layer=3)),
    "hybrid": ("hybrid", Style("#009e73", (5.0, 1.8, 1.0, 1.8), layer=4)),
    "naive_bayes_shared": ("naive Bayes, shared variances", Style("#3f8fd0", (1.0, 1.0), layer=5)),
    "hybrid_shared": (
        "hybrid, shared variances",
        Style("#74cbae", (3.6, 1.3, 1.0, 1.3, 1.0, 1.3), layer=6),
    ),
}
BASE_RATE = Style("#6e6e6e", (1.0, 1.4), width=0.9, layer=0)
BAYES = ("Bayes rule", Style("#b4b4b4", width=2.0, layer=0))

# Five colours and four dash patterns are coprime: twenty styles before the first repeats.
_COLOURS = ("#9a4d86", "#7a6a00", "#4d4d4d", "#d08bb0", "#0072b2")
_DASHES = ((4.5, 1.3, 1.0, 1.3), (1.0, 1.1), (7.0, 1.8), (4.5, 1.2, 1.0, 1.2, 1.0, 1.2))


def styles(fitters: Sequence[str]) -> dict[str, tuple[str, Style]]:
    """Choose label and line style of each fitter, in the order given.

    Fitters of a known name have a label and a style of their own; the others keep their name and
    take the next style of a cycle.
    """
    turn = count()
    return {name: KNOWN.get(name) or (name, cycled(next(turn))) for name in fitters}


def limit_of(curve: Style) -> Style:
    """Choose the line for what a curve tends to: thin, in its colour."""
    return Style(curve.colour, width=0.6, layer=1)


def cycled(turn: int) -> Style:
    """Style of what has no name that is known, by its turn from 0."""
    return Style(_COLOURS[turn % len(_COLOURS)], _DASHES[turn % len(_DASHES)])
