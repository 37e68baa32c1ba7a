"""Bytes for Arrow to read that are its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def reader(content: bytes) -> pa.BufferReader:
    """Copy bytes into memory of Arrow, and return a reader of it.

    Arrow's threads may let go of what they read when Python has already ended. Bytes of Python's
    they cannot let go of then, and the process aborts: apache/arrow#34314, #50482.
    """
    import pyarrow as pa

    buffer = pa.allocate_buffer(len(content))
    memoryview(buffer).cast("B")[:] = content
    return pa.BufferReader(buffer)
