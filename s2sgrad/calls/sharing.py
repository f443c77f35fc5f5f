"""Floor 8: calls whose arguments share memory, of functions that write into their arguments.

Generated code works on copies of the arguments it writes into. Where such an argument overlaps
another one, the primal would see its own writes through the other name, and the code would not:
such calls are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import effects
from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Number
from s2sgrad.transform.preparing.settle import undecided_sites

Run = Callable[..., Any]


@dataclass(frozen=True)
class Sharing:
    """What must be so in the memory of arguments.

    pairs: leaves that must not overlap; ordered: those that must be in C order. paths: where the
    leaves are in the arguments; parameters: the names of those.
    """

    pairs: tuple[tuple[str, str], ...]
    ordered: tuple[str, ...]
    paths: dict[str, nodes.Expr]
    parameters: tuple[str, ...]
    span: Span | None

    def checked(self, run: Run) -> Run:
        """`run`, with a look at the memory of its arguments first."""
        if not self.pairs and not self.ordered:
            return run

        def run_apart(*values: Any) -> Any:
            self._check(dict(zip(self.parameters, values, strict=False)))  # tangents come after
            return run(*values)

        return run_apart

    def _check(self, given: dict[str, Any]) -> None:
        held = {
            n: _value(self.paths[n], given) for pair in (*self.pairs, self.ordered) for n in pair
        }
        for name in self.ordered:
            if not held[name].flags.c_contiguous:
                raise UnsupportedError(
                    f"the argument {name} is not in C order, and a reshaped array is written",
                    self.span,
                    "NumPy would make a copy where the code has a view",
                    f"pass np.ascontiguousarray({name})",
                )
        for a, b in self.pairs:
            if np.may_share_memory(held[a], held[b]) and np.shares_memory(held[a], held[b]):
                raise UnsupportedError(
                    f"the arguments {a} and {b} share memory, and one of them is written in place",
                    self.span,
                    "generated code works on a copy of what it writes",
                    f"pass a copy: {b}.copy()",
                )


def sharing(function: nodes.Function, parameters: tuple[str, ...]) -> Sharing:
    """What must be so where `function` writes into an argument.

    function: the lowered primal; parameters: the names of the values of a call.
    """
    found = effects(function.body)
    leaves = [n for n in (*function.inputs, *function.parameters) if _is_array(function, n)]
    paths = {n: function.inputs.get(n, nodes.Var(n)) for n in leaves}
    pairs = tuple(
        (a, b)
        for a, b in combinations(leaves, 2)
        if (found.is_written(a) or found.is_written(b))
        and {_root(paths[a]), _root(paths[b])} <= set(parameters)
    )
    given = [n for n in leaves if _root(paths[n]) in parameters]
    ordered = _taken_to_be_in_c_order(function, given)
    return Sharing(pairs, ordered, paths, parameters, function.span)


def _taken_to_be_in_c_order(function: nodes.Function, leaves: list[str]) -> tuple[str, ...]:
    """Arguments whose layout decides between a view and a copy in the code."""
    if not undecided_sites(function.body, nodes.names_in(function.output)):
        return ()
    return tuple(n for n in leaves if isinstance(function.types[n], Array))


def _is_array(function: nodes.Function, name: str) -> bool:
    return isinstance(function.types.get(name), Array | Number)


def _root(path: nodes.Expr) -> str:
    while not isinstance(path, nodes.Var):
        path = path.base if isinstance(path, nodes.Index) else path.args[0]  # type: ignore[attr-defined]
    return path.name


def _value(path: nodes.Expr, given: dict[str, Any]) -> Any:
    """What stands at a path (subscripts and attributes of a parameter) in this call."""
    if isinstance(path, nodes.Var):
        return given[path.name]
    if isinstance(path, nodes.Index):
        return _value(path.base, given)[path.index[0].value]  # type: ignore[attr-defined]
    assert isinstance(path, nodes.Call)
    return getattr(_value(path.args[0], given), path.text)


__all__ = ["Sharing", "sharing"]
