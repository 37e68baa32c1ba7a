"""What a fit says of itself, beside its rules.

A new diagnostic is a new field of one of these kinds: its column of the raw rows, and what becomes
of it in curves.csv, follow from the kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_type_hints

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray, IntArray

# outcome: a kind of training set; flag: yes or no; number: a count; vector: parameters.
Kind = Literal["outcome", "flag", "number", "vector"]


@dataclass(frozen=True)
class Diagnostics:
    """For each of B training sets; None where a fit has nothing of the kind to say.

    Attributes
    ----------
    outcome
        `gdcurves.logistic.certificates.Outcome`, shape (B,).
    degenerate
        Which training sets needed the fitter's rule for degenerate ones, shape (B,).
    left_out
        Number of rows that were left out of the fit of theta, shape (B,).
    theta
        Parameters of a hybrid, infinite where they have no finite value, shape (B, P).
    """

    outcome: Annotated[IntArray | None, "outcome"] = None
    degenerate: Annotated[BoolArray | None, "flag"] = None
    left_out: Annotated[IntArray | None, "number"] = None
    theta: Annotated[FloatArray | None, "vector"] = None

    @classmethod
    def together(cls, parts: Sequence[Diagnostics], order: IntArray) -> Diagnostics:
        """Those of the training sets of several parts, in an order of all of them, shape (B,)."""

        def joined(name: str) -> NDArray[Any] | None:
            known = [getattr(each, name) for each in parts]
            return None if any(each is None for each in known) else np.concatenate(known)[order]

        return cls(**{name: joined(name) for name in DIAGNOSTICS})


DIAGNOSTICS: dict[str, Kind] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Diagnostics, include_extras=True).items()
}
