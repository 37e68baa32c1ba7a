"""How far a run is, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """How far a run is; splits are summed over experiments.

    `splits_resumed` of the splits were done by earlier sessions; fits are those of this one.
    """

    experiments_done: int
    experiments_total: int
    splits_done: int
    splits_total: int
    fits_done: int
    current: str
    splits_resumed: int = 0


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
        Wall time of the run, and processor time of its fits and their scoring, of all sessions.
    fits
        Rules fitted.
    warnings
        How often each warning was raised in the work.
    """

    done: tuple[str, ...]
    skipped: dict[str, str]
    failed: dict[str, str]
    seconds: float
    cpu_seconds: float
    fits: int
    warnings: dict[str, int]

    @classmethod
    def of(cls, manifest: Mapping[str, Any], fits: int) -> Summary:
        """Take it from the manifest of a run that has ended."""

        def reasons(status: str) -> dict[str, str]:
            entries = manifest["experiments"].items()
            return {
                name: each["reason"] or "" for name, each in entries if each["status"] == status
            }

        return cls(
            done=tuple(reasons("done")),
            skipped=reasons("skipped"),
            failed=reasons("failed"),
            seconds=manifest["seconds"],
            cpu_seconds=manifest["cpu_seconds"]["fits_and_scoring"],
            fits=fits,
            warnings=manifest["warnings"],
        )
