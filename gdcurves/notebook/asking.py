"""The function that is called from a notebook or a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import joblib

from gdcurves import plan, plots
from gdcurves.compute import local
from gdcurves.config import Document, load_text
from gdcurves.config.reading import Mark, Rescale
from gdcurves.errors import RunError, UserError
from gdcurves.notebook import values
from gdcurves.notebook.answered import LearningCurves, Scratch
from gdcurves.notebook.arguments import in_python, named
from gdcurves.notebook.values import Names
from gdcurves.notebook.watching import unwatched, watched
from gdcurves.plan.asked import Asked
from gdcurves.plan.drafted import Draft
from gdcurves.plan.plan import Plan
from gdcurves.report import described
from gdcurves.run import reading, runner
from gdcurves.store import folder
from gdcurves.store.folder import Mode

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame
    from numpy.typing import ArrayLike

MOST_SPLITS = 10_000_000


def learning_curves(
    data: IntoFrame | ArrayLike | str | PathLike[str],
    target: str | ArrayLike | None = None,
    *,
    name: str | None = None,
    threshold: float | Literal["median", "none"] | None = None,
    classes: Iterable[str] | Mapping[str, str | Iterable[str]] | None = None,
    fitters: Names | None = None,
    allow: Names | None = None,
    sizes: Iterable[int] | None = None,
    splits: int | None = None,
    measure: str | None = None,
    drop: Names | None = None,
    groups: Names | None = None,
    continuous: Names | None = None,
    discrete: Names | None = None,
    missing: Names | None = None,
    missing_text: Names | None = None,
    decimal: Mark | None = None,
    thousands: Mark | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    no_header: bool = False,
    rescale: Rescale | None = None,
    stratified: bool = False,
    figure: str | None = None,
    target_error: float | None = None,
    more_rows: int | None = None,
    jobs: int | None = None,
    offline: bool = False,
    out: str | PathLike[str] | None = None,
    resume: bool = False,
    fresh: bool = False,
    progress: bool = True,
) -> LearningCurves:
    """Compute the learning curves of classifiers on data, as `gdcurves run --data` does.

    The options are those of that command, and so are what is left unsaid, what is refused, and the
    numbers: for a table with the same columns in memory as in a file, with the same name and the
    same types of columns, they are equal. In a data frame types mean what they do in a Parquet
    file: floats are continuous, texts, booleans and categories are discrete, whole numbers are
    what they look like.

    Parameters
    ----------
    data
        A data frame of pandas, Polars or PyArrow, or of another library that narwhals knows; an
        array of inputs, one row for each of those of `target`; or what `--data` takes: a file,
        "openml:31", "uci:53", a name of `gdcurves datasets list`. The index of a data frame is no
        column.
    target
        The column to predict, or the classes themselves.
    name
        What a table in memory is called, "data" unless given. The random splits depend on it, as on
        the name of a file.
    threshold
        For a number as target: classes are above it and not. "median", a number, or "none" for a
        class of each number.
    classes
        Labels that are a class each, or a mapping of names to the labels that each merges; rows
        with others are left out. Every label is a class unless given.
    fitters
        Classifiers by their names; "paper" for those of Ng & Jordan; "naive_bayes",
        "penalised_logistic" and "majority" unless given. A name with dots is that of a class of
        scikit-learn: "sklearn.ensemble.RandomForestClassifier".
    allow
        Packages beside scikit-learn whose classes may be named.
    sizes
        Training sizes, of rows or groups; twelve up to nine tenths of the rows unless given.
    splits
        Random splits at every size; 1000 unless given, or fewer where they cost much.
    measure
        Which tells what classifier is better: "error" unless given, "balanced_error", "auc",
        "brier".
    drop, continuous, discrete
        Columns that are no inputs, or are of this kind whatever they look like: a name, or several.
    groups
        The column, or several, whose equal values say which rows stay together, as those of one
        patient; sizes count these groups.
    missing
        What becomes of missing values: "drop_rows" unless given, "mean", "level", "mean,level" or
        "error".
    missing_text
        Texts that are missing values too.
    decimal, thousands
        "." or ",", which stands before decimals, or between thousands, in columns of texts that do
        not show it.
    encoding, sheet
        Of a file: "cp1252" and so on; the name of a sheet of an .xlsx workbook.
    no_header
        Whether the first row of a file is one of cells, not of names; columns are then called c1,
        c2 and so on.
    rescale
        Rows over which numbers are brought to [0, 1]: "train" unless given, "dataset" or "none".
    stratified
        Whether training sets have as many rows of each class.
    figure
        What is drawn: "learning_curves" unless given, "difference".
    target_error
        Tell how many training rows would bring the error down to this.
    more_rows
        Tell what so many more training rows, or groups, would bring; twice as many unless given.
    jobs
        Worker processes; one per usable CPU unless given.
    offline
        Whether requests to servers are forbidden.
    out
        A folder for the results, which `gdcurves plot`, `crossings` and `status` read, and `load`;
        nothing is kept unless given.
    resume, fresh
        Go on with the run that is in this folder, or replace it.
    progress
        Whether to show how far it is, and notes on the data.

    Returns
    -------
    The curves, which show themselves; their answer, tables and pictures.

    Raises
    ------
    UserError
        For what the command line refuses: a column that is not there, sizes that the rows cannot
        give, ...; RunError among them, where a run cannot go on.

    Examples
    --------
    >>> from gdcurves import learning_curves
    >>> from sklearn.datasets import load_iris
    >>> flowers = load_iris(as_frame=True).frame
    >>> run = learning_curves(flowers, "target", sizes=[10, 90], splits=20, jobs=1, progress=False)
    >>> print(run.answer.splitlines()[1])
    penalised_logistic has 0.017 less error than naive_bayes; for other data of this kind ...
    >>> run.curves.loc[run.curves["m"] == 90, ["fitter", "error_mean", "auc_mean"]].round(2)
                   fitter  error_mean  auc_mean
    1         naive_bayes        0.05      0.99
    3  penalised_logistic        0.04      1.00
    5            majority        0.71      0.50
    >>> run.plot("auc").save("auc.pdf")
    [PosixPath('auc.pdf')]
    """
    with named():
        where, goal, held = values.source_of(data, target, name)
        asked = Asked(
            where,
            goal,
            threshold=values.threshold(threshold),
            classes=values.classes(classes),
            fitters=values.words(fitters),
            allow=values.names(allow),
            sizes=values.sizes(sizes),
            drop=values.names(drop),
            groups=values.names(groups),
            continuous=values.names(continuous),
            discrete=values.names(discrete),
            encoding=encoding,
            sheet=sheet,
            no_header=no_header,
            missing=values.words(missing),
            missing_text=values.names(missing_text),
            decimal=values.one_of("decimal", decimal, (".", ",")),
            thousands=values.one_of("thousands", thousands, (".", ",")),
            rescale=values.one_of("rescale", rescale, ("dataset", "train", "none")),
            stratified=stratified,
            figure=figure,
            offline=offline,
            held=held,
        )
        splits = values.at_least_one("splits", splits, MOST_SPLITS)
        jobs = values.at_least_one("jobs", jobs) or joblib.cpu_count()
        destination = Place.of(out, resume, fresh)
        if figure is not None:
            plots.check(figure, f"--figure {figure}: no such figure")
        made = asked.draft()
        planned = plan.make(
            _document(made),
            splits=splits,
            measure=measure,
            target_error=values.share(target_error),
            more_rows=values.at_least_one("more_rows", more_rows),
            allowed=values.names(allow),
            held={} if held is None else {where: held},
        )
        _compute(made.noted(planned), made, destination, jobs, offline, progress)
        lines = (*described.data(made), *described.work(made, planned.config.splits))
        run = reading.read_partial(destination.folder)
        if run.curves.empty:
            entries = run.manifest["experiments"].items()
            raise RunError("; ".join(f"{each}: {entry['reason']}" for each, entry in entries))
        understood = tuple(map(in_python, lines))
        return LearningCurves(run, understood, destination.scratch)


@dataclass(frozen=True)
class Place:
    """Where results go, and what is done with an earlier run there.

    `scratch` holds the folder where nobody wants to keep them.
    """

    folder: Path
    mode: Mode
    scratch: Scratch | None = None

    @classmethod
    def of(cls, out: str | PathLike[str] | None, resume: bool, fresh: bool) -> Place:
        """Take what the user says; raises UserError where nothing can be written there."""
        if resume and fresh:
            raise UserError("--resume and --fresh exclude each other; give one of them")
        if out is None:
            if resume or fresh:
                raise UserError(f"--{'resume' if resume else 'fresh'} goes with --out")
            scratch = Scratch()
            return cls(scratch.path, "new", scratch)
        path = Path(out).expanduser()
        folder.writable(path)
        return cls(path, "resume" if resume else "fresh" if fresh else "new")


def _document(made: Draft) -> Document:
    """The draft as a config; raises UserError where columns are unclear."""
    if made.refusal is not None:
        without = f"drop={[*made.table.refused]!r}"
        raise UserError(f"{made.refusal}; to go on without: {without}")
    return load_text(made.text, Path(f"{made.name}.yaml"))


def _compute(
    planned: Plan, made: Draft, destination: Place, jobs: int, offline: bool, progress: bool
) -> None:
    """Compute a plan into a folder; raises UserError where it is refused or cannot go on."""
    said: set[str] = set()

    def say(line: str) -> None:
        if progress and line not in said:
            said.add(line)
            print(in_python(line))

    for note in made.notes:
        say(f"Note: {note}")
    try:
        with watched() if progress else nullcontext(unwatched) as show:
            runner.run(
                planned,
                destination.folder,
                name=made.name,
                mode=destination.mode,
                source="packaged",
                data_dir=None,
                offline=offline,
                command=["gdcurves.learning_curves"],
                compute=partial(local.run, jobs=jobs),
                progress=show,
                say=say,
            )
    except KeyboardInterrupt as stop:
        if destination.scratch is None:
            stop.add_note("what was done is kept; go on with resume=True")
        raise
    if destination.scratch is None:
        plots.draw(reading.read_run(destination.folder))
