"""Parts of a run: shares of its chunks that are computed apart, into one folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gdcurves.store.contents import JOURNAL, JOURNALS, LOCK, LOCKS

Item = TypeVar("Item")


@dataclass(frozen=True)
class Part:
    """A part of a run: the `number`-th of `n`, from 1 on."""

    number: int
    n: int

    def __str__(self) -> str:
        return f"{self.number}/{self.n}"

    @property
    def word(self) -> str:
        """What tells the names of its files from those of the others."""
        return f"{self.number}-of-{self.n}"

    def of(self, items: Sequence[Item]) -> Sequence[Item]:
        """Every n-th of them: parts take about as long, and together they have all."""
        return items[self.number - 1 :: self.n]


def lock_file(folder: Path, part: Part | None) -> Path:
    """The lock of a folder, or of a part of the run there."""
    return folder / (LOCK if part is None else LOCKS.replace("*", part.word))


def rival_locks(folder: Path, part: Part | None) -> list[Path]:
    """Locks of those that a run, or a part of one, cannot work beside.

    That are all others for a whole run; for a part, the whole run, and parts of another division.
    """
    parts = sorted(folder.glob(LOCKS))
    if part is not None:
        parts = [each for each in parts if not each.name.endswith(f"-of-{part.n}")]
    rivals = [folder / LOCK, *parts]
    return [each for each in rivals if each != lock_file(folder, part)]


def journal_file(folder: Path, part: Part | None) -> Path:
    """The journal of a run, or what a part of it writes of its own."""
    return folder / (JOURNAL if part is None else JOURNALS.replace("*", part.word))


def journal_files(folder: Path) -> list[Path]:
    """All journals of a run, that of the whole first."""
    return [folder / JOURNAL, *sorted(folder.glob(JOURNALS))]
