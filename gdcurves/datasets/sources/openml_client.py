"""One data set from OpenML with its own client, as a program of its own.

    python -m gdcurves.datasets.sources.openml_client KEY VERSION SECONDS FIRST

Prints one JSON object: the data set's path and description, or an error. The client is kept in a
process of its own because it takes seconds to import, sets no time-out, keeps its settings and its
log handlers in globals and deletes its cache folder after a failure: here that folder is the
current one, made for this one request.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import textwrap
from pathlib import Path
from typing import Any

TRIES = 2


def limit_silence(seconds: float) -> None:
    """End every wait for a server that is silent so long, whatever the library that waits."""
    longest = seconds
    socket.setdefaulttimeout(longest)
    unlimited = socket.socket.settimeout

    def settimeout(self: Any, value: float | None) -> None:
        unlimited(self, longest if value is None else min(value, longest))

    socket.socket.settimeout = settimeout  # type: ignore[method-assign]


def refuse_faults() -> None:
    """Take an answer with an error of HTTP, and none of OpenML's in it, for no answer.

    The client would read it as OpenML's own error and break off where it is not.
    """
    import requests

    unchecked = requests.Session.send

    def send(self: Any, request: Any, **options: Any) -> requests.Response:
        response = unchecked(self, request, **options)
        if not response.ok and b"oml:error" not in response.content:
            # Of what `requests` raises, the client tries this once more.
            raise requests.ConnectionError(response=response)
        return response

    requests.Session.send = send  # type: ignore[method-assign]


def limit_tries() -> None:
    """Ask for a Parquet file as often as for all else; left to itself, minio asks six times."""
    import minio.api

    module: Any = minio.api
    unlimited = module.Retry

    def limited(**options: Any) -> Any:
        return unlimited(**options | {"total": TRIES - 1})

    module.Retry = limited


def fetch(key: str, version: int | None, parquet_first: bool = False) -> dict[str, Any]:
    """Download a data set by id or name, with the better of its two files that can be had.

    The ARFF file, if OpenML gives a checksum of it, which the client verifies; otherwise the
    Parquet file, which shows where it is cut off and never has a checksum. A file that is not the
    one that its checksum promises is no reason to take the other. `parquet_first` is for an ARFF
    file that has come already, and cannot be read.
    """
    import openml

    openml.config.set_root_cache_directory(str(Path.cwd() / "cache"))
    openml.config.set_retry_policy("human", n_retries=TRIES)
    try:
        described = openml.datasets.get_dataset(
            int(key) if key.isdecimal() else key,
            version=None if key.isdecimal() else version,
            download_data=False,
        )
        if key.isdecimal() and version is not None and described.version != version:
            return {"absent": f"id {key} is version {described.version}, not {version}"}
        dataset, other = _download(described, parquet_first)
    except Exception as error:
        kind, what = _fault(error)
        return {kind: what}
    return {
        "file": dataset.parquet_file or dataset.data_file,
        "about": {
            "id": dataset.dataset_id,
            "name": str(dataset.name),
            "version": dataset.version,
            "target": dataset.default_target_attribute,
            "row_id": _listed(dataset.row_id_attribute),
            "ignored": _listed(dataset.ignore_attribute),
            "licence": str(dataset.licence or "none stated"),
            "url": str(dataset.openml_url),
            "checked": dataset.parquet_file is None and dataset.md5_checksum is not None,
            "has_parquet": described._parquet_url is not None,  # it has no other name for it
            "other_file": other,
            "features": None if dataset.parquet_file is None else _features(dataset),
        },
    }


def _features(dataset: Any) -> dict[str, Any]:
    return {
        each.name.strip(): {"type": each.data_type, "values": each.nominal_values or []}
        for each in dataset.features.values()
    }


def _download(described: Any, parquet_first: bool) -> tuple[Any, str | None]:
    """Return the data set with one of its files, and what was wrong with the one tried before."""
    import openml

    def get(parquet: bool) -> Any:
        # With Parquet, the client goes on to ARFF by itself after most faults.
        os.environ["OPENML_SKIP_PARQUET"] = str(not parquet)
        return openml.datasets.get_dataset(
            described.dataset_id, download_data=True, download_features_meta_data=parquet
        )

    has_parquet = described._parquet_url is not None  # the client has no other name for it
    first = has_parquet and (parquet_first or described.md5_checksum is None)
    what = f"not to be had from {described._parquet_url}"
    try:
        dataset = get(first)
    except Exception as error:
        kind, what = _fault(error)
        if kind in ("broken", "unkept") or not has_parquet:
            raise
        try:
            dataset = get(not first)
        except Exception:
            raise error from None
    as_wished = (dataset.parquet_file is not None) == first
    return dataset, None if as_wished else what


def _fault(error: Exception) -> tuple[str, str]:
    """Tell what kind of fault an error of the client is, and what happened."""
    import minio
    import openml
    import requests
    import urllib3

    server = str(openml.config.server)
    match error:
        case openml.exceptions.OpenMLHashException():
            return "broken", _line(error)
        case requests.RequestException(response=requests.Response(status_code=code, url=url)):
            reason = f"HTTP {code} from {url}"
            return "unanswered", f"{server} does not answer as it should ({reason})"
        case requests.RequestException():
            return "unanswered", f"{server} does not answer ({type(error).__name__})"
        case openml.exceptions.OpenMLServerNoResult():
            return "absent", _line(error)
        case openml.exceptions.OpenMLServerException():
            return "refused", f"{server}: {_line(error)}"
        case openml.exceptions.OpenMLPrivateDatasetError():
            return "refused", f"{server}: {_line(error)}"
        case minio.error.MinioException() | urllib3.exceptions.HTTPError():
            return "unanswered", f"{type(error).__name__}: {_line(error)}"
        case RuntimeError():  # no data set of this name
            return "absent", _line(error)
        case OSError():
            return "unkept", _line(error)
        case Exception(__cause__=OSError() as cause):  # the client could not clean up
            return "unkept", _line(cause)
    # The client's parsers raise what they like on broken answers.
    return "broken", f"{type(error).__name__}: {_line(error)}"


def _listed(names: str | list[str] | None) -> list[str]:
    if names is None:
        return []
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


def _line(error: BaseException) -> str:
    return textwrap.shorten(str(error), 300)


def main() -> None:
    """Fetch what the arguments name."""
    key, version, seconds, first = sys.argv[1:]
    limit_silence(float(seconds))
    refuse_faults()
    limit_tries()
    answer = fetch(key, int(version) if version else None, first == "parquet")
    print("\n" + json.dumps(answer))


if __name__ == "__main__":
    main()
