"""The short way to record a kernel: code written once for each kernel and set of tracked inputs.

It serves float tensors of one dtype and positional arguments while nothing but plain recording is
on. Nodes save exactly what the partials of the tracked arguments read, and watch the tensors among
the options (targets, weights of classes) for writes. Everything else goes the
general way of `record.apply`.

A kernel may have a second version of its rule, for plain arrays, as one would write it by hand:
what the forward sweep has computed is kept, and written over in the backward sweep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.recording.cotangents import fitted
from s2sgrad.eager.recording.fastpath import FastNode
from s2sgrad.eager.recording.names import torch_name
from s2sgrad.eager.recording.node import LEAF, next_order
from s2sgrad.eager.recording.record import Op
from s2sgrad.eager.recording.saved import Saved, freed, modified, stub
from s2sgrad.eager.settings.floating import quiet
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.dtypes import F32, F64
from s2sgrad.eager.tensors.tensor import Tensor, new

_CALL = """
def recorded({arguments}{options}):
    d = {first}._array.dtype
    if d is not F64 and d is not F32{numbers}:
        return None
{checks}    watched = ()
{plain}
    {results} = function({arrays})
    if ya.__class__ is not ndarray:
        ya = asarray(ya)
    y = new(Tensor)
    y._array = ya
    y._view = None
    y._vc = [0]
    mask = 0
{edges}
    if not mask:
        y._node = None
        return y
    make, save = nodes[mask] or build(mask)
    y._node = node = new(make)
    node.order = next_order()
    node.parents = ({parents},)
    node.hooks = None
    node.fit = ({shapes},)
    node.saved = save(y, {names}{kept}, watched)
    return y
"""
_CHECK = """
    if not isinstance({0}, Tensor) or {0}._array.dtype is not d:
        return None
"""
_PLAIN = """
    if isinstance({0}, Tensor):
        {0} = {0}._array
"""
_WATCHED = """
    if isinstance({0}, Tensor):
        watched += (({0}._array, {0}._vc, {0}._vc[0]),)
        {0} = {0}._array
"""
_EDGE = """
    {0}_edge = {0}._node
    if {0}._view is not None:
        {0}_edge = {0}._edge()
    elif {0}_edge is LEAF:
        {0}_edge = {0}
    if {0}_edge is not None:
        mask += {1}
"""


class ByHand:
    """A kernel on plain arrays.

    forward(*parameters) gives (y, kept). backward(y_bar, y, kept, own, *parameters) gives the
    cotangent of the first argument; own: whether what was kept may be written over. What a
    parameter is whose values the rule does not read: a stand-in of its shape, or None. Further
    arguments: name -> function, called before `backward`.
    """

    __slots__ = ("backward", "forward", "further")

    def __init__(self, forward: Any, backward: Any, **further: Any) -> None:
        self.forward, self.backward, self.further = quiet(forward), backward, further

    def of(self, name: str, first: str) -> Any:
        """What computes the cotangent of an argument; None where the rule does."""
        return self.backward if name == first else self.further.get(name)


class KernelNode(FastNode):
    """A FastNode that may also hold options: numbers, and tensors without derivative."""

    __slots__ = ()

    def entries(self) -> dict[str, Any]:
        """Parameter -> Saved or plain value."""
        if self.saved is None:
            freed()
        found: dict[str, Any] = {}
        flat = iter(self.saved)
        for name, is_tensor, position in self.layout:
            value = next(flat)
            if is_tensor:
                made = new(Saved)
                made.array, made.vc, made.version = value, next(flat), next(flat)
                made.edge = "self" if position == "self" else self.parents[position]
                value = made
            found[name] = value
        return found


def recorder(op: Op, by_hand: ByHand | None = None) -> Callable[..., Tensor | None]:
    """`recorded(*args)` for a kernel: its result on tensors, None where this way does not serve.

    The first argument must be a tensor.
    """
    rule = op.rule
    names, arguments = rule.parameters, rule.arguments
    options = [(n, default) for n, default in rule.signature if n not in arguments]
    read = {name for partial in rule.partials.values() if partial for name in partial.reads}
    scope: dict[str, Any] = {f"_{n}": default for n, default in options}
    scope |= {
        "F32": F32, "F64": F64, "LEAF": LEAF, "Tensor": Tensor, "asarray": np.asarray,
        "function": op.function if by_hand is None else by_hand.forward, "new": new,
        "ndarray": np.ndarray, "next_order": next_order,
        "nodes": [None] * 2 ** len(arguments),
    }  # fmt: skip
    scope["build"] = lambda mask: _build(op, mask, scope["nodes"], by_hand)
    text = _CALL.format(
        numbers="" if by_hand is None else f" or not {arguments[0]}._array.ndim",
        results="ya" if by_hand is None else "ya, kept",
        kept="" if by_hand is None else ", kept",
        arguments=", ".join(arguments),
        options="".join(f", {n}=_{n}" for n, _ in options),
        first=arguments[0],
        checks="".join(_CHECK.format(n) for n in arguments[1:]),
        plain="".join((_WATCHED if n in read else _PLAIN).format(n) for n, _ in options),
        arrays=", ".join(f"{n}._array" if n in arguments else n for n in names),
        edges="".join(_EDGE.format(n, 2**i) for i, n in enumerate(arguments)),
        parents=", ".join(f"{n}_edge" for n in arguments),
        shapes=", ".join(f"{n}._array.shape" for n in arguments),
        names=", ".join(names),
    )
    return _compiled(text, scope, "recorded", op.name)


def _compiled(text: str, scope: dict[str, Any], name: str, what: str) -> Any:
    made: dict[str, Any] = {}
    exec(compile(text, f"<{name} of {what}>", "exec"), scope, made)
    return made[name]


def _build(op: Op, mask: int, nodes: list[Any], by_hand: ByHand | None) -> tuple[Any, Any]:
    """The node class and the saving function for the arguments whose bits are set."""
    rule = op.rule
    tracked = tuple(n for i, n in enumerate(rule.arguments) if mask & 2**i)
    active = tuple(n for n in tracked if n in rule.partials)
    reads = {r for n in active for r in rule.partials[n].reads | rule.partials[n].shapes}
    layout: list[tuple[str, bool, Any]] = []
    kept = []
    for name in ("y", *rule.parameters):
        if name not in reads:
            continue
        is_tensor = name == "y" or name in rule.arguments
        position = "self" if name == "y" else rule.arguments.index(name) if is_tensor else None
        layout.append((name, is_tensor, position))
        kept.append(f"{name}._array, {name}._vc, {name}._vc[0]" if is_tensor else name)
    if by_hand is not None:
        kept.append("kept")
    kept.append("watched")
    entries = "".join(f"{entry}, " for entry in kept)
    last = ", kept, watched" if by_hand is not None else ", watched"
    save = f"def save(y, {', '.join(rule.parameters)}{last}):\n    return ({entries})"
    fields = {
        "__slots__": (),
        "op": op,
        "layout": tuple(layout),
        "tracked": active,
        "saves": by_hand is not None or any(is_tensor for _, is_tensor, _ in layout),
        "backward": _backward(op, layout, active, by_hand),
    }
    made = type(op.name, (KernelNode,), fields)
    found = nodes[mask] = (made, _compiled(save, {}, "save", op.name))
    return found


def _backward(
    op: Op, layout: list[tuple[str, bool, Any]], active: tuple[str, ...], by_hand: ByHand | None
) -> Any:
    """`backward(self, y_bar)`: what was saved, checked, handed to the partials."""
    rule = op.rule
    lines = ["def backward(self, y_bar):", "    saved = self.saved"]
    lines += ["    if saved is None: freed()"]
    names = [f"{n}, {n}_vc, {n}_v" if t else n for n, t, _ in layout]
    if by_hand is not None:
        names.append("kept")
        lines.append("    own = not STATE.task.keep")
    lines.append(f"    {', '.join([*names, 'watched'])}, = saved")
    # As in torch, the first of several writes by the names of what was kept is the error's.
    for name, is_tensor, position in sorted(layout, key=lambda e: torch_name(op.name, e[0])):
        if is_tensor:
            edge = "self, True" if position == "self" else f"self.parents[{position}]"
            if name in op.turned:
                edge += ", turned=True"
            lines.append(
                f"    if {name}_vc[0] != {name}_v: modified({name}, {name}_vc, {name}_v, {edge})"
            )
    lines.append("    for array, vc, version in watched:")
    lines.append("        if vc[0] != version: modified(array, vc, version, None)")
    known = {name for name, _, _ in layout}
    given = ", ".join(n if n in known else "None" for n in ("y", *rule.parameters))
    scope: dict[str, Any] = {"freed": freed, "modified": modified, "fit": _fit}
    scope["STATE"] = STATE
    results = [f"{name}_bar" if name in active else "None" for name in rule.arguments]
    # The first argument comes last: its cotangent is written over what was kept.
    for i, name in reversed(list(enumerate(rule.arguments))):
        if name not in active:
            continue
        hand = None if by_hand is None else by_hand.of(name, rule.arguments[0])
        if hand is None:
            scope[f"partial_{i}"] = rule.partials[name].fn
            lines.append(f"    {name}_bar = partial_{i}(y_bar, {given})")
        else:
            scope[f"partial_{i}"] = hand
            rest = given.partition(", ")[2]
            lines.append(f"    {name}_bar = partial_{i}(y_bar, {given.split(', ')[0]}, kept, own, "
                         f"{rest})")  # fmt: skip
        lines.append(f"    if {name}_bar.shape != self.fit[{i}] or "
                     f"{name}_bar.dtype is not y_bar.dtype: "
                     f"{name}_bar = fit({name}_bar, self.fit[{i}], y_bar.dtype)")  # fmt: skip
    lines.append(f"    return {', '.join(results)},")
    return _compiled("\n".join(lines), scope, "backward", op.name)


def _fit(x_bar: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """`x_bar` in the shape of its input and the dtype of the computation."""
    return fitted(np.asarray(x_bar), stub(np.broadcast_to(np.zeros((), dtype), shape)))
