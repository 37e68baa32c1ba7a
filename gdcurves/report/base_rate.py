"""The base rate: the error of always answering the largest class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gdcurves.fitters.majority import base_rate, guessing
from gdcurves.report.tables import by

if TYPE_CHECKING:
    import pandas as pd

FAR = 0.05  # so much more than the base rate asks for a word
LARGEST = "always answering the largest class"


class BaseRates:
    """Base rates of experiments: the share of the rows that are not of the largest class.

    Measured on test rows, the error of a fitter that answers the largest class of its training rows
    is no base rate: where classes are about as large, the test rows lack what the training rows
    have more of, and so it errs more often.

    Parameters
    ----------
    manifest
        Of the run.
    last
        Rows of its curves at the largest size of each experiment and fitter.

    Attributes
    ----------
    guessing
        Names of the fitters of the type `majority`.
    values
        By experiment; those without errors, or whose classes are not known, are absent.
    """

    def __init__(self, manifest: Mapping[str, Any], last: pd.DataFrame) -> None:
        self.guessing = guessing(manifest["config"])
        self._last = last
        self.values: dict[str, float] = {}
        if "error_mean" not in last:
            return
        for name, _ in by(last, "experiment"):
            classes = manifest["experiments"][name].get("classes")
            if classes:
                self.values[name] = base_rate(classes)

    def origin(self) -> str:
        """Say what the base rates are, and why one who guesses may err more often."""
        said = f"Base rate: the error of {LARGEST} of the data."
        rows = self._last[self._last["fitter"].isin(self.guessing)]
        far = [
            fitter
            for name, fitter, error in zip(
                rows["experiment"], rows["fitter"], rows["error_mean"], strict=True
            )
            if error > self.values.get(name, error) + FAR
        ]
        for name in dict.fromkeys(far):
            said += (
                f" {name} errs more often, as the class that is larger among the training rows is"
                " smaller among those that are left to test."
            )
        return said

    def not_beaten(self) -> Iterator[str]:
        """Say of each experiment which classifiers have no less error, if any."""
        for name, rows in by(self._last, "experiment"):
            others = rows[~rows["fitter"].isin(self.guessing)]
            if name not in self.values or others.empty:
                continue
            base = self.values[name]
            worse = others[others["error_mean"] >= base]
            which = ", ".join(worse["fitter"])
            if len(worse) == len(others):
                yield f"{name}: no classifier has less error than {LARGEST}: {base:.3f}."
            elif len(worse):
                yield f"{name}: {which}: no less error than {LARGEST}, {base:.3f}."
