"""What the generated gradients of the whole corpus are made of, so that changes show.

    python tests/tools/code_counts.py                  # the totals
    python tests/tools/code_counts.py --each           # by program too
    python tests/tools/code_counts.py --write FOLDER   # and every text into a file, to compare

Limitations: a count says nothing about whether the code is right or pleasant to read.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT), str(ROOT / "runtime")]

import programs  # noqa: E402

import s2sgrad  # noqa: E402
import s2sgrad_runtime  # noqa: E402

HELPERS = frozenset(s2sgrad_runtime.__all__)
SHOWN = (
    *("statements", "temporaries", "unbroadcast", "zeros"),
    *("copies", "appends", "rows", "helpers"),
)


def source_of(program: programs.Program) -> str | None:
    """The generated gradient; None where the program is refused."""
    args, keywords = program.example()
    gradient = s2sgrad.value_and_grad(program.function, argnums=program.wrt, fallback="error")
    try:
        return gradient.source(*args, **keywords)
    except s2sgrad.S2sgradError:
        return None


def counts(source: str) -> Counter[str]:
    """How often each thing stands in a text.

    temporaries: names of the reverse sweep that are bound once and read once. appends and rows:
    values saved in lists, and in preallocated arrays. helpers: calls of the runtime's functions.
    """
    found: Counter[str] = Counter()
    stored: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for node in ast.walk(ast.parse(source)):
        found["statements"] += isinstance(node, ast.stmt)
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                stored[name] += 1
            case ast.Name(id=name):
                read[name] += 1
            case ast.Call(func=ast.Name(id=name)) if name in HELPERS:
                found["helpers"] += 1
                found[name] += 1
            case ast.Call(func=ast.Attribute(attr="zeros_like" | "zeros")):
                found["zeros"] += 1
            case ast.Call(func=ast.Attribute(attr="copy")):
                found["copies"] += 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
                found["appends"] += "_saved" in name
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]):
                found["rows"] += "_saved" in name
    found["temporaries"] = sum(
        "_bar" in name and times == 1 and read[name] == 1 for name, times in stored.items()
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", action="store_true", help="a line for each program")
    parser.add_argument("--write", type=Path, help="write every generated text to this folder")
    options = parser.parse_args()
    totals: Counter[str] = Counter()
    for program in programs.load():
        source = source_of(program)
        if source is None:
            totals["refused"] += 1
            continue
        found = counts(source)
        totals += found
        totals["programs"] += 1
        if options.write:
            options.write.mkdir(parents=True, exist_ok=True)
            (options.write / f"{program.name}.py").write_text(source)
        if options.each:
            print(program.name, *(f"{name}={found[name]}" for name in SHOWN if found[name]))
    for name in ("programs", "refused", *SHOWN):
        print(f"{name:12} {totals[name]}")
    others = Counter({name: totals[name] for name in HELPERS if totals[name]})
    print("helpers:", ", ".join(f"{name} {times}" for name, times in others.most_common()))


if __name__ == "__main__":
    main()
