"""What a classifier needs of the data: declared by its class, checked before any work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gdcurves.datasets.spec import Kind

BOTH: frozenset[Kind] = frozenset({"continuous", "discrete"})
Scale = Literal["any", "rescaled", "as_is"]


@dataclass(frozen=True)
class Needs:
    """What a classifier needs.

    Attributes
    ----------
    kinds
        Kinds of inputs that it takes.
    scale
        Whether continuous inputs must have been rescaled to [0, 1], or must be as they were read.
    non_negative
        Whether continuous inputs below zero are refused; counts, say.
    rows_of_class
        Least number of training rows of every class. Only stratified training sets have any for
        certain.
    most_classes
        Number of classes that it can tell apart at most; 0 where there is no limit.
    """

    kinds: frozenset[Kind] = BOTH
    scale: Scale = "any"
    non_negative: bool = False
    rows_of_class: int = 0
    most_classes: int = 0

    @property
    def possible_kinds(self) -> str:
        """The kinds in words: "continuous", "continuous or discrete"."""
        return " or ".join(sorted(self.kinds))
