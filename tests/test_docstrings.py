"""The shapes of arrays stand in the docstrings of what takes, holds and returns them.

Of every public function, method, property and attribute of a class whose annotation holds an array
type, the docstring (of attributes, and of __init__: the class's) gives the shape:

* a parameter or attribute is covered by a shape in the entry of a section that names it, or by one
  that follows its name in a sentence of the text above the sections (names may share one);
* what is returned is covered by a shape under Returns, or by one in the text that is not the first
  after a parameter's name.

A shape is a tuple of short names, numbers, and their sums and products: (n,), (K - 1, ...), (). A
method that says "see `Name`" is covered by what the class of that name says of its method.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gdcurves

ROOT = Path(gdcurves.__file__).parent
TERM = r"(?:\d+|[A-Za-z]{1,2}'?|n_[a-z]+|[A-Z_]+)"
LENGTH = rf"(?:\.\.\.|{TERM}(?: ?[-+*^ ] ?{TERM})*)"
SHAPE = re.compile(rf"(?<!\w)\((?:{LENGTH},(?: {LENGTH},?)*|\.\.\.|)\)")
HEADING = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
ENTRY = re.compile(r"\n(?=\S)")
SENTENCE = re.compile(r"\.\s|\n\n")
SEE = re.compile(r"\b[Ss]ee `(\w+)`")

Function = ast.FunctionDef | ast.AsyncFunctionDef

TREES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for path in sorted(ROOT.rglob("*.py"))
}


def named(annotation: ast.expr | None) -> set[str]:
    nodes = ast.walk(annotation) if annotation is not None else ()
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def array_types() -> set[str]:
    """NDArray, and the names given to what is made of it."""
    types = {"NDArray"}
    given = [
        (node.targets[0].id, named(node.value))
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    for _ in range(3):  # names of names
        types |= {name for name, parts in given if parts & types}
    return types


ARRAYS = array_types()


def public(name: str) -> bool:
    return not name.startswith("_") or name in ("__init__", "__call__")


def functions(body: list[ast.stmt]) -> Iterator[Function]:
    return (each for each in body if isinstance(each, Function) and public(each.name))


def classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (each for each in tree.body if isinstance(each, ast.ClassDef) and public(each.name))


def attributes(owner: ast.ClassDef) -> Iterator[str]:
    """Those of a class that are arrays."""
    for each in owner.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            name = each.target.id
            if public(name) and named(each.annotation) & ARRAYS:
                yield name


CLASSES = {each.name: each for tree in TREES.values() for each in classes(tree)}


def said(function: Function, owner: ast.ClassDef | None) -> str:
    """Docstring of a function or method, with that of the method it refers to."""
    if owner and function.name == "__init__":
        return ast.get_docstring(owner) or ""
    text = ast.get_docstring(function) or ""
    if owner and (see := SEE.search(text)) and (origin := CLASSES.get(see[1])):
        same = (each for each in functions(origin.body) if each.name == function.name)
        text += "\n\n" + "".join(said(each, origin) for each in same)
    return text


def without_shape(text: str, arrays: list[str], returns: bool = False) -> list[str]:
    """Arrays of which a docstring gives no shape; "return" for what is returned."""
    prose, *rest = HEADING.split(text)
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    listed = {
        name
        for content in sections.values()
        for entry in ENTRY.split(content)
        if SHAPE.search(entry)
        for name in entry.partition("\n")[0].split(", ")
    }
    followed = {name: shape for name in arrays if (shape := shape_after(name, prose))}
    missing = [name for name in arrays if name not in listed | followed.keys()]
    left = {each.span() for each in SHAPE.finditer(prose)} - {*followed.values()}
    if returns and not (left or SHAPE.search(sections.get("Returns", ""))):
        missing.append("return")
    return missing


def shape_after(name: str, prose: str) -> tuple[int, int] | None:
    """Where in the text the first shape stands that follows a name in its sentence."""
    word = "`a`" if name == "a" else rf"\b({name}|{name.capitalize()})\b"  # "a" is English
    for each in re.finditer(word, prose):
        end = SENTENCE.search(prose, each.end())
        if shape := SHAPE.search(prose, each.end(), end.start() if end else len(prose)):
            return shape.span()
    return None


def gaps(tree: ast.Module) -> Iterator[str]:
    """What in a module has arrays without shapes, and which."""
    for owner in (None, *classes(tree)):
        for function in functions(owner.body if owner else tree.body):
            taken = function.args
            parameters = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs]
            arrays = [each.arg for each in parameters if named(each.annotation) & ARRAYS]
            returns = bool(named(function.returns) & ARRAYS)
            for each in without_shape(said(function, owner), arrays, returns):
                yield f"{owner.name + '.' if owner else ''}{function.name}: {each}"
        if owner:
            held = without_shape(ast.get_docstring(owner) or "", [*attributes(owner)])
            yield from (f"{owner.name}: {each}" for each in held)


@pytest.mark.parametrize("name", TREES)
def test_arrays_have_shapes(name: str) -> None:
    assert list(gaps(TREES[name])) == []


@pytest.mark.parametrize(
    ("docstring", "missing"),
    [
        ("Products (B, m) of matrices x (B, m, q) and vectors y (B, q).", ""),
        ("Products of matrices x (B, m, q) and vectors y (B, q).", "return"),
        ("Products (B, m) of matrices x and vectors y (B, q).", ""),
        ("Products (B, m) of matrices x. Vectors y (B, q).", "x"),
        ("Products (B, m).\n\nParameters\n----------\nx, y\n    Of shape (B, 2 q).", ""),
        ("Products.\n\nParameters\n----------\nx\n    (n,)\ny\n    (wide, and even)", "y return"),
        ("Products.\n\n`x` (n,) and `y` ().\n\nReturns\n-------\nShape (K - 1, ...).", ""),
        ("Products of x() and y().", "x y return"),
    ],
)
def test_which_docstrings_do(docstring: str, missing: str) -> None:
    tree = ast.parse(f'def f(x: FloatArray, y: IntArray) -> BoolArray:\n    """{docstring}"""')
    assert [each.removeprefix("f: ") for each in gaps(tree)] == missing.split()
