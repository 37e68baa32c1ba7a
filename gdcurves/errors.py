"""The one error that is shown to the user without a traceback."""

from __future__ import annotations

from pathlib import Path


class UserError(Exception):
    """Something the user can put right: the message says what happened, where, and what to do.

    The message is one line. The command line prints it after "Error:" and ends with `exit_code`:
    2 where the work was refused before it began.
    """

    exit_code = 2

    def _render_traceback_(self) -> list[str]:
        """Show a notebook the message alone, as IPython asks for."""
        return [f"Error: {self}"]


class MisfitError(UserError):
    """What an experiment asks does not fit its data, or is none of what there is.

    `keys` is the way to what is wrong, from the experiment: "drop", 2. Whoever knows the config
    puts file and line before the message.
    """

    def __init__(self, message: str, *keys: str | int) -> None:
        super().__init__(message)
        self.keys = keys


class RunError(UserError):
    """A run cannot go on; what was done is kept."""

    exit_code = 1


class WriteError(RunError):
    """Results could not be written, at the start or in the middle of a run."""


class TableError(RunError):
    """A table cannot be made from the raw rows, which are kept."""


def unwritable(path: Path, error: OSError) -> WriteError:
    """Return the error for a file or folder that cannot be written."""
    why = error.strerror or error  # NumPy's own have no number and no text of the system
    return WriteError(f"{path}: cannot write there ({why}); make room or use --out")
