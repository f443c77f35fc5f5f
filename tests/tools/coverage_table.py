"""Write docs/coverage.md: for every public function of NumPy and SciPy, which derivative it has.

python tests/tools/coverage_table.py            # writes the page
python tests/tools/coverage_table.py --try      # the same, trying complex numbers, second order
                                                # and jit anew; then names, if not all
python tests/tools/coverage_table.py --check    # tries some, says whether the page is true

What was tried is kept in the page itself: trying everything takes a quarter of an hour.
"""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
import polynomial_programs
import scipy
from reasons import REAL_ONLY, reason
from trying import NOT_TRIED, second_order, tried, tried_written, under_numba
from trying_complex import tried_complex
from written_programs import PROGRAMS

from s2sgrad.frontend.builtins.names import _HANDLERS as SPELLED_OUT
from s2sgrad.frontend.functions.standing_in import spelled_out, stand_in
from s2sgrad.frontend.models.seldom import COMPUTED
from s2sgrad.rules import lookup
from s2sgrad.rules.declare import Rule
from s2sgrad.rules.scipy_stats_table import CONTINUOUS, DISCRETE
from s2sgrad.standins import hypotheses, relating, summaries

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"
MODULES = (
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    *polynomial_programs.MODULES,
    "scipy.special",
    "scipy.linalg",
    "scipy.fft",
    "scipy.signal",
    "scipy.signal.windows",
    "scipy.ndimage",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.sparse.linalg",
    "scipy.spatial.distance",
)
METHODS = ("logpdf", "pdf", "logpmf", "pmf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")
SOLVER = "a solver, read as one: by its args and by what its function reads"
READ = "read as plain Python code"
TRIALS = ("complex", "second order", "jit")
STRIDE = 151  # --check tries every 151st function again
Row = tuple[str, str, str, str, str]  # function, reverse, forward, complex if not tried, note
Tried = dict[str, tuple[str, ...]]  # full name -> cells of TRIALS


def public_functions(module: str) -> list[tuple[str, Any]]:
    """Name and function of everything public and callable in a module that is not a class."""
    home = importlib.import_module(module)
    names = getattr(home, "__all__", None) or [n for n in dir(home) if not n.startswith("_")]
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(set(names)):
            value = getattr(home, name, None)
            if callable(value) and not isinstance(value, type):
                found.append((name, value))
    return found


def arguments_with(rule: Rule, forward: bool) -> tuple[int, int]:
    """How many array arguments have a derivative, and how many of those also forward."""
    active = list(rule.partials)
    if not forward:
        return len(active), len(active)
    known = [a for a in active if has_tangent(rule, a)]
    return len(active), len(known)


def has_tangent(rule: Rule, argument: str) -> bool:
    """Whether forward mode knows the function's change with one argument."""
    if argument in rule.tangents or argument in rule.linear:
        return True
    return rule.kind == "elementwise" and (rule.holomorphic or argument in rule.tangents)


def takes_complex(name: str, function: Any) -> bool:
    """Whether the function itself is defined for complex arguments."""
    types = getattr(function, "types", None)
    if isinstance(types, list):
        return any("D" in entry.split("->")[0] for entry in types)
    return not any(name == real or name.startswith(real + ".") for real in REAL_ONLY)


def note_of(name: str) -> str:
    """What to know of a function that is read as one of the compiler's own."""
    if name.startswith("numpy"):
        return READ
    solver = name.startswith(("scipy.optimize", "scipy.integrate")) and "rosen" not in name
    return SOLVER if solver else ""


def is_read(function: Any) -> bool:
    """Whether the compiler reads other code in a function's place."""
    found = stand_in(function) is not None or spelled_out(function) is not None
    return found or function in SPELLED_OUT or function in COMPUTED


def row(name: str, function: Any) -> Row:
    """(name, reverse, forward, complex, note) of one function."""
    rule = lookup(function)
    short = f"`{name}`"
    if (rule is None or rule.kind == "not_yet") and is_read(function):
        real = not name.startswith("numpy") or not takes_complex(name, function)
        number = "real" if real else NOT_TRIED
        return short, "yes", "yes", number, note_of(name)
    if rule is None:
        return short, "–", "–", "–", reason(name, function)
    if rule.kind == "zero":
        return short, "zero", "zero", "", "flat almost everywhere"
    if rule.kind == "none":
        return short, "none", "none", "", "the result carries no derivative"
    if rule.kind == "not_yet":
        return short, "–", "–", "–", rule.why
    active, forward = arguments_with(rule, True)
    if not active:
        return short, "none", "none", "", "no argument carries a derivative"
    constant = [a for a in rule.arguments if a not in rule.partials]
    note = f"constant: {', '.join(constant)}" if constant else ""
    forwards = "yes" if forward == active else f"{forward} of {active} arguments"
    return short, "yes", forwards, "yes" if takes_complex(name, function) else "real", note


def functions() -> Iterator[tuple[str, str, Any]]:
    """(module, name, function) of every row of the page."""
    for module in MODULES:
        for name, function in public_functions(module):
            yield module, name, function
    stats = importlib.import_module("scipy.stats")
    for name in sorted((*hypotheses.READ, *summaries.READ, *relating.READ)):
        yield "scipy.stats", name, getattr(stats, name)
    known = {item.name for item in (*CONTINUOUS, *DISCRETE)} | {"multivariate_normal", "dirichlet"}
    families = stats.rv_continuous, stats.rv_discrete
    for name in sorted(known | {n for n in dir(stats) if isinstance(getattr(stats, n), families)}):
        found = getattr(stats, name)
        for method in METHODS:
            function = getattr(found, method, None)
            flat = isinstance(found, stats.rv_discrete) and method in ("ppf", "isf")
            if function is not None and (lookup(function) is not None or not flat):
                yield "scipy.stats", f"{name}.{method}", function


def sections() -> dict[str, list[Row]]:
    """Module name -> its rows."""
    found: dict[str, list[Row]] = {}
    for module, name, function in functions():
        cells = row(f"{module}.{name}", function)
        number = "real" if module == "scipy.stats" else cells[3]
        found.setdefault(module, []).append((f"`{name}`", *cells[1:3], number, cells[4]))
    return found


def kept() -> Tried:
    """What the page says was tried."""
    found, module = {}, ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        module = line[3:] if line.startswith("## ") else module
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 7 and cells[0].startswith("`"):
            found[f"{module}.{cells[0].strip('`')}"] = (cells[3], cells[4], cells[5])
    return found


def trials(name: str) -> tuple[str, tuple[str, ...]]:
    """A function's full name and the cells of TRIALS, tried now."""
    function = next(f for m, n, f in functions() if f"{m}.{n}" == name)
    if name in PROGRAMS:
        return name, tried_written(name, real=row(name, function)[3] == "real")
    if stand_in(function) is not None:
        return name, (NOT_TRIED if name.startswith("numpy") else "real", NOT_TRIED, NOT_TRIED)
    solver = lookup(function) is None
    real = solver or not takes_complex(name, function) or name.startswith("scipy.stats")
    number = "real" if real else tried_complex(function)
    return name, (number, tried(second_order, function), tried(under_numba, function))


def differentiable() -> list[str]:
    """The full names of the functions with a derivative."""
    return [
        f"{m}.{c[0].strip('`')}" for m, rows in sections().items() for c in rows if c[1] == "yes"
    ]


def try_all(names: list[str]) -> Tried:
    """The cells of TRIALS of many functions, two at a time."""
    with Pool(2, maxtasksperchild=100) as pool:
        return dict(pool.imap_unordered(trials, names, chunksize=1))


def table(module: str, rows: list[Row], cells: Tried) -> list[str]:
    lines = ["| function | reverse | forward | complex | second order | jit | |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, reverse, forward, number, note in rows:
        known = cells.get(f"{module}.{name.strip('`')}", (NOT_TRIED,) * len(TRIALS))
        known = (number, *known[1:]) if number == "real" else known
        known = known if reverse == "yes" else ("–" if reverse == "–" else "",) * len(TRIALS)
        lines.append("| " + " | ".join([name, reverse, forward, *known, note]) + " |")
    return lines


def page(cells: Tried) -> str:
    """The text of docs/coverage.md."""
    found = sections()
    everything = [row for rows in found.values() for row in rows]
    reverse = sum(row[1] == "yes" for row in everything)
    forward = sum(row[2] == "yes" for row in everything)
    names = differentiable()
    around, twice, jit = [
        sum(cells.get(n, ("", "", ""))[k] == "yes" for n in names) for k in (0, 1, 2)
    ]
    lines = [
        "# Which functions have a derivative",
        "",
        f"Written by `python tests/tools/coverage_table.py` with NumPy {np.__version__} and SciPy "
        f"{scipy.__version__}; a test keeps it true.",
        "",
        f"{reverse} functions have a rule for reverse mode, {forward} of them for forward mode in "
        f"every argument, {around} on complex numbers, {twice} were differentiated twice, {jit} "
        "with jit=True.",
        "",
        "*reverse*, *forward*: yes; zero (flat almost everywhere); none (the result carries no "
        "derivative); – (no rule, with the reason). *complex*: yes where gradient, tangent and "
        "second order of complex samples, alone and mixed with real ones, agreed with "
        "differences; *real* where the function takes no complex numbers. *second "
        "order*: yes where the Hessian times a vector agreed with differences of the gradient on "
        "samples; *jit*: yes where the gradient of the same samples agreed under `jit=True` with "
        "the one without (where Numba does not know a function, that part runs as Python); "
        "– where either failed. Functions that take functions, or write into their arguments, "
        "were tried on a program each. *constant*: arguments that must not be active.",
    ]
    for module, rows in found.items():
        have = sum(cell[1] == "yes" for cell in rows)
        lines += ["", f"## {module}", "", f"{have} of {len(rows)} functions.", ""]
        lines += table(module, rows, cells)
    return "\n".join(lines) + "\n"


def check() -> int:
    """Whether the page is the one to write, and what it says of some functions is so."""
    cells, names = kept(), differentiable()
    if PAGE.read_text(encoding="utf-8") != page(cells):
        print("docs/coverage.md is out of date: python tests/tools/coverage_table.py")
        return 1
    wrong = [n for n, found in map(trials, names[::STRIDE]) if found != cells.get(n)]
    print(f"not as the page says, try again with --try: {wrong}" if wrong else "true")
    return 1 if wrong else 0


def main(arguments: list[str]) -> int:
    """Write the page, or with --check compare it."""
    if "--check" in arguments:
        return check()
    names = [n for n in arguments if not n.startswith("--")]
    again = [n for n in differentiable() if not names or n in names]
    cells = {**kept(), **try_all(again)} if "--try" in arguments else kept()
    PAGE.write_text(page(cells), encoding="utf-8")
    print(f"wrote {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
