"""Pages of the documentation, read block by block, and run as a reader would run them.

The blocks of a page are run in their order in a folder of its own, in this process:

* `sh`, and what is indented: commands. Those of gdcurves are run; of `make`, `pip install` and
  `python FILE` it is seen to that the target, the extras, the file exist. Any other is a mistake.
* `python`: run, the blocks of a page in one namespace.
* with a first or second line `# NAME.yaml`, whatever its language: the content of that file. In
  one for a queue (`.sbatch`), bash reads the syntax, and the command line each call of gdcurves.
* `text`: what commands print. It is looked for in what they have printed, unless some were reduced.

A comment above a block says what cannot be run as it stands: `<!-- test: parsed -->`, with names of
the reader's own files, and `<!-- test: elsewhere -->`, on other machines: the command line reads
it, so that commands and options exist; `<!-- test: soak -->`, which takes long: likewise, but for
`make soak`, which runs it as it is.

There are four paces. At "whole", that of `make soak`, all is run as it stands. At "less" runs have
few splits and sizes, see `reduced`. At "planned" a run does everything but to compute: data are
read, the config is checked and planned; and of commands that follow a run the words are read. At
"read" that is all.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal
from unittest import mock

import typer
from blocks import Block, blocks

import gdcurves.notebook
from gdcurves import cli, config, plan
from gdcurves.cli.drafting import Drafting
from gdcurves.cli.names import names

ROOT = Path(__file__).resolve().parents[1]
LESS = {"splits": 10, "jobs": 1}
FEW = [10, 40]
QUEUE = {"SLURM_ARRAY_TASK_ID": "3"}
LATE = ("complexity", "crossings", "limits", "plot", "report", "status", "theory")
RULES = ("", "parsed", "elsewhere", "soak")
OF_QUEUES = ("#", ".", "cd", "dask", "sleep", "srun")


Pace = Literal["whole", "less", "planned", "read"]


class PageError(AssertionError):
    """A block of a page does not do what it says."""


@dataclass
class Reader:
    """Someone who follows a page.

    Attributes
    ----------
    pace
        How much of it is done.
    printed
        What commands have printed.
    was_reduced
        Whether some have done less than they should.
    folders
        Where runs would have put their results that were planned alone.
    names
        What blocks of Python have named.
    """

    pace: Pace = "whole"
    printed: str = ""
    was_reduced: bool = False
    folders: set[Path] = field(default_factory=set)
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def follow(self, page: Path, folder: Path) -> None:
        """Do what a page says, in an empty folder; raises PageError with the line of a block."""
        learning_curves = mock.patch.object(
            gdcurves.notebook, "learning_curves", self._learning_curves
        )
        paths = mock.patch.object(sys, "path", [*sys.path])
        with contextlib.chdir(folder), mock.patch.dict(os.environ, QUEUE), learning_curves, paths:
            for block in blocks(page.read_text(encoding="utf-8")):
                try:
                    self.do(block)
                except Exception as error:
                    raise PageError(f"{page}:{block.line}: {error}") from error

    def do(self, block: Block) -> None:
        """Do what a block says."""
        if block.rule not in RULES:
            raise PageError(f"test: {block.rule}: there is no such rule")
        if block.file is not None:
            Path(block.file).write_text(f"{block.text}\n", encoding="utf-8")
            if block.file.endswith(".sbatch"):
                self._queued(Path(block.file))
        elif block.language == "python" and block.rule == "soak" and self.pace != "whole":
            compile(block.text, "page", "exec")
        elif block.language == "python":
            with self._printing():
                exec(compile(block.text, "page", "exec"), self.names)
        elif block.language == "sh":
            for line in block.text.splitlines():
                self.command(line, block.rule)
        elif block.language == "text":
            if not (self.was_reduced or _plain(block.text) in _plain(self.printed)):
                raise PageError(f"not printed: {block.text}\nbut: {self.printed}")
        elif block.language != "yaml":
            raise PageError(f"a block of {block.language or 'no language'}; what is it?")

    def command(self, line: str, rule: str = "") -> None:
        """Do what a line of the shell says, or see whether it could be done."""
        words = shlex.split(line, comments=True)
        into = words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if into else words
        if words[:1] == ["PYTHONPATH=."]:
            sys.path.insert(0, str(Path.cwd()))
            words = words[1:]
        match words:
            case [] | ["sbatch" | "dask", *_]:
                pass
            case ["gdcurves", *rest]:
                self._gdcurves(rest, rule, into)
            case ["make", *targets]:
                _has_targets([each for each in targets if "=" not in each])
            case ["pip", "install", what]:
                _has_extras(what)
            case ["python", "-c", code]:
                self.do(Block("python", code, 0, ""))
            case ["python", path, *_] if (ROOT / path).is_file():
                pass
            case _ if rule == "elsewhere":
                pass
            case _:
                raise PageError(f"a command that no test knows: {line}")

    def _gdcurves(self, words: list[str], rule: str, into: str | None) -> None:
        options = parse(words)
        if rule in ("parsed", "elsewhere") or self.pace == "read":
            return
        late = self.pace == "planned" and words[0] in ("run", *LATE)
        if late or (rule == "soak" and self.pace != "whole"):
            self.was_reduced = True
            if words[0] == "run":
                self._plan(options)
            return
        less = words if self.pace == "whole" else reduced(words)
        self.was_reduced |= less != words
        with self._printing() as out:
            code = call(less)
        if code in (130, 143):  # meant for whoever follows the page
            raise KeyboardInterrupt
        if code:
            raise PageError(f"gdcurves {' '.join(less)}: exit code {code}: {self.printed}")
        if into:
            Path(into).write_text(out.getvalue(), encoding="utf-8")

    def _plan(self, options: dict[str, Any]) -> None:
        """Do what a run does before it computes, in a folder of its own unless it says so."""
        folder = options["out"] or Path("results") / plan_run(options)
        may_be_there = options["resume"] or options["fresh"] or options["shard"]
        if folder in self.folders and not may_be_there:
            raise PageError(f"{folder} holds the run of a command above; add --out, or --resume")
        self.folders.add(folder)

    def _queued(self, script: Path) -> None:
        checked = subprocess.run(["bash", "-n", script.name], capture_output=True, text=True)
        if checked.returncode or not script.read_text(encoding="utf-8").startswith("#!"):
            raise PageError(f"no script of bash: {checked.stderr}")
        for line in script.read_text(encoding="utf-8").splitlines():
            if not line.startswith(OF_QUEUES):
                self.command(os.path.expandvars(line), "parsed")

    @contextlib.contextmanager
    def _printing(self) -> Iterator[io.StringIO]:
        out, err = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                yield out
        finally:
            self.printed += err.getvalue() + out.getvalue()

    def _learning_curves(self, *arguments: Any, **options: Any) -> Any:
        less = {} if self.pace == "whole" else {**LESS, "sizes": FEW}
        self.was_reduced |= bool(less)
        return _LEARNING_CURVES(*arguments, **(less | options))


_LEARNING_CURVES = gdcurves.notebook.learning_curves


def reduced(words: list[str]) -> list[str]:
    """Return a command with less work: few splits in this process, and two sizes of own data."""
    if words[0] != "run":
        return words
    less = [each for key, n in LESS.items() if f"--{key}" not in words for each in (f"--{key}", n)]
    if "--data" in words and "--sizes" not in words:
        less += ["--sizes", ",".join(map(str, FEW))]
    return [*words, *map(str, less)]


def call(words: list[str]) -> int:
    """Call the command line in this process; returns its exit code."""
    handlers = {each: signal.getsignal(each) for each in cli.SIGNALS}
    try:
        with mock.patch.object(sys, "argv", ["gdcurves", *words]):
            cli.main()
    except SystemExit as ended:
        return int(ended.code or 0)
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)


def parse(words: list[str]) -> dict[str, Any]:
    """Have the command line read its words; returns the options, by the names of parameters.

    Nothing is done. Raises where it does not take the words.
    """
    _READ.clear()
    _without_effect().main(words, standalone_mode=False)
    return {**_READ}


_READ: dict[str, Any] = {}


@cache
def _without_effect() -> Any:
    """The command line, whose commands note their options and do nothing."""
    command = typer.main.get_command(cli.app)
    waiting = [command]
    while waiting:
        each = waiting.pop()
        waiting += getattr(each, "commands", {}).values()
        if each is not command:
            each.callback = lambda **given: _READ.update(given)
    return command


def plan_run(options: dict[str, Any]) -> str:
    """Do what `gdcurves run` does with these options before it computes; returns the run's name."""
    if options["config"] is None:
        document = Drafting.of(options).document()
    else:
        document = config.load(config.find(options["config"]))
    asked = (options[name] for name in ("splits", "measure", "target_error", "more_rows"))
    plan.make(document, names(options["only"] or []), *asked, options["allow"] or ())
    return document.path.stem


def _has_targets(targets: list[str]) -> None:
    known = re.findall(r"^([a-z0-9]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    unknown = {*targets} - {*known}
    if unknown or not targets:
        raise PageError(f"make has no {', '.join(unknown) or 'default'}")


def _has_extras(what: str) -> None:
    """See to it that extras of gdcurves that are to be installed exist."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = re.fullmatch(r"(?:gdcurves|\.)\[([\w,]+)\]", what)
    unknown = {*(found[1].split(",") if found else [])} - {*project["optional-dependencies"]}
    if unknown:
        raise PageError(f"gdcurves has no extra {', '.join(unknown)}")


def _plain(text: str) -> str:
    return " ".join(text.split())
