"""What a fit says of itself, beside its rules.

A new diagnostic is a new field of one of these kinds: its column of the raw rows, and what becomes
of it in curves.csv, follow from the kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_type_hints

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


DIAGNOSTICS: dict[str, Kind] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Diagnostics, include_extras=True).items()
}
