"""The text of a node's `backward`, written from the partials of its rule.

Cotangents of many entries have a branch of their own (`large_text`).
"""

from __future__ import annotations

import ast
import sys
from typing import Any

import numpy as np

from s2sgrad.eager.recording.large_text import argument_lines, dropping, large_branch, last_readers
from s2sgrad.eager.recording.memory_text import written_over
from s2sgrad.eager.recording.names import torch_name
from s2sgrad.eager.recording.record import Op, lifted_helpers
from s2sgrad.eager.recording.reuse import (
    HELD_BY_CALL,
    HELD_BY_NAME,
    HELD_IN_GENERATOR,
    LARGE,
    are_ones,
    in_order_of,
    is_like,
    is_unshared,
    twice,
)
from s2sgrad.eager.recording.saved import freed, modified, rebuilt
from s2sgrad.eager.recording.swift import (
    GRAPH_SCOPE,
    SCOPE,
    fitted_to,
    graph_fitted_to,
    masked_by_bits,
    shape_stub,
)
from s2sgrad.eager.settings.state import STATE


def written(op: Op, tracked: tuple[str, ...], layout: Any, count: int, graph: bool) -> Any:
    """The `backward` (graph: `backward_graph`) of a node class, compiled from its text."""
    text = backward_text(op, tracked, layout, count, graph)
    helpers = {**lifted_helpers(), **GRAPH_SCOPE} if graph else SCOPE
    scope = {**op.rule.partials[tracked[0]].scope, **helpers, "_freed": freed}
    scope.update(_modified=modified, _tensor=rebuilt, _stub=shape_stub)
    scope.update(_unbroadcast=graph_fitted_to if graph else fitted_to, _state=STATE)
    scope.update(_masked=lifted_helpers()["masked"], _LARGE=LARGE, _HELD=HELD_BY_CALL)
    scope.update(_twice=twice, _unshared=is_unshared, _references=sys.getrefcount)
    scope.update(_np=np, _LOCAL=HELD_BY_NAME, _is_like=is_like, _are_ones=are_ones)
    made: dict[str, Any] = {}
    exec(compile(text, f"<backward of {op.name}>", "exec"), scope, made)
    return next(iter(made.values()))


def backward_text(op: Op, tracked: tuple[str, ...], layout: Any, count: int, graph: bool) -> str:
    """Source of `backward(self, y_bar)`: unpack and check what was saved, then the partials.

    graph: the form for recorded passes, in which all values are tensors with their history.
    """
    lines = [
        f"def {'backward_graph' if graph else 'backward'}(self, y_bar):",
        *unpacked(op.name, layout),
    ]
    for parameter, is_tensor, position in layout if graph else ():
        edge = "self" if position == "self" else f"self.parents[{position}]"
        if is_tensor:
            lines.append(f"    {parameter} = _tensor({parameter}, {edge})")
    setup: list[str] = []
    results = []
    for argument in op.rule.arguments[:count]:
        if argument not in tracked:
            results.append("None")
            continue
        partial = op.rule.partials[argument]
        for statement in partial.setup:
            text = "    " + ast.unparse(statement if graph else masked_by_bits(statement))
            if text not in setup:
                setup.append(text)
        results.append(f"{argument}_bar")
        form = partial.expression if graph else masked_by_bits(partial.expression)
        setup.append(f"    {argument}_bar = {ast.unparse(form)}")
    free = {p for a in tracked for p in op.rule.partials[a].shapes}
    for name in sorted(free - {n for n, _, _ in layout}):
        shape = f"self.fit[{op.rule.arguments.index(name)}]"
        lines.append(f"    {name} = _stub({shape}, y_bar)" if graph else f"    {name} = None")
    if not graph and op.rule.kind == "elementwise" and not op.leaves_out:
        lines += large_branch(op, tracked, layout, count)
    lines += setup
    if op.leaves_out:
        lines.append("    _state.masked = True")
    elif not op.rule.selects and any(op.rule.partials[a].reads - {"y_bar"} for a in tracked):
        lines.append("    if _state.masked:")
        for argument in (a for a in op.rule.arguments[:count] if a in tracked):
            lines.append(f"        {argument}_bar = _masked({argument}_bar, y_bar)")
    if count > 1 and op.rule.kind == "elementwise":
        lines += ["    _fit = self.fit", "    if _fit is not None:"]
        for position, argument in enumerate(op.rule.arguments[:count]):
            if argument in tracked:
                fitted = f"{argument}_bar = _unbroadcast({argument}_bar, _fit[{position}])"
                differs = "" if graph else f"if {argument}_bar.shape != _fit[{position}]: "
                lines.append(f"        {differs}{fitted}")
    lines.append(f"    return {', '.join(results)},")
    return "\n".join(lines)


def unpacked(kind: str, layout: Any) -> list[str]:
    """The lines that take what was saved and see that it has not been written to.

    Checks come in torch's order, by its names: the first of several writes is named in the error.
    """
    names = []
    checks: list[tuple[str, str]] = []
    for parameter, is_tensor, position in layout:
        names.append(parameter)
        if is_tensor:
            names += [f"{parameter}_vc", f"{parameter}_v"]
            edge = "self, True" if position == "self" else f"self.parents[{position}]"
            check = (
                f"    if {parameter}_vc[0] != {parameter}_v: "
                f"_modified({parameter}, {parameter}_vc, {parameter}_v, {edge})"
            )
            checks.append((torch_name(kind, parameter), check))
    if not names:
        return []
    start = ["    _saved = self.saved", "    if _saved is None: _freed()"]
    return [*start, f"    {', '.join(names)}, = _saved", *(check for _, check in sorted(checks))]


def one_by_one(op: Op, tracked: tuple[str, ...], layout: Any, count: int) -> Any:
    """`each(y_bar)` of a node class: a generator of the cotangents, or None for the usual way.

    Two products of many entries are computed one by one, so that the first has been passed on
    before memory is needed for the second. None for rules where that makes no difference.
    """
    partials = [op.rule.partials[a] for a in tracked]
    products = all(isinstance(p.expression, ast.BinOp) and not p.setup for p in partials)
    if op.rule.kind != "elementwise" or op.leaves_out or not products:
        return None
    if (len(tracked), count) != (2, 2):
        return None
    scope = {**partials[0].scope, **SCOPE, "_freed": freed, "_modified": modified, "_np": np}
    scope.update(_unbroadcast=fitted_to, _HELD=HELD_IN_GENERATOR, _unshared=is_unshared)
    scope.update(_references=sys.getrefcount, _LOCAL=HELD_IN_GENERATOR, _is_like=is_like)
    scope.update(_state=STATE, _in_order_of=in_order_of, _are_ones=are_ones)
    text = "\n".join(generator_lines(op, tracked, layout, count))
    exec(compile(text, f"<backward of {op.name}>", "exec"), scope)
    return scope["each"]


def generator_lines(op: Op, tracked: tuple[str, ...], layout: Any, count: int) -> list[str]:
    """Source of `each` and of the generator that it gives."""
    first, second = tracked
    names = ", ".join(name for name, _, _ in layout)
    dying = last_readers(op, tracked, layout)
    arrays = [name for name, is_tensor, _ in layout if is_tensor]
    lines = ["def each(self, y_bar):", *unpacked(op.name, layout),
             "    if self.parents[0] is self.parents[1]: return None",
             *(f"    {line}" for line in dropping([])),
             f"    return _each(self.fit, y_bar, {names})",
             f"def _each(_fit, y_bar, {names}):",
             f"    y_bar = _in_order_of(y_bar, {', '.join(arrays)})"]  # fmt: skip
    for argument, how in (
        (first, None),
        (second, written_over(op.rule.partials[second].expression)),
    ):
        body = argument_lines(op, argument, count, how, dying[argument])
        lines += [f"    {line}" for line in body]
        lines += [f"    _held = [{argument}_bar]", f"    del {argument}_bar"]
        lines += [f"    del {name}" for name in dying[argument]]
        lines += ["    del y_bar"] if argument == second else []
        lines.append("    yield _held.pop()")
    return lines
