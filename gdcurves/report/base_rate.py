"""The base rate: the error of always answering the largest class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gdcurves.report.tables import by

if TYPE_CHECKING:
    import pandas as pd

LARGEST = "always answering the largest class"


class BaseRates:
    """Base rates of experiments.

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
    measured
        By experiment, the error of a fitter of the type `majority` at the largest size.
    counted
        By experiment without such a fitter, the share of the rows that are not of the largest
        class.
    """

    def __init__(self, manifest: Mapping[str, Any], last: pd.DataFrame) -> None:
        fitters = manifest["config"].get("fitters", ())
        self.guessing = {each["name"] for each in fitters if each["type"] == "majority"}
        self._last = last
        self.measured: dict[str, float] = {}
        self.counted: dict[str, float] = {}
        if "error_mean" not in last:
            return
        for name, rows in by(last, "experiment"):
            own = rows[rows["fitter"].isin(self.guessing)]
            classes = manifest["experiments"][name].get("classes")
            if len(own):
                self.measured[name] = float(own["error_mean"].iloc[0])
            elif classes:
                self.counted[name] = 1.0 - max(classes.values()) / sum(classes.values())

    @property
    def values(self) -> dict[str, float]:
        """By experiment; those of which neither is known are absent."""
        return {**self.measured, **self.counted}

    def origin(self) -> str:
        """Say what the base rates are, and where they are from."""
        measured = "as measured on the same test rows"
        counted = "one less its share in the data"
        both = f"{measured} where 'majority' is among the classifiers, else {counted}"
        which = both if self.measured and self.counted else measured if self.measured else counted
        return f"Base rate: the error of {LARGEST}, {which}."

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
                yield f"{name}: no less error than {LARGEST}, {base:.3f}: {which}."
