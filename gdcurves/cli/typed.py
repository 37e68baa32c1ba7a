"""The command line as it was typed: what was meant by it, and how to go on with its run."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves.errors import UserError

if TYPE_CHECKING:
    from gdcurves.store.part import Part

MOST_PARTS = 10_000


def with_option(words: Sequence[str], params: Mapping[str, Any]) -> str:
    """Say what to do about words that no option takes: the command that is meant, if one is told.

    `params` are the values of the options.
    """
    first, *others = words
    given = [params[each] for each in ("config", "data")]
    if others or given != [None, None] or first not in sys.argv:
        return (
            f"{' '.join(words)}: belongs to no option; write one before it, several values as a,b,"
            " and a value that holds blanks in quotes"
        )
    option, kind = ("--config", "configs") if _is_config(first) else ("--data", "data")
    at = sys.argv.index(first)
    command = ["gdcurves", *sys.argv[1:at], option, *sys.argv[at:]]
    if option == "--data" and params["target"] is None:
        command += ["--target", "COLUMN"]
    return f"{first}: {kind} are named with {option}: {shlex.join(command)}"


def _is_config(word: str) -> bool:
    from gdcurves.config import find

    if word.endswith((".yaml", ".yml")):
        return True
    try:
        return find(f"{word}.yaml").is_file()
    except UserError:
        return False


def resuming() -> str:
    """Return the command that goes on with the run which this one began."""
    return again("--resume")


def again(*options: str) -> str:
    """Return the command that was given, with other options at its end."""
    program = Path(sys.argv[0])
    if program.name == "__main__.py":
        words = [sys.executable, "-m", "gdcurves"]
    else:
        installed = shutil.which(program.name)
        same = installed is not None and program.exists() and program.samefile(installed)
        words = [program.name if same else str(program)]
    given = [each for each in sys.argv[1:] if each not in ("--fresh", "--resume")]
    return shlex.join([*words, *given, *options])


def whole() -> str:
    """Return the command that goes on with the whole of a run of which a part was asked for."""
    words = shlex.split(again("--resume"))
    at = next(i for i, word in enumerate(words) if word.partition("=")[0] == "--shard")
    return shlex.join(words[:at] + words[at + (1 if "=" in words[at] else 2) :])


def part(text: str) -> Part:
    """Read a part of a run, as in 3/20; raises UserError."""
    from gdcurves.store.part import Part

    number, _, n = text.partition("/")
    if number.isdecimal() and n.isdecimal() and 1 <= int(number) <= int(n) <= MOST_PARTS:
        return Part(int(number), int(n))
    raise UserError(
        f"--shard {text}: write which of how many parts, as in 3/20, from 1/N to N/N,"
        f" {MOST_PARTS:,} parts at most"
    )
