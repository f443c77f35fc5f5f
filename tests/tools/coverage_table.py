"""Write docs/coverage.md: for every public function of NumPy and SciPy, which derivative it has.

python tests/tools/coverage_table.py            # writes the page
python tests/tools/coverage_table.py --check    # says whether it is up to date
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from reasons import REAL_ONLY, reason

from s2sgrad.frontend.calls import stand_in
from s2sgrad.rules import lookup
from s2sgrad.rules.declare import Rule
from s2sgrad.rules.scipy_stats_table import CONTINUOUS, DISCRETE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"
MODULES = (
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "scipy.special",
    "scipy.linalg",
    "scipy.fft",
    "scipy.signal",
    "scipy.ndimage",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.sparse.linalg",
)
METHODS = ("logpdf", "pdf", "logpmf", "pmf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")
SOLVER = "a solver: what it depends on goes into args="
Row = tuple[str, str, str, str, str]


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
    return SOLVER if name.startswith(("scipy.optimize", "scipy.integrate")) else ""


def row(name: str, function: Any) -> Row:
    """(name, reverse, forward, complex, note) of one function."""
    rule = lookup(function)
    short = f"`{name}`"
    if rule is None and stand_in(function) is not None:
        return short, "yes", "yes", "real", note_of(name)
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


def distribution_rows() -> Iterator[Row]:
    """scipy.stats: the methods of the distribution objects."""
    stats = importlib.import_module("scipy.stats")
    names = [item.name for item in (*CONTINUOUS, *DISCRETE)]
    for name in sorted([*names, "multivariate_normal", "dirichlet"]):
        for method in METHODS:
            function = getattr(getattr(stats, name), method, None)
            if function is not None and lookup(function) is not None:
                cells = row(f"{name}.{method}", function)
                yield (*cells[:3], "real", cells[4])


def table(rows: list[Row]) -> list[str]:
    head = ["| function | reverse | forward | complex | |", "|---|---|---|---|---|"]
    return head + ["| " + " | ".join(cells) + " |" for cells in rows]


def sections() -> dict[str, list[Row]]:
    """Module name -> its rows."""
    found = {}
    for module in MODULES:
        rows = []
        for name, function in public_functions(module):
            cells = row(f"{module}.{name}", function)
            rows.append((f"`{name}`", *cells[1:]))
        found[module] = rows
    found["scipy.stats"] = list(distribution_rows())
    return found


def page() -> str:
    """The text of docs/coverage.md."""
    found = sections()
    everything = [cells for rows in found.values() for cells in rows]
    reverse = sum(cells[1] == "yes" for cells in everything)
    forward = sum(cells[2] == "yes" for cells in everything)
    lines = [
        "# Which functions have a derivative",
        "",
        f"Written by `python tests/tools/coverage_table.py` with NumPy {np.__version__} and SciPy "
        f"{scipy.__version__}; a test keeps it true.",
        "",
        f"{reverse} functions have a rule for reverse mode, {forward} of them for forward mode in "
        "every argument. A rule is written in NumPy, so second derivatives differentiate it again.",
        "",
        "*reverse*, *forward*: yes; zero (flat almost everywhere); none (the result carries no "
        "derivative); – (no rule, with the reason). *complex*: yes where the function takes "
        "complex arguments; *real* where it does not. *constant*: arguments that must not be "
        "active.",
    ]
    for module, rows in found.items():
        have = sum(cells[1] == "yes" for cells in rows)
        lines += ["", f"## {module}", "", f"{have} of {len(rows)} functions.", "", *table(rows)]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write the page, or with --check compare it."""
    text = page()
    if "--check" in arguments:
        same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        print("up to date" if same else "docs/coverage.md is out of date")
        return 0 if same else 1
    PAGE.write_text(text, encoding="utf-8")
    print(f"wrote {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
