"""Floor 4: `y += v` of lists and dicts, and where y is a number or an array, not known which.

A number gets a new value; an array is changed in place, which its other names see. Where there
are none, `y = y + v` comes to the same, and is what is lowered first. When all code is known,
`rebound` looks for other names that are read later; those statements are lowered again, as a
branch on what y is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import effects, root
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import FALL
from s2sgrad.frontend.state import State
from s2sgrad.frontend.values import Dyn, Heap, Sequence, Value, parts_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block
from s2sgrad.ir.types import BOOL, Array, Known, List, Number, Opaque, Scalar


class Rebound(Exception):
    """Start again: these statements may change an array that has other names."""

    def __init__(self, found: set[ast.AST]) -> None:
        super().__init__()
        self.nodes = found


class Rebinding(Base):
    """The part of the lowering that updates numbers that may be arrays.

    in_place: statements that are lowered as branches. doubtful: the variable that a statement
    has bound anew -> the statement, and what it updates.
    """

    in_place: set[ast.AST]
    doubtful: dict[str, tuple[ast.AST, nodes.Expr]]

    def update_either(
        self, old: Value, value: Value, sign: str, node: ast.AST, bind: Callable[[Value], None],
        changed: Callable[[Value], Any] = lambda value: None,
    ) -> bool:  # fmt: skip
        """Lower `old sign= value` as a branch where that is needed; False: it is not.

        bind: takes a new value. changed: takes the array that was changed in place.
        """
        if not isinstance(old, Dyn) or not isinstance(old.type, Number) or root(old.expr) is None:
            return False
        if node not in self.in_place:
            return False
        place = self.residual(old, node)
        new = self.residual(value, node)
        if not isinstance(new, nodes.Sequence):
            new = self.named(value, "step", node)
        test = nodes.Call(isinstance, "isinstance", (place, _NDARRAY), type=BOOL)

        def change() -> str:
            array = _typed(place, Array(old.type.dtype, None))  # type: ignore[attr-defined]
            self.emit_store(nodes.Store(array, (), new, sign, span=self.span(node)))
            changed(Dyn(array))
            return FALL

        def rebind() -> str:
            dtype = old.type.dtype  # type: ignore[attr-defined]
            number = place if dtype is None else _typed(place, Scalar(dtype))
            bind(self.binary(sign, Dyn(number), Dyn(new), node))
            return FALL

        self.choose(test, change, rebind, node)
        return True

    def update_container(self, sign: str, old: Value, value: Value, node: ast.AST) -> bool:
        """`items += more` and `items *= 2` change a list in place, `table |= more` a dict."""
        if sign == "|" and self.is_dict(old):
            self.container_method(old, "update", [value], {}, node)
            return True
        if sign not in ("+", "*") or not self.is_list(old):
            return False
        if sign == "+":
            if isinstance(value, Dyn) and isinstance(value.type, Array | Scalar | Number):
                return False  # NumPy's operator comes first: it gives an array
            self.container_method(old, "extend", [value], {}, node)
            return True
        made = self.binary(sign, old, value, node)
        if not self.is_list(made):  # an array's operator, which gives an array
            return False
        self.set_item(old, Dyn(_EVERY), made, node)
        return True

    def is_list(self, value: Value) -> bool:
        """Whether a value is a list that may change, taken apart or not."""
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            return contents.kind == "list"
        return isinstance(value, Dyn) and isinstance(value.type, List) and not value.type.fixed

    def note_rebinding(self, old: Value, node: ast.AST) -> None:
        """Remember that a statement has bound a name anew, which might be a change in place."""
        if not isinstance(old, Dyn) or not isinstance(old.type, Number) or root(old.expr) is None:
            return
        for made in reversed(self.builder.block):
            if isinstance(made, nodes.Assign):
                self.doubtful[made.targets[0]] = (node, old.expr)
                return

    def check_rebinding(self, body: Block, result: Value) -> None:
        """Start again where an array that was taken for a number has other names."""
        found = rebound(body, self.doubtful, live_in(result, self.state)) if self.doubtful else ()
        if found:
            raise Rebound(set(found))


_EVERY = nodes.Slice(None, None, None, type=Opaque("slice"))
_NDARRAY = nodes.Ref("np.ndarray", np.ndarray, type=Known(np.ndarray))


def _typed(expr: nodes.Expr, kind: Any) -> nodes.Expr:
    return replace(expr, type=kind)


def live_in(value: Value, state: State) -> frozenset[str]:
    """The variables that a value is made of."""
    found: frozenset[str] = frozenset()
    seen: set[int] = set()
    todo = [value]
    while todo:
        value = todo.pop()
        if isinstance(value, Dyn):
            found |= nodes.names_in(value.expr)
        if isinstance(value, Heap) and value.id not in seen:
            seen.add(value.id)
            todo += parts_of(state.heap[value.id])
    return found


def rebound(
    body: Block, doubtful: dict[str, tuple[ast.AST, nodes.Expr]], result: frozenset[str]
) -> list[ast.AST]:
    """The updates whose old array is still read afterwards, under its own or another name."""
    memory = effects(body)
    found: list[ast.AST] = []

    def visit(stmt: nodes.Stmt, live: frozenset[str]) -> None:
        for target in nodes.targets_of(stmt):
            if target not in doubtful:
                continue
            node, old = doubtful[target]
            name = root(old) or ""
            holder = set() if isinstance(old, nodes.Var) else {name}  # it gets the new value too
            if any(memory.find(n) == memory.find(name) for n in live - {target} - holder):
                found.append(node)

    Liveness(visit=visit).block(body, result)
    return found
