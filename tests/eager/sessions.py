"""Sessions: recorded calls with what PyTorch 2.13 printed, raised and warned, run on ours.

A file under sessions/ has blocks of `>>> code` (continued by `... `) followed by the outcome.
`python -m eager.sessions FILE...` (in tests/) writes the outcomes again, with PyTorch itself.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import pickle
import re
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "sessions"


def namespace(package: str) -> dict[str, Any]:
    """What the sessions use, taken from PyTorch or from a package of its shape."""

    def module(name: str) -> Any:
        return import_module(f"{package}.{name}" if name else package)

    torch = module("")
    found = {"torch": torch, "nn": module("nn"), "F": module("nn.functional"), "np": np}
    found |= {"Function": torch.autograd.Function, "fwAD": module("autograd.forward_ad")}
    found |= {"copy": copy, "pickle": pickle}
    # `func` and `autograd.functional` share names: a session says which one it means.
    found |= {"func": module("func"), "autograd_functional": module("autograd.functional")}
    checkpoints, data = module("utils.checkpoint"), module("utils.data")
    found |= {n: getattr(checkpoints, n) for n in ("checkpoint", "checkpoint_sequential")}
    names = "ConcatDataset DataLoader Dataset Subset TensorDataset random_split"
    found |= {n: getattr(data, n) for n in names.split()}
    found["gradcheck"] = torch.autograd.gradcheck
    found["gradgradcheck"] = torch.autograd.gradgradcheck
    found["once_differentiable"] = module("autograd.function").once_differentiable
    return found


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """(code, recorded outcome) of a session."""
    code: list[str] = []
    outcome: list[str] = []
    for line in text.splitlines():
        if line.startswith(">>> "):
            if code:
                yield "\n".join(code), "\n".join(outcome).strip("\n")
            code, outcome = [line[4:]], []
        elif line.startswith("...") and not outcome:
            code.append(line[4:])
        else:
            outcome.append(line)
    if code:
        yield "\n".join(code), "\n".join(outcome).strip("\n")


def run(code: str, names: dict[str, Any]) -> str:
    """What a block printed, gave back or raised, and warned."""
    said = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(said):
        warnings.simplefilter("always")
        try:
            tree = ast.parse(code)
            last = tree.body[-1]
            if isinstance(last, ast.Expr):
                first = ast.Module(tree.body[:-1], [])
                exec(compile(first, "<session>", "exec"), names)
                value = eval(compile(ast.Expression(last.value), "<session>", "eval"), names)
                if value is not None:
                    print(repr(value))
            else:
                exec(code, names)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    for warning in caught:
        if "jit.script" not in str(warning.message):
            print(f"~ {warning.category.__name__}: {warning.message}", file=said)
    return normal(said.getvalue())


def normal(text: str) -> str:
    """Without addresses, package names, blank lines and trailing blanks."""
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"\(Triggered internally at [^)]*\)", "", text)
    text = text.replace("s2sgrad.eager.", "torch.")
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def differences(path: Path, package: str) -> list[str]:
    """The blocks of a session that come out differently with a package."""
    names = namespace(package)
    found = []
    for code, wanted in blocks(path.read_text()):
        got = run(code, names)
        if got != wanted:
            found.append(f">>> {code}\n--- recorded\n{wanted}\n--- now\n{got}\n")
    return found


def record(path: Path) -> None:
    """Write a session's outcomes again, as PyTorch has them."""
    names = namespace("torch")
    parts = []
    for code, _ in blocks(path.read_text()):
        shown = ">>> " + code.replace("\n", "\n... ")
        parts.append(f"{shown}\n{run(code, names)}".rstrip("\n"))
    path.write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        record(Path(name))
