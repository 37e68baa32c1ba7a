"""Messages that name options of the command line, in the words of those who call a function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from gdcurves.errors import UserError

FLAGS = frozenset({"fresh", "no_header", "offline", "resume", "stratified"})
NAMES = frozenset(
    {
        *("allow", "continuous", "data", "decimal", "discrete", "drop", "encoding", "figure"),
        *("fitters", "font_size", "groups", "measure", "missing", "missing_text", "more_rows"),
        *("out", "rescale", "sheet", "size", "sizes", "splits", "target", "target_error"),
        *("thousands", "threshold", "classes"),
    }
)
# Words of a sentence that goes on behind an option: any other word there is its value.
_ON = "and|computes|exclude|forbids|goes|if|is|or|stands|to|tries"
_OPTION = re.compile(rf"--(?P<name>[a-z]+(?:-[a-z]+)*)(?P<gap> (?!(?:{_ON})\b))?")


def in_python(text: str) -> str:
    """Name arguments in a text where it names options: `--missing-text` is `missing_text=`."""
    return _OPTION.sub(_argument, text)


def _argument(option: re.Match[str]) -> str:
    name, gap = option["name"].replace("-", "_"), option["gap"] or ""
    if name in FLAGS:
        return f"{name}=True{gap}"
    return f"{name}=" if name in NAMES else option[0]


@contextmanager
def named() -> Iterator[None]:
    """Have errors name arguments in place of options."""
    try:
        yield
    except UserError as error:
        error.args = (in_python(str(error)), *error.args[1:])
        raise
