"""Files that are whole or not there: how one is replaced, and how it is known again."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from gdcurves.errors import UserError, unwritable


def replace(path: Path, content: bytes) -> None:
    """Write a file under a temporary name, flush and rename it; raises WriteError."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex}.part")  # others may write it too
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def sha256(path: Path) -> str | None:
    """Fingerprint of a file's bytes; None if there is none that can be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def unreadable(path: Path, error: OSError | ValueError, advice: str) -> UserError:
    """Return the error for a file of a run that the system or a parser refuses."""
    why = error.strerror if isinstance(error, OSError) else "it is damaged"
    return UserError(f"{path}: cannot be read ({why}); {advice}")
