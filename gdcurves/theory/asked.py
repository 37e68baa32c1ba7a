"""At which arguments the theory is computed."""

from __future__ import annotations

from dataclasses import dataclass

TAUS = tuple(step / 100 for step in range(101))
STEPS = (10, 15, 20, 30, 40, 50, 70)
DECADES = (*(step * 10**power for power in (2, 3, 4) for step in STEPS), 1_000_000)


@dataclass(frozen=True)
class Asked:
    """Arguments of the quantities.

    Attributes
    ----------
    tau
        Of G.
    m
        Training rows of Theorem 4's bound; None for the sizes of the experiment, `DECADES`, and the
        first m for which the bound says anything.
    epsilon1
        How near to what they estimate estimates are to be: Lemma 3.
    epsilon0
        How near to the least error the error is to be: Proposition 2.
    delta
        Probability with which bounds may fail.
    """

    tau: tuple[float, ...] = TAUS
    m: tuple[int, ...] | None = None
    epsilon1: tuple[float, ...] = (0.1,)
    epsilon0: tuple[float, ...] = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05)
    delta: float = 0.05
