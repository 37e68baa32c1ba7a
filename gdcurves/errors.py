"""The one error that is shown to the user without a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Something the user can put right: the message says what happened, where, and what to do.

    The message is one line. The command line prints it after "Error:" and ends with exit code 2.
    """
