"""The text of `backward` for cotangents of many entries.

Memory is gone through as seldom as possible, and memory that is in the cache rather than memory
that is not: a cotangent is written over the one it is computed from, or over a saved value that
the pass is about to free, where nobody else holds it. What is summed down to a smaller argument
is scaled afterwards.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import Any

from s2sgrad.eager.recording.memory_text import (
    computed_in,
    factored,
    is_cotangent,
    names_of,
    written_over,
)
from s2sgrad.eager.recording.swift import masked_by_bits

DROPPED = "if self.hooks is None and _state.task is not None and not _state.task.keep:"


def dropping(lines: list[str]) -> list[str]:
    """The lines after which only local names hold what a pass that frees the graph has saved."""
    return [DROPPED, "    self.saved = _saved = None", *lines]


def last_readers(op: Any, tracked: Sequence[str], layout: Any) -> dict[str, list[str]]:
    """Argument -> the saved arrays that its partial is the last to read."""
    found: dict[str, list[str]] = {argument: [] for argument in tracked}
    for name, is_tensor, _ in layout:
        readers = [a for a in tracked if name in names_of(op.rule.partials[a].expression)]
        if is_tensor and readers:
            found[readers[-1]].append(name)
    return found


def large_branch(op: Any, tracked: Sequence[str], layout: Any, count: int) -> list[str]:
    """The branch for many entries; no lines where it would say the same."""
    partials = op.rule.partials
    if any(partials[a].setup for a in tracked):
        return []
    dying = last_readers(op, tracked, layout)
    body: list[str] = []
    fresh = True
    for argument in tracked:
        expression = partials[argument].expression
        over = written_over(expression) if argument == tracked[-1] and fresh else None
        fresh = fresh and isinstance(expression, (ast.BinOp, ast.UnaryOp))
        body += argument_lines(op, argument, count, over, dying[argument])
    named = [f"{a}_bar" if a in tracked else "None" for a in op.rule.arguments[:count]]
    twice = doubled(op, tracked) if count == 2 else []
    lines = [*dropping(twice), *body, f"return {', '.join(named)},"]
    test = "    if y_bar.size > _LARGE and not _state.masked:"
    return [test, "        _fit = self.fit", *(f"        {line}" for line in lines)]


def argument_lines(op: Any, argument: str, count: int, over: Any, dying: list[str]) -> list[str]:
    """The lines that compute one argument's cotangent."""
    name = f"{argument}_bar"
    expression = masked_by_bits(op.rule.partials[argument].expression)
    direct = chosen(name, expression, over, dying)
    alone = without_cotangent(name, expression, dying)
    if alone:
        place = "" if count == 1 else "_fit is None and "
        alone[0] = f"if {place}_are_ones(y_bar){alone[0]}:"
        direct = [*alone, "else:", *(f"    {d}" for d in direct)]
    if count == 1:
        return direct
    place = f"_fit[{op.rule.arguments.index(argument)}]"
    inner, outer = factored(expression, argument)
    smaller = [*chosen(name, inner, None, dying), f"{name} = _unbroadcast({name}, {place})"]
    if outer is not None:
        smaller.append(f"{name} = {outer.replace('_sum', name)}")
    return [f"if _fit is not None and {place} != y_bar.shape:", *(f"    {s}" for s in smaller),
            "else:", *(f"    {d}" for d in direct)]  # fmt: skip


def without_cotangent(name: str, expression: ast.expr, dying: list[str]) -> list[str]:
    """The lines that compute E of `y_bar * E` where y_bar is all ones; the first is a condition.

    None where E is an array that lives on: it could be written to while it is a cotangent.
    """
    if not isinstance(expression, ast.BinOp) or not isinstance(expression.op, ast.Mult):
        return []
    factor = expression.right
    if not is_cotangent(expression.left) or "y_bar" in names_of(factor):
        return []
    if isinstance(factor, ast.Name) and factor.id in dying:
        test = f" and _references({factor.id}) <= _LOCAL and _is_like({factor.id}, y_bar)"
        return [test, f"    {name} = {factor.id}"]
    if dying and isinstance(factor, (ast.BinOp, ast.Call)) and names_of(factor) & set(dying):
        return ["", *(f"    {line}" for line in chosen(name, factor, None, dying))]
    return []


def chosen(name: str, expression: ast.expr, over: Any, dying: list[str]) -> list[str]:
    """The lines that compute an expression: over what dies, over `y_bar`, or anew."""
    ways = []
    for saved in dying:
        text = computed_in(expression, saved)
        if text is not None:
            test = f"_references({saved}) <= _LOCAL and _is_like({saved}, y_bar)"
            ways.append((test, [f"{name} = {text}"]))
    if over is not None:
        ways.append(("_references(y_bar) <= _HELD and _unshared(y_bar)", [over, f"{name} = y_bar"]))
    plain = f"{name} = {ast.unparse(expression)}"
    if not ways:
        return [plain]
    lines = []
    for i, (test, statements) in enumerate(ways):
        lines += [f"{'elif' if i else 'if'} {test}:", *(f"    {s}" for s in statements)]
    return [*lines, "else:", f"    {plain}"]


def doubled(op: Any, tracked: Sequence[str]) -> list[str]:
    """The lines for one tensor in both places, where both partials come to the same."""
    if len(tracked) != 2:
        return []
    forms = []
    for argument in tracked:
        expression = copy.deepcopy(op.rule.partials[argument].expression)
        for node in ast.walk(expression):
            if isinstance(node, ast.Name) and node.id in tracked:
                node.id = tracked[0]
        forms.append(expression)
    over = written_over(forms[0])
    if ast.unparse(forms[0]) != ast.unparse(forms[1]) or over is None:
        return []
    first, second = (f"self.parents[{i}]" for i in (0, 1))
    same = f"{tracked[0]} is {tracked[1]} and {first} is {second}"
    return [f"if {same} and self.hooks is None:",
            f"    del {tracked[1]}",
            "    if _references(y_bar) <= _HELD and _unshared(y_bar):", f"        {over}",
            "        _both = y_bar", "    else:", "        _spread = 0 in y_bar.strides",
            "        if _spread: y_bar = _twice(y_bar)",
            *(f"        {line}" for line in chosen("_both", forms[0], None, [tracked[0]])),
            "        if _spread: return _both, None",
            "    _both += _both", "    return _both, None"]  # fmt: skip
