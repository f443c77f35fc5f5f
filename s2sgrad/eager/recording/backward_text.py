"""The text of a node's `backward`, written from the partials of its rule.

Large arrays have a branch of their own, in which memory is gone through as seldom as possible:
the cotangent is written over where nobody else holds it, and where it is summed down to a smaller
argument, factors that are as small are left for afterwards.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Sequence
from typing import Any

from s2sgrad.eager.recording.record import Op, lifted_helpers
from s2sgrad.eager.recording.reuse import (
    HELD_BY_CALL,
    HELD_IN_GENERATOR,
    LARGE,
    is_unshared,
    twice,
)
from s2sgrad.eager.recording.saved import freed, modified, rebuilt
from s2sgrad.eager.recording.swift import GRAPH_SCOPE, SCOPE, fitted_to, graph_fitted_to, shape_stub
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
    made: dict[str, Any] = {}
    exec(compile(text, f"<backward of {op.name}>", "exec"), scope, made)
    return next(iter(made.values()))


def backward_text(op: Op, tracked: tuple[str, ...], layout: Any, count: int, graph: bool) -> str:
    """Source of `backward(self, y_bar)`: unpack and check what was saved, then the partials.

    graph: the form for recorded passes, in which all values are tensors with their history.
    """
    lines = [f"def {'backward_graph' if graph else 'backward'}(self, y_bar):", *unpacked(layout)]
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
            text = "    " + ast.unparse(statement)
            if text not in setup:
                setup.append(text)
        results.append(f"{argument}_bar")
        setup.append(f"    {argument}_bar = {ast.unparse(partial.expression)}")
    free = {p for a in tracked for p in op.rule.partials[a].shapes}
    for name in sorted(free - {n for n, _, _ in layout}):
        shape = f"self.fit[{op.rule.arguments.index(name)}]"
        lines.append(f"    {name} = _stub({shape}, y_bar)" if graph else f"    {name} = None")
    if not graph and op.rule.kind == "elementwise" and not op.leaves_out:
        lines += large_branch(op, tracked, count, setup)
    lines += setup
    if op.leaves_out:
        lines.append("    _state.masked = True")
    elif not op.rule.selects and any(op.rule.partials[a].reads - {"y_bar"} for a in tracked):
        lines.append("    if _state.masked:")
        for argument in (a for a in op.rule.arguments[:count] if a in tracked):
            lines.append(f"        {argument}_bar = _masked({argument}_bar, y_bar)")
    if count > 1 and op.rule.kind == "elementwise":
        lines.append("    if self.fit is not None:")
        for position, argument in enumerate(op.rule.arguments[:count]):
            if argument in tracked:
                name = f"{argument}_bar"
                lines.append(f"        {name} = _unbroadcast({name}, self.fit[{position}])")
    lines.append(f"    return {', '.join(results)},")
    return "\n".join(lines)


def unpacked(layout: Any) -> list[str]:
    """The lines that take what was saved and see that it has not been written to."""
    names, checks = [], []
    for parameter, is_tensor, position in layout:
        names.append(parameter)
        if is_tensor:
            names += [f"{parameter}_vc", f"{parameter}_v"]
            edge = "self, True" if position == "self" else f"self.parents[{position}]"
            checks.append(
                f"    if {parameter}_vc[0] != {parameter}_v: "
                f"_modified({parameter}, {parameter}_vc, {parameter}_v, {edge})"
            )
    if not names:
        return []
    start = ["    _saved = self.saved", "    if _saved is None: _freed()"]
    return [*start, f"    {', '.join(names)}, = _saved", *checks]


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
    first, second = tracked
    names = ", ".join(name for name, _, _ in layout)
    over = written_over(partials[1].expression)
    lines = ["def each(self, y_bar):", *unpacked(layout),
             "    if self.parents[0] is self.parents[1]: return None",
             f"    return _each(self.fit, y_bar, {names})",
             f"def _each(_fit, y_bar, {names}):"]  # fmt: skip
    for argument, how in ((first, None), (second, over)):
        body = argument_lines(op, argument, count, op.rule.partials[argument].expression, how)
        lines += [f"    {line}" for line in body]
        lines += [f"    _held = [{argument}_bar]", f"    del {argument}_bar"]
        lines += ["    del y_bar"] if argument == second else []
        lines.append("    yield _held.pop()")
    scope = {**partials[0].scope, **SCOPE, "_freed": freed, "_modified": modified}
    scope.update(_unbroadcast=fitted_to, _HELD=HELD_IN_GENERATOR, _unshared=is_unshared)
    scope["_references"] = sys.getrefcount
    exec(compile("\n".join(lines), f"<backward of {op.name}>", "exec"), scope)
    return scope["each"]


def large_branch(op: Op, tracked: Sequence[str], count: int, setup: list[str]) -> list[str]:
    """The lines for cotangents of many entries; none where they would be the same."""
    partials = op.rule.partials
    if any(partials[a].setup for a in tracked):
        return []
    body: list[str] = []
    fresh = True
    for argument in tracked:
        expression = partials[argument].expression
        last = argument == tracked[-1]
        over = written_over(expression) if last and fresh else None
        fresh = fresh and isinstance(expression, (ast.BinOp, ast.UnaryOp))
        body += argument_lines(op, argument, count, expression, over)
    named = [f"{a}_bar" if a in tracked else "None" for a in op.rule.arguments[:count]]
    twice = doubled(op, tracked) if count == 2 else []
    lines = [*twice, *body, f"return {', '.join(named)},"]
    test = "    if y_bar.size > _LARGE and not _state.masked:"
    return [test, "        _fit = self.fit", *(f"        {line}" for line in lines)]


def argument_lines(op: Op, argument: str, count: int, expression: Any, over: Any) -> list[str]:
    """The lines that compute one argument's cotangent."""
    name = f"{argument}_bar"
    plain = f"{name} = {ast.unparse(expression)}"
    direct = [plain]
    if over is not None:
        direct = ["if _references(y_bar) <= _HELD and _unshared(y_bar):", f"    {over[0]}",
                  f"    {name} = y_bar", "else:", f"    {plain}"]  # fmt: skip
    if count == 1:
        return direct
    place = f"_fit[{op.rule.arguments.index(argument)}]"
    inner, outer = factored(expression, argument)
    smaller = [f"{name} = _unbroadcast({inner}, {place})"]
    if outer is not None:
        smaller.append(f"{name} = {outer.replace('_sum', name)}")
    return [f"if _fit is not None and {place} != y_bar.shape:", *(f"    {s}" for s in smaller),
            "else:", *(f"    {d}" for d in direct)]  # fmt: skip


def written_over(expression: Any) -> Any:
    """(the statement that computes `y_bar * ...` over y_bar,); None where it has no such form."""
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        return ("y_bar *= -1.0",) if is_cotangent(expression.operand) else None
    if not isinstance(expression, ast.BinOp) or not is_cotangent(expression.left):
        return None
    sign = {ast.Mult: "*=", ast.Div: "/="}.get(type(expression.op))
    if sign is None or "y_bar" in names_of(expression.right):
        return None
    return (f"y_bar {sign} {ast.unparse(expression.right)}",)


def is_cotangent(node: ast.expr) -> bool:
    """Whether an expression is `y_bar`."""
    return isinstance(node, ast.Name) and node.id == "y_bar"


def names_of(node: ast.AST) -> set[str]:
    """The names in an expression."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def factored(expression: ast.expr, argument: str) -> tuple[str, str | None]:
    """(what must be summed, what is done to the sum `_sum`) of a product.

    Signs, numbers and factors that hold nothing but the argument itself, which has the shape of
    the sum, come afterwards.
    """
    full: list[tuple[bool, ast.expr]] = []
    own: list[tuple[bool, ast.expr]] = []
    negative = collect(expression, argument, False, full, own)
    if not own and not negative:
        return ast.unparse(expression), None
    inner = joined("", full)
    outer = joined("-_sum" if negative else "_sum", own)
    return inner, outer


def joined(text: str, factors: list[tuple[bool, ast.expr]]) -> str:
    """The product of the factors, each (is it below the line, expression)."""
    for below, factor in factors:
        written = f"({ast.unparse(factor)})"
        if text:
            text += f" {'/' if below else '*'} {written}"
        else:
            text = f"1.0 / {written}" if below else written
    return text


def collect(node: ast.expr, argument: str, below: bool, full: list[Any], own: list[Any]) -> bool:
    """Sort the factors of a product into `full` and `own`; whether their sign is negative."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return not collect(node.operand, argument, below, full, own)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        first = collect(node.left, argument, below, full, own)
        flipped = below ^ isinstance(node.op, ast.Div)
        return first ^ collect(node.right, argument, flipped, full, own)
    (own if names_of(node) <= {argument} else full).append((below, node))
    return False


def doubled(op: Op, tracked: Sequence[str]) -> list[str]:
    """The lines for one tensor in both places, where both partials come to the same."""
    if len(tracked) != 2:
        return []
    texts = []
    for argument in tracked:
        expression = copy.deepcopy(op.rule.partials[argument].expression)
        for node in ast.walk(expression):
            if isinstance(node, ast.Name) and node.id in tracked:
                node.id = tracked[0]
        texts.append(ast.unparse(expression))
    over = written_over(op.rule.partials[tracked[0]].expression)
    if texts[0] != texts[1] or over is None:
        return []
    first, second = (f"self.parents[{i}]" for i in (0, 1))
    same = f"{tracked[0]} is {tracked[1]} and {first} is {second}"
    return [f"if {same} and self.hooks is None:",
            "    if _references(y_bar) <= _HELD and _unshared(y_bar):", f"        {over[0]}",
            "        _both = y_bar", "    else:", "        _spread = 0 in y_bar.strides",
            "        if _spread: y_bar = _twice(y_bar)",
            f"        _both = {ast.unparse(op.rule.partials[tracked[0]].expression)}",
            "        if _spread: return _both, None",
            "    _both += _both", "    return _both, None"]  # fmt: skip
