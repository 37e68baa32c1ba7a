"""One data set from OpenML with its own client, as a program of its own.

    python -m gdcurves.datasets.openml_client KEY VERSION SECONDS

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


def fetch(key: str, version: int | None) -> dict[str, Any]:
    """Download a data set by id or name; the ARFF file, whose checksum the client verifies."""
    os.environ["OPENML_SKIP_PARQUET"] = "true"  # OpenML gives no checksum of its Parquet files
    import openml
    import requests

    openml.config.set_root_cache_directory(str(Path.cwd() / "cache"))
    openml.config.set_retry_policy("human", n_retries=2)
    server = str(openml.config.server)
    try:
        dataset = openml.datasets.get_dataset(
            int(key) if key.isdecimal() else key,
            version=None if key.isdecimal() else version,
            download_data=True,
            download_qualities=False,
            download_features_meta_data=False,
        )
    except openml.exceptions.OpenMLHashException as error:
        return {"broken": _line(error)}
    except requests.RequestException as error:
        if error.response is None:
            return {"unanswered": f"{server} does not answer ({type(error).__name__})"}
        reason = f"HTTP {error.response.status_code} from {error.response.url}"
        return {"unanswered": f"{server} does not answer as it should ({reason})"}
    except openml.exceptions.OpenMLServerNoResult as error:
        return {"absent": _line(error)}
    except openml.exceptions.OpenMLServerException as error:
        return {"refused": f"{server}: {_line(error)}"}
    except RuntimeError as error:  # no data set of this name
        return {"absent": _line(error)}
    except Exception as error:  # the client's parsers raise what they like on broken answers
        return {"broken": f"{type(error).__name__}: {_line(error)}"}
    if key.isdecimal() and version is not None and dataset.version != version:
        return {"absent": f"id {key} is version {dataset.version}, not {version}"}
    return {
        "file": str(dataset.data_file),
        "about": {
            "id": dataset.dataset_id,
            "name": str(dataset.name),
            "version": dataset.version,
            "target": dataset.default_target_attribute,
            "row_id": _listed(dataset.row_id_attribute),
            "ignored": _listed(dataset.ignore_attribute),
            "licence": str(dataset.licence or "none stated"),
            "url": str(dataset.openml_url),
            "checked": dataset.md5_checksum is not None,
        },
    }


def _listed(names: str | list[str] | None) -> list[str]:
    if names is None:
        return []
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


def _line(error: BaseException) -> str:
    return textwrap.shorten(str(error), 300)


def main() -> None:
    """Fetch what the arguments name."""
    key, version, seconds = sys.argv[1:]
    limit_silence(float(seconds))
    refuse_faults()
    answer = fetch(key, int(version) if version else None)
    print("\n" + json.dumps(answer))


if __name__ == "__main__":
    main()
