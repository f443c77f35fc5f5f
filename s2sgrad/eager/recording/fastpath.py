"""Fast paths of elementwise functions, generated once from their rules.

For each combination of tracked arguments a node class is written whose `backward` holds the
rule's own expressions, and which saves exactly the values these read. The functions made here
serve plain float32 and float64 tensors while nothing but recording is on (`STATE.fast`); all
else goes to the general path.
"""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.recording import templates
from s2sgrad.eager.recording.backward_text import one_by_one, written
from s2sgrad.eager.recording.cotangents import fitted, of_argument
from s2sgrad.eager.recording.keeping import unpack
from s2sgrad.eager.recording.node import LEAF, Node, next_order
from s2sgrad.eager.recording.record import Op
from s2sgrad.eager.recording.reuse import LARGE, of_one, of_two
from s2sgrad.eager.recording.saved import Saved, freed, stub
from s2sgrad.eager.settings.floating import SILENT, calm, silence, speak
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.dtypes import F32, F64
from s2sgrad.eager.tensors.tensor import Tensor, new


class FastNode(Node):
    """A node whose saved values lie flat in one tuple: array, version counter, version.

    layout: (parameter, is it a tensor, parent position or "self") in the order of `saved`.
    `fit`: None, or the shapes of the inputs where the result was broadcast.
    """

    __slots__ = ("fit",)
    fit: Any
    op: Op
    layout: tuple[tuple[str, bool, Any], ...] = ()
    tracked: tuple[str, ...] = ()
    write_graph: Callable[[], Any] | None = None

    def entries(self) -> dict[str, Any]:
        """Parameter -> Saved or plain value."""
        if self.saved is None:
            freed()
        found: dict[str, Any] = {}
        flat = iter(self.saved)
        for name, is_tensor, position in self.layout:
            if not is_tensor:
                found[name] = next(flat)
                continue
            made = found[name] = new(Saved)
            made.array, made.vc, made.version = next(flat), next(flat), next(flat)
            made.edge = "self" if position == "self" else self.parents[position]
        return found

    def fill_shapes(self, values: dict[str, Any]) -> None:
        """Stand-ins for arguments of which the rule reads the shape only."""
        for argument, shape in zip(self.op.rule.arguments, self.fit or (), strict=False):
            if values[argument] is None and shape is not None:
                values[argument] = stub(np.broadcast_to(np.float64(0), shape))

    def backward_graph(self, y_bar: Any) -> Any:
        """The cotangents as tensors, through the rule's lifted partials.

        Node classes made by `node_class` get a version written for them at the first call.
        """
        kind = type(self)
        if kind.write_graph is not None:
            kind.backward_graph = kind.write_graph()  # type: ignore[method-assign]
            return self.backward_graph(y_bar)
        return self.evaluated(y_bar, True)

    def backward_batch(self, y_bar: Any) -> Any:
        return self.evaluated(y_bar, False)

    def evaluated(self, y_bar: Any, graph: bool) -> Any:
        """The cotangents by the rule's partials, one by one."""
        rule = self.op.rule
        values: dict[str, Any] = dict.fromkeys(("y", *rule.parameters))
        for name, entry in self.entries().items():
            values[name] = unpack(entry, self, graph)
        self.fill_shapes(values)
        out: list[Any] = []
        for position, argument in enumerate(rule.arguments[: len(self.parents)]):
            if argument not in self.tracked:
                out.append(None)
                continue
            x_bar = of_argument(self.op, argument, y_bar, values, graph)
            if x_bar is not None:
                array = y_bar._array if graph else y_bar
                shape = self.fit[position] if self.fit is not None else array.shape
                x_bar = fitted(x_bar, stub(np.broadcast_to(np.zeros((), array.dtype), shape)))
            out.append(x_bar)
        return out

    def exchange(self, key: Any, entry: Any) -> None:
        """From now on the node holds a dict, which the general way of its derivative reads."""
        self.saved = {**self.entries(), key: entry}
        self.__class__ = opened(type(self))


def opened(kind: Any) -> Any:
    """The node class whose `saved` is what `entries` gives."""
    if kind not in _OPENED:
        fields = {
            "__slots__": (),
            "each": None,
            "entries": lambda self: freed() if self.saved is None else self.saved,
            "backward": lambda self, y_bar: self.evaluated(y_bar, False),
            "backward_graph": lambda self, y_bar: self.evaluated(y_bar, True),
        }
        _OPENED[kind] = type(kind.__name__, (kind,), fields)
    return _OPENED[kind]


_OPENED: dict[Any, Any] = {}


def node_class(op: Op, name: str, tracked: tuple[str, ...], tensors: tuple[str, ...]) -> Any:
    """The node class for these tracked arguments; `tensors` are the arguments that are tensors."""
    rule = op.rule
    arguments = rule.arguments
    reads = {r for a in tracked for r in rule.partials[a].reads}
    layout = []
    for parameter in ("y", *arguments):
        if parameter in reads:
            is_tensor = parameter == "y" or parameter in tensors
            position = "self" if parameter == "y" else arguments.index(parameter)
            layout.append((parameter, is_tensor, position))
    shape = (op, tracked, tuple(layout), len(arguments))
    fields = {
        "__slots__": (),
        "op": op,
        "layout": tuple(layout),
        "tracked": tracked,
        "saves": bool(layout),
        "backward": written(*shape, False),
        "write_graph": lambda: written(*shape, True),
        "each": one_by_one(*shape),
    }
    return type(name, (FastNode,), fields)


def fits(op: Op, count: int) -> bool:
    """Whether a rule has the plain form the fast paths are made for."""
    rule = op.rule
    return (
        rule.kind == "elementwise"
        and rule.parameters == rule.arguments
        and len(rule.arguments) == count
        and all(a in rule.partials for a in rule.arguments)
        and not any(p.shapes for p in rule.partials.values())
    )


def _save_text(cls: Any, indent: str) -> str:
    """The line that fills `node.saved` for a class of the binary template."""
    first, second = cls.op.rule.arguments
    entries = []
    for parameter, is_tensor, _ in cls.layout:
        array, owner = {"y": ("ya", ""), first: ("xa", "x"), second: ("oa", "other")}[parameter]
        if not is_tensor:
            entries.append(array)
        elif parameter == "y":
            entries.append("ya, y_vc, 0")
        else:
            entries.append(f"{array}, {owner}._vc, {owner}._vc[0]")
    return f"{indent}node.saved = ({', '.join(entries)}{',' if entries else ''})"


def evaluation(function: Any, result: str, indent: int) -> str:
    """The lines that set `ya` to a result; floating-point warnings are off where there may be any.

    What `quiet` does, without the call.
    """
    inline = calm(function) is not function and SILENT is not None
    lines = (templates.QUIETLY if inline else "ya = {}").format(result)
    return textwrap.indent(lines, " " * indent)


def plain(function: Any) -> Any:
    """The function that stands in `evaluation`."""
    return function if SILENT is not None else calm(function)


def binary(op: Op, general: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """The fast function of a tensor and a tensor or Python number."""
    if not fits(op, 2):
        return general
    classes = classes_of(op)
    two = f"function(xa, oa) if xa.size < LARGE and oa.size < LARGE else {_two_text(op, classes)}"
    text = templates.START + templates.BINARY.format(
        save_second=_save_text(classes["Second"], " " * 12),
        save_first=_save_text(classes["First"], " " * 12),
        save_both=_save_text(classes["Both"], " " * 12),
        scalar=_scalar_text(classes["Scalar"], "(edge, None)"),
        two=evaluation(op.function, two, 12),
    )
    scope = {**_SCOPE, **classes, "function": plain(op.function), "general": general}
    return _make(text, "binary", scope)


@functools.cache
def classes_of(op: Op) -> dict[str, Any]:
    """The node classes of a function of two, by which arguments are tracked."""
    first, second = op.rule.arguments
    both = (first, second)
    return {
        "Both": node_class(op, op.name, both, both),
        "First": node_class(op, op.name, (first,), both),
        "Second": node_class(op, op.name, (second,), both),
        "Scalar": node_class(op, op.name, (first,), (first,)),
    }


def matrices(
    op: Op, general: Callable[..., Any], left: int = 2, right: int = 2
) -> Callable[[Any, Any], Any]:
    """The fast product of arrays with `left` and `right` axes; other ranks go to `general`."""
    both = op.rule.arguments
    first, second = both
    classes = {
        "Both": node_class(op, op.name, both, both),
        "First": node_class(op, op.name, (first,), both),
        "Second": node_class(op, op.name, (second,), both),
    }
    text = templates.MATRICES.format(left=left, right=right)
    return _make(text, "matrices", {**_SCOPE, **classes, "general": general})


def number_only(op: Op, general: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """The fast function of a tensor and a Python number, whose node shows one input."""
    first = op.rule.arguments[0]
    cls = node_class(op, op.name, (first,), (first,))
    scope = {**_SCOPE, "Scalar": cls, "function": plain(op.function), "general": general}
    return _make(templates.START + _scalar_text(cls, "(edge,)"), "number_only", scope)


def _scalar_text(cls: Any, parents: str) -> str:
    result = "function(xa, oa)"
    if isinstance(cls.op.function, np.ufunc):
        first = reads(cls, cls.op.rule.arguments[0])
        result += (
            f" if xa.size < LARGE else of_two(function, x, xa, None, oa, "
            f"{'edge is None' if first else True}, False)"
        )
    save = _save_text(cls, " " * 4)
    result = evaluation(cls.op.function, result, 4)
    return templates.SCALAR.format(save_scalar=save, parents=parents, scalar_result=result)


def unary(op: Op, general: Callable[..., Any]) -> Callable[[Any], Any]:
    """The fast function of one argument; `general` is called where it does not apply."""
    if not fits(op, 1):
        return general
    cls = node_class(op, op.name, op.rule.arguments, op.rule.arguments)
    save = {
        "y": "    node.saved = (ya, y_vc, 0)",
        "x": "    vc = x._vc\n    node.saved = (xa, vc, vc[0])",
        "yx": "    vc = x._vc\n    node.saved = (ya, y_vc, 0, xa, vc, vc[0])",
        "": "    node.saved = ()",
    }["".join("y" if n == "y" else "x" for n, _, _ in cls.layout)]
    scope = {**_SCOPE, "NodeClass": cls, "function": plain(op.function), "general": general}
    evaluated = "function(xa)"
    if isinstance(op.function, np.ufunc) and not reads(cls, op.rule.arguments[0]):
        evaluated += " if xa.size < LARGE else of_one(function, x, xa)"
    evaluated = evaluation(op.function, evaluated, 4)
    return _make(templates.UNARY.format(save=save, evaluated=evaluated), "unary", scope)


def reads(cls: Any, argument: str) -> bool:
    """Whether nodes of a class keep the values of an argument."""
    return any(name == argument for name, _, _ in cls.layout)


def _two_text(op: Op, classes: dict[str, Any]) -> str:
    """The call for large arrays, with what says at run time which operand is kept by no node."""
    if not isinstance(op.function, np.ufunc):
        return "function(xa, oa)"
    free = []
    for argument in op.rule.arguments:
        kept = {name: reads(classes[name], argument) for name in ("Both", "First", "Second")}
        free.append(
            f"(other_edge is None or {not kept['Second']}) if edge is None else "
            f"{not kept['First']} if other_edge is None else {not kept['Both']}"
        )
    return f"of_two(function, x, xa, other, oa, {free[0]}, {free[1]})"


_SCOPE: dict[str, Any] = {
    "STATE": STATE, "F32": F32, "F64": F64, "ndarray": np.ndarray, "asarray": np.asarray,
    "new": new, "Tensor": Tensor, "LEAF": LEAF, "next_order": next_order, "stub": stub,
    "LARGE": LARGE, "of_one": of_one, "of_two": of_two,
    "SILENT": SILENT, "silence": silence, "speak": speak,
}  # fmt: skip


def _make(text: str, name: str, scope: dict[str, Any]) -> Any:
    made: dict[str, Any] = {}
    exec(compile(text, f"<fast {name}>", "exec"), scope, made)
    return next(iter(made.values()))
