"""What the package knows about a data set before it reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["continuous", "discrete"]


@dataclass(frozen=True)
class DatasetSpec:
    """One base data set.

    Attributes
    ----------
    name
        What a config's `data` key names.
    title
        The usual name in the literature.
    stems
        File names without their endings under which a data folder may hold it.
    openml_id
        Number of the OpenML version with the original columns.
    columns
        Input columns in order, each with its kind. Other columns of a source, row ids for
        instance, are dropped and listed in the table.
    target
        Column to predict.
    target_kind
        "discrete" for class labels; "continuous" for a number that an experiment cuts in two.
    n_rows
        Rows of the complete data set; a source may hold fewer.
    packaged_from
        Package and version that the shipped copy was taken from; None where none is shipped.
    licence, citation
        Terms of use, and the reference to cite.
    """

    name: str
    title: str
    stems: tuple[str, ...]
    openml_id: int
    columns: Mapping[str, Kind]
    target: str
    n_rows: int
    packaged_from: str | None
    licence: str
    citation: str
    target_kind: Kind = "discrete"
