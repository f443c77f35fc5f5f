"""What a node keeps, under torch's names: `node._saved_self`, `node._raw_saved_self`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.recording.keeping import unpack
from s2sgrad.eager.recording.names import SAVED, torch_name
from s2sgrad.eager.recording.record import RuleNode
from s2sgrad.eager.recording.saved import FREED, Packed, Saved, freed, is_stub
from s2sgrad.eager.tensors.tensor import Tensor, wrap
from s2sgrad.eager.tensors.views import ViewNode

OPERANDS = ("self", "other", "exponent")  # None where the derivative needs none
TUPLES = ("SumBackward1", "MeanBackward1", "VarBackward0", "AmaxBackward0", "AminBackward0",
          "LogsumexpBackward0", "FlipBackward0", "RollBackward0")  # fmt: skip
FIXED = {  # what torch's nodes keep, and always is the same here
    ("AddBackward0", "alpha"): 1, ("SubBackward0", "alpha"): 1, ("RsubBackward1", "alpha"): 1,
    ("LinalgSolveExBackward0", "left"): True,
}  # fmt: skip
OF_VIEWS = {
    "SelectBackward0": ("dim", "index"), "SliceBackward0": ("dim", "end", "start", "step"),
    "TransposeBackward0": ("dim0", "dim1"), "PermuteBackward0": ("dims",),
    "UnsqueezeBackward0": ("dim",),
}  # fmt: skip
REDUCTIONS = ("none", "mean", "sum")  # which torch's nodes count
_TOO_LATE = FREED.replace(
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed).",
    "Calling register_hooks on a saved tensor after it has been freed.",
).replace("access saved tensors after", "access saved variables after")
_TWICE = (
    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one "
    "pair of hooks is allowed at a time."
)
_ARGUMENTS = (
    "register_hooks(): incompatible function arguments. The following argument types are "
    "supported:\n    1. (self: torch._C._autograd.SavedTensor, arg0: collections.abc.Callable, "
    "arg1: collections.abc.Callable) -> None\n\nInvoked with: "
)


def attribute(node: Any, name: str) -> Any:
    """`node.name` for the names that start with `_saved_` and `_raw_saved_`."""
    if name.startswith("_raw_saved_"):
        short = name[len("_raw_saved_") :]
        kept = node.saved is not None
        parameter = parameter_of(node.entries(), short) if kept else short
        if parameter is not None and (not kept or is_saved(node.entries()[parameter])):
            return SavedTensor(node, parameter)
    elif name.startswith("_saved_"):
        short = name[len("_saved_") :]
        if (type(node).__name__, short) in FIXED:
            return FIXED[type(node).__name__, short]
        found = part_of_view(node, short) if isinstance(node, ViewNode) else named(node, short)
        if found is not NotImplemented:
            return found
    raise AttributeError(f"'{type(node).__name__}' object has no attribute '{name}'")


def names_of(node: Any) -> list[str]:
    """The names of the values that a node's derivative reads, for `dir`."""
    kind = type(node).__name__
    if isinstance(node, ViewNode):
        return [f"_saved_{short}" for short in OF_VIEWS.get(kind, ())]
    rule = getattr(getattr(node, "op", None), "rule", None)
    if rule is None:
        return []
    read = {name for partial in rule.partials.values() for name in partial.reads} - {"y_bar"}
    shorts = [torch_name(kind, n) for n in sorted(read) if n == "y" or n in rule.arguments]
    fixed = [short for owner, short in FIXED if owner == kind]
    return [*(f"_saved_{s}" for s in shorts + fixed), *(f"_raw_saved_{s}" for s in shorts)]


def is_saved(value: Any) -> bool:
    """Whether an entry holds a tensor's values."""
    return isinstance(value, (Saved, Packed))


def parameter_of(entries: dict[str, Any], short: str) -> str | None:
    """The rule's parameter that torch calls `short`."""
    for parameter in (short, *SAVED.get(short, ())):
        found = entries.get(parameter)
        if found is not None and not is_stub(found):
            return parameter
    return None


def named(node: Any, short: str) -> Any:
    """A saved value, option or shape of a node with a rule; NotImplemented where it has none."""
    layout = getattr(node, "layout", None)  # of the nodes that the fast paths make
    unread = layout is not None and not {n for n, _, _ in layout} & {short, *SAVED.get(short, ())}
    if node.saved is None and node.saves and not unread:
        freed()
    if short in ("self_sym_sizes", "self_sym_numel"):
        slots = node.slots if isinstance(node, RuleNode) else ()
        return NotImplemented if not slots else of_shape(slots[0][2].shape, short)
    entries = {} if unread else node.entries()
    parameter = parameter_of(entries, short)
    if parameter is None:
        known = entries if short not in OPERANDS else node.op.rule.parameters
        return None if any(n in known for n in SAVED.get(short, ())) else NotImplemented
    value = unpack(entries[parameter], node, True)
    if short == "reduction" and value in REDUCTIONS:
        return REDUCTIONS.index(value)
    if short == "other" and not isinstance(value, Tensor):
        return wrap(np.asarray(value))
    if short == "indices" and isinstance(value, np.ndarray):
        return (wrap(value),)
    return in_a_tuple(node, short, value)


def of_shape(shape: Any, short: str) -> Any:
    """The sizes of the input, or how many entries it has."""
    return tuple(shape) if short.endswith("sizes") else math.prod(shape)


def in_a_tuple(node: Any, short: str, value: Any) -> Any:
    """Axes as torch shows them: some nodes keep one axis as a tuple."""
    listed = short in ("dim", "dims", "shifts") and type(node).__name__ in TUPLES
    return (value,) if listed and isinstance(value, int) else value


def part_of_view(node: Any, short: str) -> Any:
    """What a view node keeps: the shape before it and the arguments of the view."""
    if short in ("self_sym_sizes", "self_sym_numel"):
        return of_shape(node.shape, short)
    names = [name for name, _ in node.op.rule.signature][1:]
    found = dict(zip(names, node.arguments, strict=False))
    if "index" in found:
        found |= indexed(found["index"], node.shape)
    if type(node).__name__ == "TransposeBackward0":
        moved = [i for i, axis in enumerate(found["axes"]) if i != axis]
        found |= {"dim0": moved[0], "dim1": moved[-1]} if moved else {"dim0": 0, "dim1": 0}
    elif "axes" in found:
        found["dims"] = tuple(found["axes"])
    parameter = parameter_of(found, short)
    return NotImplemented if parameter is None else in_a_tuple(node, short, found[parameter])


def indexed(index: Any, shape: tuple[int, ...]) -> dict[str, Any]:
    """The dim and place (or start, end and step) of the last part of a basic index."""
    parts = [part for part in index if part is not Ellipsis]
    dim = next((i for i in reversed(range(len(parts))) if parts[i] != slice(None)), 0)
    part = parts[dim] if parts else slice(None)
    if isinstance(part, slice):
        start, end, step = part.indices(shape[dim])
        end = 2**63 - 1 if part.stop is None else part.stop
        return {"dim": dim, "start": start, "end": end, "step": step, "index": None}
    return {"dim": dim, "index": part}


class SavedTensor:
    """One value that a node keeps; `register_hooks` sends it through a pair of functions."""

    __module__ = "torch._C._autograd"  # what its printed form shows
    __slots__ = ("_key", "_node")

    def __init__(self, node: Any, key: Any) -> None:
        self._node, self._key = node, key

    def register_hooks(self, *hooks: Callable[..., Any]) -> None:
        """`(pack, unpack)`: pack the value now, unpack it when the derivative needs it."""
        if len(hooks) != 2 or not all(map(callable, hooks)):
            raise TypeError(_ARGUMENTS + ", ".join(map(repr, (self, *hooks))))
        node = self._node
        if node.saved is None:
            raise RuntimeError(_TOO_LATE)
        entry = node.entries()[self._key]
        if isinstance(entry, Packed):
            raise RuntimeError(_TWICE)
        node.exchange(self._key, Packed(plain(entry, node), entry.edge, hooks))


def plain(entry: Saved, node: Any) -> Tensor:
    """The value for a pack hook: a node's own result without history, else it keeps itself."""
    made = entry.tensor(node)
    return made.detach() if entry.edge == "self" else made
