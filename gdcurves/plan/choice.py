"""The classifiers that are compared where no config names any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gdcurves.errors import UserError
from gdcurves.fitters import REGISTRY
from gdcurves.plan.experiment import NamedFitter
from gdcurves.words import suggest

USUAL = ("naive_bayes", "penalised_logistic", "majority")
# Options that make of a type what is known by its name.
_KNOWN_AS: Mapping[str, Mapping[str, Any]] = {
    "naive_bayes": {"variance": "per_class"},
    "penalised_logistic": {"penalty": "l2", "strength": "cv"},
}
# Ng & Jordan's two, with the options that they have unless given.
PAPER = "paper"
_PAPER = ("naive_bayes", "logistic_regression")


def choose(names: Sequence[str] = USUAL) -> tuple[NamedFitter, ...]:
    """Classifiers by their names in the registry, or those of the paper by `paper` alone.

    Raises
    ------
    UserError
        For a name that there is not, or that stands twice.
    """
    if list(names) == [PAPER]:
        return tuple(NamedFitter(name, REGISTRY[name]()) for name in _PAPER)
    for index, name in enumerate(names):
        if name == PAPER:
            raise UserError("--fitters paper stands alone: it is a choice of its own")
        if name not in REGISTRY:
            raise UserError(
                f"--fitters {name}: no such classifier; {suggest(name, [*REGISTRY, PAPER])}"
            )
        if name in names[:index]:
            raise UserError(f"--fitters: {name} stands there twice; name it once")
    return tuple(NamedFitter(name, REGISTRY[name](**_KNOWN_AS.get(name, {}))) for name in names)
