"""Floor 6: what Numba takes and gives, made of a caller's arguments and into the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.backend.expressions import ExpressionPrinter
from s2sgrad.backend.jit.errors import NotCompiled, quiet
from s2sgrad.backend.module import refer
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Expr, Var
from s2sgrad.ir.types import Array, Dict, Known, List, Maybe, Opaque, Scalar, Tuple, Type
from s2sgrad_runtime import trees

Convert = Callable[[Any], Any]
# What stands in paths to leaves, and around results.
_HELPERS = {f.__name__: f for f in (trees.as_rows, trees.column, trees.in_structure)}


@dataclass(frozen=True)
class Crossing:
    """Numba takes `leaves`, and gives a flat tuple of what `results` says.

    shape: the result, with a Var `out_k` for each of those. writes: arrays that were given may be
    written.
    """

    parameters: tuple[str, ...]
    leaves: tuple[tuple[str, Expr, Type], ...]
    shape: Expr
    results: tuple[Type, ...]
    writes: bool = False

    def outer(self, compiled: Callable[..., Any]) -> Callable[..., Any]:
        """The function with the generated function's own parameters and result."""
        if self._direct():
            return compiled
        printer = ExpressionPrinter({})
        scope: dict[str, Any] = {"compiled": compiled, **_HELPERS}
        for expr in (*(path for _, path, _ in self.leaves), self.shape):
            for node in nodes.walk(expr):
                refer(node, scope)  # keys that are dates, or members of enumerations
        taken = []
        for k, (_, path, kind) in enumerate(self.leaves):
            text, convert = printer.text(path), packer(kind, self.writes)
            if convert is not None:
                scope[f"pack_{k}"] = _guarded(convert)
                text = f"pack_{k}({text})"
            taken.append(text)
        finishers = [finisher(kind) for kind in self.results]
        lines = [f"def call({', '.join(self.parameters)}):"]
        outs = "".join(f"out_{k}, " for k in range(len(self.results)))
        call = f"compiled({', '.join(taken)})"
        lines.append(f"    {outs}= {call}" if outs else f"    {call}")
        for k, finish in enumerate(finishers):
            if finish is not None:
                scope[f"finish_{k}"] = finish
                lines.append(f"    out_{k} = finish_{k}(out_{k})")
        lines.append(f"    return {printer.text(self.shape)}")
        exec("\n".join(lines), scope)
        return scope["call"]  # type: ignore[no-any-return]

    def _direct(self) -> bool:
        """Whether the compiled function can be called as it is."""
        whole = tuple(Var(f"out_{k}") for k in range(len(self.results)))
        return (
            tuple(path for _, path, _ in self.leaves) == tuple(map(Var, self.parameters))
            and isinstance(self.shape, nodes.Sequence)
            and self.shape.kind == "tuple"
            and self.shape.items == whole
            and not any(packer(kind) for _, _, kind in self.leaves)
            and not any(finisher(kind) for kind in self.results)
        )


def packer(kind: Type, writes: bool = False) -> Convert | None:
    """How a leaf is handed to Numba; None where it goes as it is. writes: see Crossing."""
    if isinstance(kind, Array) and kind.dtype is None:
        return None
    if isinstance(kind, List):
        return _pack_list(kind, writes)
    if isinstance(kind, Dict):
        return _pack_dict
    return None if isinstance(kind, Scalar | Array | Tuple | Known) else _no_container


def _no_container(value: Any) -> Any:
    """A value whose type leaves open whether it is a list: then Numba can't take it."""
    if isinstance(value, list | dict):
        raise TypeError("it may be a list or not")
    return value


def _guarded(convert: Convert) -> Convert:
    """The conversion; a value that is not of its type's kind means that Numba can't take it."""

    def pack(value: Any) -> Any:
        try:
            return convert(value)
        except Exception as error:
            raise NotCompiled(
                "a list or dict can't be handed to compiled code", None, str(error).split("\n")[0]
            ) from None

    return pack


def _pack_list(kind: List, writes: bool) -> Convert:
    item = kind.item
    if isinstance(item, Tuple) and not item.items:
        return _of_nothing
    if isinstance(item, Scalar):
        dtype = {"int": "int64", "float": "float64", "bool": "bool", "complex": "complex128"}.get(
            item.dtype, item.dtype
        )
        return lambda values: np.array(values, dtype=dtype)
    inner = packer(item, writes)
    if isinstance(item, List) and item.fixed and inner is not None:
        inner = _of_lists(inner)
    if isinstance(item, Array) and item.shape != ():
        inner = _in_c_order if writes else np.ascontiguousarray
        if item.dtype is not None and item.shape is not None:
            from s2sgrad_runtime.numba_given import packed

            convert: Convert = packed(item.dtype, len(item.shape), inner)
            return convert

    def pack(values: Any) -> Any:
        from numba.typed import List as TypedList

        with quiet():
            return TypedList([inner(v) for v in values] if inner else list(values))

    return pack


def _of_nothing(values: Any) -> Any:
    """Numba would divide by the size of an item, and end the process."""
    raise TypeError("its items are tuples without entries")


def _of_lists(pack: Convert) -> Convert:
    """The conversion of items that may be tuples: they would come back as lists."""

    def packed(values: Any) -> Any:
        if isinstance(values, tuple):
            raise TypeError("it holds tuples whose lengths only a run knows")
        return pack(values)

    return packed


def _in_c_order(array: Any) -> Any:
    if not array.flags.c_contiguous:
        raise TypeError("its arrays are views, and arrays are written")
    return array


def _pack_dict(values: dict[Any, Any]) -> Any:
    from numba.typed import Dict as TypedDict

    if not values:
        raise TypeError("an empty dict has no type")
    packed = TypedDict()
    with quiet():
        for key, value in values.items():
            packed[key] = value
    return packed


def finisher(kind: Type) -> Convert | None:
    """How a result becomes what the caller expects; None where it is that already."""
    if isinstance(kind, Scalar) and kind.dtype not in (
        "float",
        "int",
        "bool",
        "complex",
        "float64",
        "int64",
        "complex128",
    ):
        return _unless_unbound(np.dtype(kind.dtype).type)
    if (
        isinstance(kind, Array)
        and kind.dtype is not None
        and (kind.shape == () or kind.dtype not in ("float64", "complex128"))
    ):
        dtype = np.dtype(kind.dtype)
        return _unless_unbound(lambda value: np.asarray(value, dtype))
    if isinstance(kind, Dict):  # what it holds may be Numba's containers too
        numbers = isinstance(kind.item, Scalar | Array)
        return _unless_unbound(dict if numbers else _plain)
    if isinstance(kind, List):  # of dicts, perhaps in lists
        inner = finisher(kind.item) if isinstance(kind.item, Dict | List) else None
        convert = list if inner is None else lambda values: [inner(v) for v in values]
        if kind.fixed and not kind.either:  # Numba has lists for tuples of any length
            return _unless_unbound(lambda values: tuple(convert(values)))
        return _unless_unbound(_tuples_kept(convert) if kind.fixed else convert)
    return _plain if isinstance(kind, Opaque | Maybe) else None


def _tuples_kept(convert: Convert) -> Convert:
    """The conversion of what may be a tuple, such as a key of a dict."""
    return lambda value: value if isinstance(value, tuple) else convert(value)


def _unless_unbound(convert: Convert) -> Convert:
    """The conversion of what may be None, where no path has bound it."""
    return lambda value: None if value is None else convert(value)


def _plain(value: Any) -> Any:
    """What has several types in the code (a name that is used again) without Numba's containers."""
    from numba.typed import Dict as TypedDict
    from numba.typed import List as TypedList

    if isinstance(value, TypedDict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, TypedList) else value


__all__ = ["Crossing", "finisher", "packer"]
