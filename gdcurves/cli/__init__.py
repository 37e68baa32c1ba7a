"""The command line: `gdcurves run`, `plot`, `status`, `fitters`, `datasets`, `config` and more.

Modules that are slow to import (numpy, pandas, matplotlib) are imported inside the commands, so
that `--help` and shell completion answer at once.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from typing import Annotated, Any, Never

import typer
from typer.core import TyperGroup

from gdcurves import __version__
from gdcurves.cli import (
    complexity,
    config,
    crossings,
    datasets,
    fitters,
    limits,
    outputs,
    plot,
    report,
    run,
    screen,
    status,
    theory,
)
from gdcurves.errors import UserError
from gdcurves.words import visible

# Ctrl-C, and what else asks a program to end; Windows knows no closed terminal.
SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


class Stopped(KeyboardInterrupt):
    """A signal asks the program to end; `signum` is its number."""

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum


class _Commands(TyperGroup):
    """The commands; a signal that stops one is reported here, as Typer knows only Ctrl-C."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Stopped as stop:
            word = "Interrupted" if stop.signum == signal.SIGINT else "Terminated"
            notes = getattr(stop, "__notes__", [])
            typer.echo("; ".join([word, *notes]), err=True)
            raise typer.Exit(130 if stop.signum == signal.SIGINT else 143) from stop


_NO_PLACE = {errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR}
"""Errors of paths where nothing can be read or written, from whatever looks there first."""

EXIT_CODES = {
    0: "done",
    1: "some part failed, and the rest is done",
    2: "refused before any work, with one line that says why",
    130: "stopped by Ctrl-C",
    143: "stopped by SIGTERM, or by SIGHUP, which is taken for it",
}

app = typer.Typer(
    name="gdcurves",
    cls=_Commands,
    help="Learning curves of generative and discriminative classifiers.",
    epilog=f"Exit codes: {'; '.join(f'{code} {what}' for code, what in EXIT_CODES.items())}.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=screen.markup(),
)
app.command("run", context_settings={"allow_extra_args": True})(run.run)
app.command("plot")(plot.plot)
app.command("crossings")(crossings.crossings)
app.command("report")(report.report)
app.command("limits")(limits.limits)
app.command("complexity")(complexity.complexity)
app.command("theory")(theory.theory)
app.command("status")(status.status)
app.command("fitters")(fitters.fitters)
app.command("schema")(outputs.schema)
app.add_typer(datasets.app)
app.add_typer(config.app)


def main() -> Never:
    """Run the command line and exit, with one of EXIT_CODES."""
    for signum in SIGNALS:
        signal.signal(signum, _stop)
    sys.unraisablehook = _stop_again
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show "±" shows "?"
    try:
        code = _called()
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        code = _unwritten(error)
    sys.exit(code)


def _called() -> Any:
    """Run what the command line says, and return the exit code."""
    try:
        return app(standalone_mode=False)
    except UserError as error:
        return _refuse(str(error), error.exit_code)
    except typer.TyperException as error:
        message = _usage(error)
        return _refuse(message) if message else 0  # a group of commands alone has shown its help
    except OSError as error:
        if error.filename is None or error.errno not in _NO_PLACE:
            raise
        return _refuse(f"{error.filename}: {error.strerror}; name another place, or open this one")


def _unwritten(error: OSError) -> int:
    """End where the output or the messages cannot be written: on a full disk, say.

    What is left of them goes nowhere, so that the end of Python does not fail over it too. An error
    that names a file is another one, and raised again.
    """
    if error.filename is not None:
        raise error
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    return _refuse(f"cannot write the output ({error.strerror})", 1)


def _stop(signum: int, _frame: object) -> Never:
    """Let the work clean up behind itself; a second Ctrl-C ends the program at once.

    Other signals may come twice by themselves: make and timeout both send on what they get.
    """
    for each in SIGNALS:
        signal.signal(each, signal.SIG_DFL if each == signal.SIGINT else signal.SIG_IGN)
    raise Stopped(signum)


def _stop_again(lost: sys.UnraisableHookArgs) -> None:
    """Stop soon where Python has lost that: it goes on after what is raised in a `__del__`."""
    if not isinstance(lost.exc_value, Stopped):
        sys.__unraisablehook__(lost)
        return
    for each in SIGNALS:
        signal.signal(each, _stop)
    threading.Timer(0.1, os.kill, [os.getpid(), lost.exc_value.signum]).start()


def _refuse(message: str, code: int = 2) -> int:
    line = visible(" ".join(message.splitlines()))  # blanks in names stay
    typer.echo(f"Error: {line}", err=True)
    return code


def _usage(error: typer.TyperException) -> str:
    """Say what is wrong with the words of a command line; nothing if there were none."""
    from pydantic import ValidationError

    from gdcurves.config.explain import explain

    if isinstance(error, typer.BadParameter) and isinstance(error.__cause__, ValidationError):
        assert error.param is not None, "a value that was checked is that of a parameter"
        return f"{error.param.opts[0]}: {explain(error.__cause__.errors()[0])}".rstrip(".")
    message = error.format_message().rstrip(".")
    if not message or message.endswith("?"):
        return message
    return f"{message}; see gdcurves --help"


def _version(wanted: bool) -> None:
    if wanted:
        from gdcurves.compute.versions import of_environment

        typer.echo(f"gdcurves {__version__}")
        for name, each in of_environment().items():
            typer.echo(f"{name} {each}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Show versions.",
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
