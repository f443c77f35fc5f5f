"""What loops do with one entry, in a few instructions that LLVM can do for several at once."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["POWERS", "masked_entry"]


@intrinsic  # type: ignore[untyped-decorator]
def masked_entry(context: Any, x_bar: Any, y_bar: Any) -> Any:
    """x_bar, and 0 where y_bar is zero and x_bar is not finite."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero = ir.Constant(args[0].type, 0.0)
        finite = builder.fcmp_ordered("ord", builder.fsub(args[0], args[0]), zero)
        counts = builder.fcmp_unordered("!=", args[1], zero)
        return builder.select(builder.or_(finite, counts), args[0], zero)

    return types.float64(types.float64, types.float64), generate


def _power(twice: int) -> Any:
    """The function x**(twice / 2), by products and at most one square root."""

    def power(context: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            double, (base,) = ir.DoubleType(), args
            found = base
            if twice % 2:
                base = builder.fadd(base, ir.Constant(double, 0.0))  # no negative zero
                kind = ir.FunctionType(double, (double,))
                root = builder.module.declare_intrinsic("llvm.sqrt", (double,), kind)
                found = builder.call(root, (base,))
            for _ in range(abs(twice) // 2 - (twice % 2 == 0)):
                found = builder.fmul(found, base)
            return found if twice > 0 else builder.fdiv(ir.Constant(double, 1.0), found)

        return types.float64(types.float64), generate

    power.__qualname__ = power.__name__ = _name(twice)
    return intrinsic(power)


def _name(twice: int) -> str:
    exponent = f"{abs(twice)}_2" if twice % 2 else f"{abs(twice) // 2}"
    return f"{'' if twice > 0 else 'inverse_'}power_{exponent}"


power_1_2, power_3_2, power_5_2, power_7_2 = map(_power, (1, 3, 5, 7))
power_2, power_3, power_4 = map(_power, (4, 6, 8))
inverse_power_1_2, inverse_power_3_2 = map(_power, (-1, -3))
inverse_power_5_2, inverse_power_7_2 = map(_power, (-5, -7))
inverse_power_1, inverse_power_2, inverse_power_3 = map(_power, (-2, -4, -6))

# Exponent -> (function, name).
POWERS = {
    twice / 2: (globals()[_name(twice)], _name(twice))
    for twice in (1, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6, -7)
}
__all__ += [name for _, name in POWERS.values()]
