"""Steps of reductions whose order is free, as in `np.sum`: LLVM may use vector instructions.

Numba adds up in the order of the loop where it may not assume more. Here only the one addition
(or comparison) carries the permission to be reordered; all else keeps its order and rounding.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["add_product", "add_to", "larger_of", "smaller_of"]

_FREE = ("reassoc", "nsz", "contract")


@intrinsic  # type: ignore[untyped-decorator]
def add_to(context: Any, total: Any, value: Any) -> Any:
    """total + value, in any order among the others."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fadd(args[0], args[1], flags=_FREE)

    return types.float64(types.float64, types.float64), generate


@intrinsic  # type: ignore[untyped-decorator]
def add_product(context: Any, total: Any, left: Any, right: Any) -> Any:
    """total + left * right, in any order among the others, rounded once where that is faster."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.fmul(args[1], args[2], flags=("contract",))
        return builder.fadd(args[0], product, flags=_FREE)

    return types.float64(types.float64, types.float64, types.float64), generate


def _extreme(name: str) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        double = ir.DoubleType()
        kind = ir.FunctionType(double, (double, double))
        function = builder.module.declare_intrinsic(f"llvm.{name}", (double,), kind)
        return builder.call(function, args, fastmath=("nsz",))

    return generate


@intrinsic  # type: ignore[untyped-decorator]
def larger_of(context: Any, most: Any, value: Any) -> Any:
    """The larger of two numbers; nan if one is."""
    return types.float64(types.float64, types.float64), _extreme("maximum")


@intrinsic  # type: ignore[untyped-decorator]
def smaller_of(context: Any, least: Any, value: Any) -> Any:
    """The smaller of two numbers; nan if one is."""
    return types.float64(types.float64, types.float64), _extreme("minimum")
