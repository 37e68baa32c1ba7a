"""The classifiers that are compared where no config names any."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from gdcurves.errors import MisfitError, UserError
from gdcurves.fitters import REGISTRY
from gdcurves.fitters.estimator import Estimator
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


def choose(names: Sequence[str] = USUAL, allowed: Collection[str] = ()) -> tuple[NamedFitter, ...]:
    """Classifiers by their names in the registry, or those of the paper by `paper` alone.

    A name with dots is that of a class of scikit-learn, or of a package that is `allowed`; results
    call it by its own part.

    Raises
    ------
    UserError
        For a name that there is not, or that stands twice.
    """
    if list(names) == [PAPER]:
        return tuple(NamedFitter(name, REGISTRY[name]()) for name in _PAPER)
    if not names or not all(names):
        some = ",".join(USUAL)
        raise UserError(f"--fitters: a name is missing; write some, as {some}, or leave it out")
    for index, name in enumerate(names):
        if name == PAPER:
            raise UserError("--fitters paper stands alone: it is a choice of its own")
        if "." not in name and (name not in REGISTRY or REGISTRY[name] is Estimator):
            known = [each for each in REGISTRY if REGISTRY[each] is not Estimator]
            raise UserError(
                f"--fitters {name}: no such classifier; {suggest(name, [*known, PAPER])}, or the"
                " name of a class, such as sklearn.ensemble.RandomForestClassifier"
            )
        if name in names[:index]:
            raise UserError(f"--fitters: {name} stands there twice; name it once")
    return tuple(_named(name, allowed) for name in names)


def _named(name: str, allowed: Collection[str]) -> NamedFitter:
    if "." not in name:
        return NamedFitter(name, REGISTRY[name](**_KNOWN_AS.get(name, {})))
    try:
        fitter = Estimator(estimator=name)
        fitter.ready(allowed)
    except ValidationError as error:
        raise UserError(f"--fitters {name}: write {error.errors()[0]['msg']}") from None
    except MisfitError as error:
        raise UserError(f"--fitters {name}: {error}") from None
    return NamedFitter(name.rpartition(".")[2], fitter)
