"""Floor 4: what is refused, why, and what to write instead."""

from __future__ import annotations

import ast
import builtins
import functools
import sysconfig
from pathlib import Path
from typing import Any

import numpy as np

from s2sgrad.errors import MissingRuleError, UnsupportedError

_LIBRARY = sysconfig.get_path("stdlib")

# statement -> (what, why, what to write instead)
STATEMENTS: dict[type[ast.stmt], tuple[str, str, str]] = {
    ast.Try: (
        "'try' can't be differentiated",
        "which statements ran before an exception is not known while compiling",
        "test for the condition with if before the operation that may fail",
    ),
    ast.TryStar: (
        "'try' can't be differentiated",
        "which statements ran before an exception is not known while compiling",
        "test for the condition with if before the operation that may fail",
    ),
    ast.AsyncFunctionDef: (
        "an async function can't be transformed",
        "its body runs in pieces, whenever the event loop asks",
        "move the numerical part to a plain def, and await around it",
    ),
    ast.AsyncFor: (
        "'async for' can't be transformed",
        "its iterations run whenever the event loop asks",
        "collect the items first, then loop over the list",
    ),
    ast.AsyncWith: (
        "'async with' can't be transformed",
        "it runs whenever the event loop asks",
        "enter the context outside of the numerical function",
    ),
}

# the exception that is caught -> what to write instead of `try`
INSTEAD_OF_TRYING = {
    "StopIteration": "go through the items in a for loop, or give next() a value for their end: "
    "next(items, None)",
    "KeyError": "ask `if key in table` before, or take table.get(key, other)",
    "IndexError": "compare the index with len() before",
    "AttributeError": "ask hasattr() before, or isinstance() of the object's class",
    "TypeError": "ask isinstance() before",
    "NameError": "give the name a value before: name = None",
    "LinAlgError": "test the matrix before: np.linalg.eigvalsh(A)[0] > 0, or np.linalg.cond(A)",
}


def instead_of_trying(stmt: ast.Try) -> str:
    """What to write instead of a `try`, by the first exception that it catches."""
    caught = [part for h in stmt.handlers if h.type is not None for part in ast.walk(h.type)]
    names = [getattr(part, "attr", getattr(part, "id", "")) for part in caught]
    looks_up = any(isinstance(part, ast.Subscript) for s in stmt.body for part in ast.walk(s))
    first = [n for n in names if n in ("KeyError", "IndexError") and looks_up]
    known = (INSTEAD_OF_TRYING[n] for n in (*first, *names) if n in INSTEAD_OF_TRYING)
    return next(known, STATEMENTS[ast.Try][2])


GENERATORS = (
    "its body runs in pieces, whenever the caller asks",
    "let 'yield' be a statement, and go through the items in a for loop; or append to a list",
)
_RUNS_TEXT = (
    "it runs code that is not there while compiling",
    "write the code out in the function",
)
_SEES_NAMES = (
    "the generated function has names of its own",
    "name the variables you need, or keep them in a dict of your own",
)
FUNCTIONS: dict[Any, tuple[str, str]] = {
    builtins.exec: _RUNS_TEXT,
    builtins.eval: _RUNS_TEXT,
    builtins.compile: _RUNS_TEXT,
    builtins.__import__: _RUNS_TEXT,
    builtins.locals: _SEES_NAMES,
    builtins.globals: _SEES_NAMES,
    builtins.vars: _SEES_NAMES,
    functools.singledispatch: (
        "which functions are registered is followed for those of a module only",
        "define it at the top of the module; or ask isinstance(...) in one function",
    ),
    builtins.input: ("it waits for a person", "pass the value as an argument"),
}


OF_SCIPY: dict[Any, tuple[str, str]] = {
    ("scipy.optimize._milp", "milp"): (
        "whole numbers do not move with the costs",
        "fix them at the solution, and solve for the others with scipy.optimize.linprog",
    )
}


_MATRICES: tuple[Any, ...] = (np.matrix, np.asmatrix, np.bmat)
_ASKS = ("allclose", "allequal", "is_mask", "is_masked", "isMA", "isMaskedArray", "isarray")


def makes_other_array(function: Any) -> tuple[str, str] | None:
    """Why a function that makes np.matrix or a masked array is refused, and what to write."""
    if any(function is maker for maker in _MATRICES):
        return "the * of np.matrix is a product of matrices", "use np.asarray(...) and the sign @"
    homes = (getattr(function, "__module__", None), type(function).__module__)
    masked = any(str(home).startswith("numpy.ma") for home in homes)
    if not masked or getattr(function, "__name__", "") in _ASKS:
        return None
    return (
        "masked arrays leave out what they mask, wherever they are used",
        "keep the mask and the numbers apart: np.where(mask, 0.0, a), a[~mask]",
    )


def refused_function(function: Any) -> tuple[str, str] | None:
    """(why, what to write instead) for a function that is refused."""
    name = (getattr(function, "__module__", None), getattr(function, "__name__", None))
    if name in OF_SCIPY:
        return OF_SCIPY[name]
    if (other := makes_other_array(function)) is not None:
        return other
    try:
        return FUNCTIONS.get(function)
    except TypeError:
        return None


def of_the_library(error: UnsupportedError, sources: list[Any]) -> tuple[str, str, str] | None:
    """What is said of an error inside a function of the standard library, where another calls it.

    sources: of the caller, and of the function."""
    plain = type(error) in (UnsupportedError, MissingRuleError)
    inside = [is_library_file(s.filename) for s in sources]
    if not plain or inside != [False, True]:
        return None
    source = sources[-1]
    module = Path(source.filename).stem
    fix = "call it outside of the function, or write in the function what it does"
    said = str(error).split("\n")[0]
    return f"'{source.name}' of the module {module} can't be transformed", said, fix


def made_of_generator(function: Any) -> bool:
    """Whether a function is what `contextlib.contextmanager` makes of a generator function."""
    source = function.source
    inside = is_library_file(source.filename) and Path(source.filename).stem == "contextlib"
    made = inside and getattr(source.node, "name", "") == "helper"
    return made and hasattr(function.function, "__wrapped__")


def is_library_file(filename: str) -> bool:
    """Whether a file belongs to the standard library."""
    return filename.startswith(_LIBRARY) and "site-packages" not in filename
