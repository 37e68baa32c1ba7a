"""How far a run is, what it has stored, and its manifest."""

from __future__ import annotations

import platform
import sys
import time
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import gdcurves
from gdcurves import curves, datasets, published, store
from gdcurves.chunk import Result
from gdcurves.datasets import DataUnavailable
from gdcurves.errors import UserError
from gdcurves.plan import Experiment, Plan
from gdcurves.problem import Problem
from gdcurves.simulated import Series

if TYPE_CHECKING:
    import pandas as pd

LIBRARIES = ("numpy", "scipy", "pandas", "joblib", "pydantic", "matplotlib", "openml")


@dataclass(frozen=True)
class Progress:
    """How far a run is; splits are summed over experiments."""

    experiments_done: int
    experiments_total: int
    splits_done: int
    splits_total: int
    fits_done: int
    current: str


@dataclass(frozen=True)
class Summary:
    """How a run ended.

    Attributes
    ----------
    done
        Names of complete experiments.
    skipped, failed
        Optional experiments whose data cannot be had, and those that broke off, with reasons.
    seconds, cpu_seconds
        Wall time of the run, and processor time of its fits and their scoring.
    fits
        Rules fitted.
    """

    done: tuple[str, ...]
    skipped: dict[str, str]
    failed: dict[str, str]
    seconds: float
    cpu_seconds: float
    fits: int


@dataclass
class Record:
    """A run while it goes on: takes in results, keeps the folder up to date."""

    plan: Plan
    folder: Path
    name: str
    problems: dict[str, Problem | Series]
    missing: dict[str, UserError]
    started: str = field(default_factory=lambda: _now())
    chunks_done: dict[str, int] = field(default_factory=dict)
    splits_done: int = 0
    fits: int = 0
    cpu_seconds: float = 0.0
    storing_seconds: float = 0.0
    client_began: float = field(default_factory=time.process_time)
    failed: dict[str, str] = field(default_factory=dict)
    curves: dict[str, pd.DataFrame] = field(default_factory=dict)

    def add(self, result: Result) -> None:
        """Store a chunk, and the curves of its experiment if that is complete."""
        experiment = result.experiment
        self.splits_done += len(result.splits)
        self.cpu_seconds += result.cpu_seconds
        self.storing_seconds += result.storing_seconds
        if result.failure is not None:
            self.failed.setdefault(experiment, result.failure)
            return
        store.write_chunk(self.folder, experiment, result.splits, result.rows)
        self.chunks_done[experiment] = self.chunks_done.get(experiment, 0) + 1
        planned = self._planned(experiment)
        self.fits += len(result.splits) * len(planned.fitters) * len(planned.sizes)
        if self.chunks_done[experiment] == len(self.plan.chunks):
            rows = store.read_rows(self.folder, experiment)
            self.curves[experiment] = self._in_order(planned, curves.summarise(experiment, rows))
            self._write_curves()
            self.write("running")

    def _planned(self, experiment: str) -> Experiment:
        return next(each for each in self.plan.experiments if each.name == experiment)

    @staticmethod
    def _in_order(planned: Experiment, table: pd.DataFrame) -> pd.DataFrame:
        names = [each.name for each in planned.fitters]
        order = table["fitter"].map(names.index) * (planned.sizes[-1] + 1) + table["m"]
        return table.iloc[np.argsort(order.to_numpy(), kind="stable")]

    def _write_curves(self) -> None:
        import pandas as pd

        names = [each.name for each in self.plan.experiments if each.name in self.curves]
        together = pd.concat([self.curves[name] for name in names])
        store.write_table(self.folder, store.CURVES, together)
        theirs = published.values(self.plan.config.figure)
        if theirs is not None:
            store.write_table(self.folder, store.PUBLISHED, published.compare(together, theirs))

    def progress(self, current: str) -> Progress:
        """How far the run is, seen from an experiment that has just moved on."""
        n_splits = self.plan.config.splits
        return Progress(
            len(self.curves),
            len(self.problems),
            self.splits_done,
            len(self.problems) * n_splits,
            self.fits,
            current,
        )

    def summary(self, seconds: float) -> Summary:
        """How the run ended."""
        unloaded = {name: str(error) for name, error in self.missing.items()}
        return Summary(
            done=tuple(self.curves),
            skipped={name: why for name, why in unloaded.items() if self._skipped(name)},
            failed={name: why for name, why in unloaded.items() if not self._skipped(name)}
            | self.failed,
            seconds=seconds,
            cpu_seconds=self.cpu_seconds,
            fits=self.fits,
        )

    def _skipped(self, name: str) -> bool:
        """Whether an experiment without data is no failure: it may be absent, and it is."""
        absent = isinstance(self.missing[name], DataUnavailable)
        return absent and self._planned(name).config.optional

    def write(self, status: str, seconds: float | None = None) -> None:
        """Replace the manifest."""
        store.write_manifest(
            self.folder,
            {
                "schema_version": store.SCHEMA_VERSION,
                "name": self.name,
                "status": status,
                "started": self.started,
                "finished": None if seconds is None else _now(),
                "seconds": seconds,
                "cpu_seconds": {
                    "fits_and_scoring": self.cpu_seconds,
                    "scheduling_and_storing": self.storing_seconds
                    + time.process_time()
                    - self.client_began,
                },
                "gdcurves": gdcurves.__version__,
                "command": ["gdcurves", *sys.argv[1:]],
                # Of finished runs only: a run may be killed between writing the two files.
                "curves_sha256": None
                if status == "running"
                else store.file_sha256(self.folder / store.CURVES),
                "seed": self.plan.config.seed,
                "config": self.plan.config.model_dump(mode="json"),
                "versions": {
                    "python": platform.python_version(),
                    **{name: version(name) for name in LIBRARIES},
                },
                "platform": {"system": platform.platform(), "machine": platform.machine()},
                "missing_values": list(datasets.MISSING),
                "experiments": {
                    each.name: self._experiment(each) for each in self.plan.experiments
                },
            },
        )

    def _experiment(self, planned: Experiment) -> dict[str, Any]:
        name = planned.name
        if name in self.missing:
            status = "skipped" if self._skipped(name) else "failed"
            reason = str(self.missing[name])
            return {"status": status, "reason": reason, "data": planned.config.data}
        loaded = self.problems[name]
        counts = np.bincount(loaded.y, minlength=len(loaded.classes)).tolist()
        status = "failed" if name in self.failed else "done" if name in self.curves else "missing"
        return {
            "status": status,
            "reason": self.failed.get(name),
            **asdict(loaded.provenance),
            "classes": dict(zip(loaded.classes, counts, strict=True)),
            "n_features": len(loaded.features),
        }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
