"""Whether a classifier is shown to be better than always answering the largest class."""

from __future__ import annotations

from dataclasses import dataclass

from gdcurves.crossings.interval import LEAST_DIFFERING

# The fitter that guesses is taken for the base rate where its error is as near to that, in halves
# of the interval of the difference.
NEAR = 0.25


@dataclass(frozen=True)
class Against:
    """A fitter compared with the one that answers the largest class of its training rows.

    Attributes
    ----------
    error
        Mean of that one.
    half_width
        Half the interval of the difference for other data.
    shown
        Whether the fitter is shown to be better.
    """

    error: float
    half_width: float
    shown: bool


def beats_base_rate(
    error: float, half_width: float, base_rate: float, n_units: int, guess: Against | None = None
) -> bool:
    """Whether an error is shown to lie below the base rate, by one of two intervals.

    One is that of the error for other data. It is too wide where a class is rare, as error and base
    rate then rise and fall together. The other is that of the difference to the fitter that
    guesses, as long as that one has the base rate for its error: where classes are about as large,
    a single row changes what it answers.

    Parameters
    ----------
    error, half_width
        Mean at the largest size, and half its 95 % interval for other data; NaN where that is not
        known.
    base_rate
        Share of the rows that are not of the largest class.
    n_units
        Rows, or groups of them. Without a verdict against the fitter that guesses, the error has to
        be the lower one by `LEAST_DIFFERING` of them, as for a verdict on two fitters.
    guess
        How it compares with that one; None if none ran.
    """
    if guess is not None and guess.shown:
        near = abs(guess.error - base_rate) <= NEAR * guess.half_width
        if near and error + guess.half_width < base_rate:
            return True
    elif (base_rate - error) * n_units < LEAST_DIFFERING:
        return False
    return error + half_width < base_rate
