"""Messages that name options of the command line, in the words of those who call a function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from gdcurves.errors import UserError

_FLAGS = ("fresh", "offline", "resume", "stratified")
_OTHERS = (
    *(
        "allow",
        "continuous",
        "data",
        "decimal",
        "discrete",
        "drop",
        "encoding",
        "figure",
        "fitters",
    ),
    *("font-size", "groups", "measure", "missing", "missing-text", "more-rows", "out", "rescale"),
    *("sheet", "size", "sizes", "splits", "target", "target-error", "thousands", "threshold"),
)
_OPTION = re.compile(
    rf"--({'|'.join((*_FLAGS, *_OTHERS))})(?![\w-])(?: (?=[\d.\"'\w,]+(?:$|[;:)])))?"
)


def in_python(text: str) -> str:
    """Name arguments in a text where it names options: `--missing-text` is `missing_text=`."""
    return _OPTION.sub(_argument, text)


def _argument(option: re.Match[str]) -> str:
    name = option[1].replace("-", "_")
    return f"{name}=True" if name in _FLAGS else f"{name}="


@contextmanager
def named() -> Iterator[None]:
    """Have errors name arguments in place of options."""
    try:
        yield
    except UserError as error:
        error.args = (in_python(str(error)), *error.args[1:])
        raise
