"""Data sets from OpenML, with its own client."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gdcurves.datasets.spec import DatasetSpec
from gdcurves.datasets.table import DataUnavailable, Raw, Table, build

if TYPE_CHECKING:
    import pandas as pd


def load(spec: DatasetSpec) -> Table:
    """Get the data set by its OpenML id, from the client's cache if it is there.

    Columns that OpenML marks as row ids or to be ignored are asked for too: the catalogue
    decides, and the table lists what it drops (OpenML's id 8 ignores the column `selector`,
    which is the class here).

    Raises
    ------
    DataUnavailable
        The server cannot be reached or does not give the data set.
    """
    import openml  # seconds of import time and a cache folder: only when it is needed
    import requests

    openml.config.connection_n_retries = 1
    try:
        dataset = openml.datasets.get_dataset(
            spec.openml_id,
            download_data=True,
            download_qualities=False,
            download_features_meta_data=False,
        )
        frame, _, _, columns = dataset.get_data(include_row_id=True, include_ignore_attribute=True)
    except requests.RequestException as error:
        reason = f"{openml.config.server} does not answer ({type(error).__name__})"
        raise _unavailable(spec, reason) from error
    except (OSError, openml.exceptions.PyOpenMLError) as error:
        raise _unavailable(spec, " ".join(str(error).split())) from error
    cells = cast("pd.DataFrame", frame).astype(object)  # none of the catalogue's ids is sparse
    return build(spec, Raw(columns, cells.to_numpy().tolist(), f"OpenML {spec.openml_id}"))


def _unavailable(spec: DatasetSpec, reason: str) -> DataUnavailable:
    stem = spec.stems[0]
    return DataUnavailable(
        f"data set {spec.name!r} (OpenML {spec.openml_id}): {reason}; try again later, or give"
        f" --data-dir a folder that holds {stem}.arff or {stem}.csv"
    )
