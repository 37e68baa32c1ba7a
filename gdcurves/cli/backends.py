"""What computes, as options choose it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from gdcurves.errors import UserError

if TYPE_CHECKING:
    from gdcurves.compute.backend import Backend


@contextmanager
def chosen(
    backend: str, jobs: int | None, scheduler: str | None, say: Callable[[str], None]
) -> Iterator[Backend]:
    """Return what computes tasks: processes of this machine, or the workers of a cluster."""
    if (backend == "dask") != (scheduler is not None):
        raise UserError("--backend dask and --scheduler tcp://host:port go together; give both")
    if scheduler is None:
        import joblib

        from gdcurves.compute import local

        yield partial(local.run, jobs=jobs or joblib.cpu_count())
        return
    if jobs is not None:
        raise UserError("--jobs is for processes of this machine; leave it out with --backend dask")
    try:
        from gdcurves.compute import cluster
    except ImportError as error:
        raise UserError(
            f"--backend dask: {error}; install what it needs: pip install 'gdcurves[dask]'"
        ) from None
    with cluster.connected(scheduler, say) as compute:
        yield compute
