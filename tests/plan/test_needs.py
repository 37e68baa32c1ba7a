"""What classifiers need of data: refused before anything is computed, with the key to change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gdcurves.errors import MisfitError
from gdcurves.fitters import Needs
from gdcurves.plan import needs
from gdcurves.problems import series
from gdcurves.problems.problem import Problem, Provenance
from gdcurves.simulators import SimulationConfig

NOWHERE = Provenance("d", "file", "s", "0", 4, 4, 0, 0, (), None)
CONTINUOUS = frozenset({"continuous"})


def problem(levels: tuple[int, ...], rescale: Any = "none", lowest: float = 0.0) -> Problem:
    x = np.array([[lowest, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, np.nan]])
    y, names = np.array([0, 0, 1, 1]), ("a", "b")
    return Problem("p", "all", x, y, levels, names, ("r", "s"), NOWHERE, rescale)


def grouped() -> Problem:
    return replace(problem((0, 0)), group=np.array([0, 1, 0, 1]))


def simulated(draw: Any) -> Any:
    return series.build("p", SimulationConfig(name="ce_diag", draw=draw), 0)


def check(
    wanted: Needs, made: Any, sizes: tuple[int, ...] = (2, 5), stratified: bool = False
) -> None:
    needs.check("f", wanted, "e", made, sizes, stratified)


REFUSED: dict[str, tuple[Needs, Any, str, tuple[str | int, ...]]] = {
    "kind": (Needs(kinds=CONTINUOUS), problem((0, 2)), "takes continuous inputs, and e has", ()),
    "not rescaled": (Needs(scale="rescaled"), problem((0, 0)), "that are rescaled", ("rescale",)),
    "drawn once": (Needs(scale="rescaled"), simulated("once"), "that are rescaled", ("rescale",)),
    "drawn anew": (Needs(scale="rescaled"), simulated("each"), "that are rescaled", ("rescale",)),
    "rescaled": (Needs(scale="as_is"), problem((0, 0), "train"), "inputs as they", ("rescale",)),
    "negative": (Needs(non_negative=True), problem((0, 0), lowest=-1.0), "below zero", ("drop",)),
    "no bound": (Needs(non_negative=True), simulated("each"), "below zero", ("drop",)),
    "classes": (Needs(most_classes=1), problem((0, 0)), "1 classes apart, and e h", ("classes",)),
    "drawn classes": (Needs(most_classes=1), simulated("each"), "out of it", ("simulate",)),
    "rows": (Needs(rows_of_class=2), problem((0, 0)), "stratified: true", ("stratified",)),
    "groups": (Needs(rows_of_class=2), grouped(), "leave the fitter out, or in e wr", ("groups",)),
}


@pytest.mark.parametrize(("wanted", "made", "said", "keys"), REFUSED.values(), ids=REFUSED)
def test_refused(wanted: Needs, made: Any, said: str, keys: tuple[str | int, ...]) -> None:
    with pytest.raises(MisfitError, match=said) as caught:
        check(wanted, made)
    assert caught.value.keys == keys
    assert "fitter 'f'" in str(caught.value)


def test_sizes_that_give_a_class_too_few_rows_are_named() -> None:
    with pytest.raises(MisfitError, match=r"size 5 .* write 6 or more") as caught:
        check(Needs(rows_of_class=3), problem((0, 0)), (6, 5), stratified=True)
    assert caught.value.keys == ("sizes", 1)


def test_what_is_there_passes() -> None:
    check(Needs(), problem((2, 0)))
    check(Needs(kinds=CONTINUOUS, scale="rescaled"), problem((0, 0), "train"))
    check(Needs(scale="as_is", non_negative=True), problem((0, 0)))
    check(Needs(non_negative=True), problem((0, 0), "dataset", -1.0))  # 0 to 1 by then
    check(Needs(scale="rescaled", non_negative=True), problem((2, 2), lowest=1.0))  # no numbers
    check(Needs(rows_of_class=2), problem((0, 0)), (4, 6), stratified=True)
    check(Needs(), grouped())
    check(Needs(scale="as_is"), simulated("each"))
