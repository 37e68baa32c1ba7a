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
_ON = "and|computes|exclude|forbids|goes|if|is|or|stands|to|tries|with"
_OPTION = re.compile(rf"--(?P<name>[a-z]+(?:-[a-z]+)*)(?P<gap> (?!(?:{_ON})\b)|=)?")
# What is said of configs, which have no place here, and what takes it.
_OF_CONFIGS = (
    (re.compile(r" \((in a config )?`[a-z_]+(: [^`]*)?`(, or none)?\)"), ""),
    (re.compile(r", `[a-z_]+` in a config,"), ""),
    (re.compile(r", as a key of the experiment in a config"), ""),
    (
        re.compile(
            r", or the texts that are missing under 'missing_texts' \(--missing-text\), as"
            r" \{only: \[\.\.\.\]\}"
        ),
        "",
    ),
    (re.compile(r"in a config, `classes: [^`]*` merges them, and so does (.*)"), r"\1 merges them"),
    (re.compile(r"--classes '(\{[^']*\})'"), r"classes=\1"),
    (re.compile(r"'[a-z_]+' \((--[a-z-]+)\)"), r"\1"),
    (re.compile("'missing_texts'"), "missing_text="),
    (re.compile("`run --data`"), "`learning_curves`"),
)


def in_python(text: str) -> str:
    """Name arguments in a text where it names options: `--missing-text` is `missing_text=`.

    Keys of configs are arguments too, or are not named.
    """
    for of_config, here in _OF_CONFIGS:
        text = of_config.sub(here, text)
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
