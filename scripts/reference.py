"""Make the pages of docs/reference that follow from the code: commands, keys, classifiers, ...

    python scripts/reference.py

`make docs` does it too. What the pages say of commands is their help; of keys and options, the
attributes in the docstrings of their models; of classifiers, laws and measures, their docstrings.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel
from written import default, escaped, prose, rows, values

from gdcurves.cli import EXIT_CODES, app
from gdcurves.cli.schema import schema
from gdcurves.config import ExperimentConfig, FitterConfig, RunConfig
from gdcurves.config.meanings import meanings, text
from gdcurves.fitters import REGISTRY
from gdcurves.fitters.densities import Densities
from gdcurves.fitters.discriminative import Discriminative
from gdcurves.report import told
from gdcurves.scoring.measures import MEASURES
from gdcurves.simulators import NAMED, SimulationConfig
from gdcurves.simulators.laws import LAWS

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
MADE = "<!-- Made from the code by scripts/reference.py, which `make docs` runs. -->"


def pages() -> dict[str, str]:
    """Content of every page, by its name."""
    made = {
        "commands": commands,
        "config": config,
        "fitters": fitters,
        "laws": laws,
        "measures": measures,
        "json": json,
    }
    return {f"{name}.md": page(each) for name, each in made.items()}


def write(folder: Path = FOLDER) -> None:
    """Write the pages that are not there, or other than they should be."""
    for name, content in pages().items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")


def page(made: Callable[[], Iterable[str]]) -> str:
    """Return the text of a page: its parts with an empty line between them."""
    return "\n\n".join([MADE, *made()]) + "\n"


def commands() -> Iterator[str]:
    """Every command with its options, as its help tells, and the exit codes."""
    yield "# Commands"
    yield (
        "What `gdcurves COMMAND --help` says. `gdcurves --version` shows the versions of Python and"
        " of the libraries too, `gdcurves --install-completion` completes commands in the shell."
        " `--config` takes a path, or the name of a config that comes with the package:"
        " `ng_jordan.yaml` works from any folder. Options override the file; `--only` repeats, and"
        " also takes `a,b`. Results go to `results/<config's name>` unless `--out` says otherwise."
    )
    found = list(_commands(typer.main.get_command(app), ()))
    yield rows(("command", "what it does"), [_first(way, command) for way, command in found])
    for way, command in found:
        yield f"## gdcurves {' '.join(way)}"
        said, _, examples = inspect.cleandoc(command.help).partition("For instance:")
        yield from prose(said)
        if examples:
            lines = "\n".join(line.strip() for line in examples.splitlines() if line.strip())
            yield f"<!-- test: parsed -->\n```sh\n{lines}\n```"
        # The class of a command's context is typer's own, and told by the command alone.
        context = command.context_class(command, info_name=way[-1])
        records = [each.get_help_record(context) for each in command.params]
        options = [(escaped(f"`{name}`"), escaped(what)) for name, what in filter(None, records)]
        if options:
            yield rows(("option", "meaning"), options)
    yield "## Exit codes"
    yield rows(("code", "meaning"), [(f"`{code}`", what) for code, what in EXIT_CODES.items()])
    yield (
        "A mistake in a config is refused, also where only the data show it: a file, column or"
        " label that is not there, a size that the rows cannot give. A data set that is broken or"
        " cannot be had, or that `--data-dir` or OpenML holds in place of one of the package and"
        " the config does not fit, fails alone, and the other experiments are run."
    )


def _first(way: tuple[str, ...], command: Any) -> tuple[str, str]:
    """A line of the list of commands: its name, linked, and the first sentence of its help."""
    said = " ".join(inspect.cleandoc(command.help).partition("\n\n")[0].split())
    return f"[`{' '.join(way)}`](#gdcurves-{'-'.join(way)})", escaped(said)


def _commands(command: Any, way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with the words that call it."""
    below: Mapping[str, Any] = getattr(command, "commands", {})
    if not below:
        yield way, command
    for name, each in below.items():
        yield from _commands(each, (*way, name))


def config() -> Iterator[str]:
    """The keys of a config file."""
    yield "# Keys of a config file"
    yield (
        "Files are read as YAML 1.2. Every mistake in one is reported in one line with file, line"
        " and key, before anything is computed; `gdcurves config check` does only that, with the"
        " data at hand (files and the package's own). `gdcurves config schema` prints this page as"
        " a JSON schema, with which editors complete and check keys. See also [how to write"
        " one](../how-to/config.md)."
    )
    whole = schema()
    yield "## At the top"
    yield table(RunConfig, whole)
    yield "## Of an experiment"
    yield (
        "The items of `experiments`. What the keys that say how data are read mean for files is"
        " told in [data](data.md)."
    )
    yield table(ExperimentConfig, whole["$defs"]["ExperimentConfig"])
    yield "## Of a fitter"
    yield (
        "The items of `fitters`. All other keys are options of the `type`, see"
        " [classifiers](fitters.md)."
    )
    yield table(FitterConfig)


def fitters() -> Iterator[str]:
    """The classifiers, with what they share and their options."""
    yield "# Classifiers"
    yield (
        "The types of `fitters` in a config, and the names after `--fitters`; `gdcurves fitters`"
        " lists them, with those that [packages of others](../how-to/classifiers.md) bring. m is"
        " the number of training rows, n_y that of a class, K the number of classes. What they have"
        " in common, such as ties and features without variance, is told in [what is"
        " computed](../explanation/computed.md)."
    )
    shared = {"Densities": Densities, "Discriminative": Discriminative}
    named = {each.__name__: name for name, each in REGISTRY.items()}
    places = {name: f"#{titled.lower()}" for name, titled in {**named, **TITLES}.items()}
    for name, fitter in REGISTRY.items():
        kinds = fitter.needs.kinds
        alone = f" {min(kinds).capitalize()} inputs alone." if len(kinds) == 1 else ""
        yield f"## {name}"
        yield f"{fitter.summary[0].upper()}{fitter.summary[1:]}.{alone}"
        yield from (linked(each, places) for each in prose(text(fitter)))
        if fitter.model_fields:
            yield table(fitter)
    for name, base in shared.items():
        yield f"## {TITLES[name]}"
        yield f"Of {', '.join(_those_of(base))}."
        yield from (linked(each, places) for each in prose(text(base)))


TITLES = {"Densities": "Densities", "Discriminative": "Likelihoods"}


def _those_of(base: type) -> Iterator[str]:
    """Names of the classifiers of a kind, linked."""
    return (f"[`{name}`](#{name})" for name, each in REGISTRY.items() if issubclass(each, base))


def linked(paragraph: str, places: Mapping[str, str]) -> str:
    """Link names of classes that have a place in the page."""

    def link(found: re.Match[str]) -> str:
        place = places.get(found[1])
        return found[0] if place is None else f"[`{place.removeprefix('#')}`]({place})"

    return re.sub(r"`([A-Z]\w+)`", link, paragraph)


def laws() -> Iterator[str]:
    """The laws of simulated data."""
    yield "# Laws of simulated data"
    yield (
        "What stands under an experiment's key `simulate`, see [simulated"
        " data](../how-to/simulated.md): one of the laws that come with the package, which are"
        f" {', '.join(f'`{name}`' for name in NAMED)}, or a mapping with these keys."
    )
    first = {key: f"{text(law).partition('.')[0]}." for key, law in LAWS.items()}
    yield table(SimulationConfig, meant=meanings(SimulationConfig) | first)
    for key, law in LAWS.items():
        yield f"## {key}"
        yield from prose(text(law))
        if issubclass(law, BaseModel) and meanings(law):
            yield table(law)
        yield from _parts(law)


def _parts(law: type) -> Iterator[str]:
    """Tables of the models that a law is made of."""
    module = inspect.getmodule(law)
    for name, each in vars(module).items():
        own = inspect.isclass(each) and each is not law and each.__module__ == law.__module__
        if own and issubclass(each, BaseModel) and meanings(each):
            yield f"### {name}"
            yield from prose(text(each))
            yield table(each)


def measures() -> Iterator[str]:
    """The measures."""
    yield "# Measures"
    yield (
        "The names after `measures` and `measure` in a config, and after `--measure`. Rules that"
        " give less than a measure needs have no value of it. Its columns of curves.csv begin with"
        " its name, see [result files](results.md#curvescsv)."
    )
    for name, each in MEASURES.items():
        yield f"## {name}"
        yield from prose(inspect.getdoc(type(each)) or "")
        infinite = "; a value may be infinite, so classifiers are not compared by it"
        yield (
            f"Called {each.label} on axes; needs {each.needs}; {each.better} is better"
            f"{infinite if each.infinite else ''}."
        )


def json() -> Iterator[str]:
    """The objects that `--json` prints."""
    yield "# What --json prints"
    yield (
        "An object in a line for each run or whatever a command tells of; `kind` says what it is,"
        " `gdcurves` is the version that printed it. Unknown numbers are null, infinite ones the"
        ' text `"Infinity"` or `"-Infinity"`. `gdcurves schema` prints the JSON schema. See also'
        " [scripts](../how-to/scripts.md)."
    )
    kinds = told.Told.__subclasses__()
    parts = [each for each in vars(told).values() if _is_part(each) and each not in kinds]
    named = [each.__name__ for each in parts]
    for each in (*kinds, *parts):
        yield f"## {each.model_fields['kind'].default if each in kinds else each.__name__}"
        yield from prose(text(each))
        written = each.model_json_schema()["properties"]
        shown = {key: property for key, property in written.items() if key != "gdcurves"}
        lines = [(f"`{key}`", values(each, named)) for key, each in shown.items()]
        yield rows(("key", "values"), lines)


def _is_part(each: Any) -> bool:
    own = inspect.isclass(each) and each.__module__ == told.__name__
    return own and issubclass(each, told.Model) and each not in (told.Model, told.Told)


def table(
    model: type[BaseModel],
    schema: Mapping[str, Any] | None = None,
    meant: Mapping[str, str] | None = None,
) -> str:
    """Return the keys of a model with values, defaults and meanings, in the order of its fields.

    The JSON schema and what the keys mean are the model's own unless given.
    """
    meant = meant or meanings(model)
    lines = [
        (f"`{key}`", values(each), default(each.get("default")), escaped(meant[key]))
        for key, each in (schema or model.model_json_schema())["properties"].items()
    ]
    return rows(("key", "values", "default", "meaning"), lines)


if __name__ == "__main__":
    write()
