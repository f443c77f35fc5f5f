"""Floor 5: make typed expressions, simplified on the way.

Only rewrites that keep value, shape and NaN are made: no `0 * x -> 0`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import has_effect, holds_arrays
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.analysis.infer import infer_call, infer_elementwise
from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Ref, Slice, Var
from s2sgrad.ir.types import (
    INT,
    Array,
    Known,
    List,
    Number,
    Opaque,
    Scalar,
    Type,
    is_float_dtype,
    shape_of,
)
from s2sgrad.rules.methods import OPERATORS, UNARY_OPERATORS

FULL = Slice(None, None, None, type=Opaque("slice"))
NARROW = ("float16", "float32", "complex64")
NEWAXIS = Const(None, type=Known(None))


def number(value: float | int) -> Const:
    """A literal."""
    return Const(value, type=Scalar(type(value).__name__, None, value))


def is_number(expr: Expr, value: float) -> bool:
    """Whether an expression is this number."""
    return isinstance(expr, Const) and type(expr.value) in (int, float) and expr.value == value


def filled(shape: Expr, entry: Expr, kind: Array) -> Expr:
    """A new array of one number; NumPy's choice of dtype is only overruled where it is narrow."""
    dtype: tuple[Expr, ...] = ()
    if kind.dtype in NARROW and getattr(entry.type, "dtype", None) != kind.dtype:
        scalar = np.dtype(kind.dtype).type
        dtype = (Ref(f"np.{kind.dtype}", scalar, type=Known(scalar)),)
    if is_number(entry, 1):
        return Call(np.ones, "np.ones", (shape, *dtype), type=kind)
    return Call(np.full, "np.full", (shape, entry, *dtype), type=kind)


def begins_with_number(expr: Expr) -> bool:
    """Whether an expression is a literal, or `2.0 * x`."""
    return _literal_first(expr)[1] is not expr


def _is_literal(expr: Expr) -> bool:
    """Whether an expression is a real number."""
    return isinstance(expr, Const) and type(expr.value) in (int, float)


def is_negative(expr: Expr) -> bool:
    """Whether an expression is `-x`."""
    return isinstance(expr, Call) and expr.function is np.negative and expr.form == "operator"


def signed(expr: Expr) -> tuple[str, Expr]:
    """("-", x) for -x and for a product with a negative literal, else ("+", expr)."""
    if is_negative(expr):
        return "-", expr.args[0]  # type: ignore[attr-defined]
    if isinstance(expr, Call) and expr.form == "operator" and expr.text in ("*", "/"):
        first = expr.args[0]
        if isinstance(first, Const) and type(first.value) in (int, float) and first.value < 0:
            return "-", negate(expr)
        sign, positive = signed(first) if isinstance(first, Call) else ("+", first)
        if sign == "-":
            return "-", binary(expr.text, positive, expr.args[1])
    return "+", expr


def negate(expr: Expr) -> Expr:
    """`-expr`."""
    if is_negative(expr):
        return expr.args[0]  # type: ignore[attr-defined]
    if isinstance(expr, Const) and type(expr.value) in (int, float):
        return number(-expr.value)
    if isinstance(expr, Call) and _is_product(expr):
        first = _first_factor(expr)
        if is_negative(first) or isinstance(negate(first), Const):
            return binary(expr.text, negate(expr.args[0]), expr.args[1])
    return _operator("-", (expr,))


def begins_negative(expr: Expr) -> bool:
    """Whether an expression is `-x` or `-x * y / z`; `-2.0 * y` too."""
    first = _first_factor(expr)
    return is_negative(first) or (_is_literal(first) and first.value < 0)  # type: ignore[attr-defined]


def _is_product(expr: Expr) -> bool:
    operator = isinstance(expr, Call) and expr.form == "operator" and len(expr.args) == 2
    return operator and expr.text in ("*", "/")  # type: ignore[attr-defined]


def _first_factor(expr: Expr) -> Expr:
    """What a product begins with: a of `a * b / c`."""
    return _first_factor(expr.args[0]) if _is_product(expr) else expr  # type: ignore[attr-defined]


def _operator(sign: str, args: tuple[Expr, ...]) -> Expr:
    function = UNARY_OPERATORS[sign] if len(args) == 1 else OPERATORS[sign]
    if sign == "@":
        kind = infer_call(np.matmul, tuple(a.type for a in args), {})
    else:
        kind = infer_elementwise(function, tuple(a.type for a in args), True)
    return Call(function, sign, args, form="operator", type=kind)


def binary(sign: str, a: Expr, b: Expr) -> Expr:
    """`a sign b`, simplified."""
    if isinstance(a, Const) and isinstance(b, Const):
        folded = _fold(sign, a.value, b.value)
        if folded is not None:
            return folded
    if sign == "*":
        return _multiply(a, b)
    if sign == "/":
        return _divide(a, b)
    if sign == "@" and (is_negative(a) or is_negative(b)):
        first = a.args[0] if is_negative(a) else a  # type: ignore[attr-defined]
        second = b.args[0] if is_negative(b) else b  # type: ignore[attr-defined]
        product = binary("@", first, second)
        return product if is_negative(a) and is_negative(b) else negate(product)
    if sign == "+":
        if a == b and _float_like(a) and not has_effect(a):
            return _multiply(number(2.0), a)
        opposite, positive = signed(b)
        if opposite == "-":
            return binary("-", a, positive)
        if is_negative(a):
            return binary("-", b, a.args[0])  # type: ignore[attr-defined]
    if sign == "-" and is_negative(b):
        return binary("+", a, b.args[0])  # type: ignore[attr-defined]
    if sign == "-" and is_number(b, 0) and isinstance(a.type, Scalar):
        return a
    if sign == "**":
        if is_number(b, 1):
            return a
        if is_number(b, 0) and isinstance(a.type, Scalar):
            return number(1.0)
    return _operator(sign, (a, b))


def _fold(sign: str, a: Any, b: Any) -> Const | None:
    if type(a) not in (int, float) or type(b) not in (int, float):
        return None
    try:
        value = {
            "+": lambda: a + b,
            "-": lambda: a - b,
            "*": lambda: a * b,
            "/": lambda: a / b,
            "**": lambda: a**b,
        }[sign]()
    except (KeyError, ArithmeticError):
        return None
    return number(value) if type(value) in (int, float) else None


def _float_like(expr: Expr) -> bool:
    """Whether multiplying by a float leaves the value as it is."""
    dtype = getattr(expr.type, "dtype", None)
    return dtype is not None and dtype.startswith(("float", "complex"))


def _multiply(a: Expr, b: Expr) -> Expr:
    for one, other in ((a, b), (b, a)):
        if is_number(one, 1) and (_float_like(other) or type(one.value) is int):  # type: ignore[attr-defined]
            return other
        if is_number(one, -1) and _float_like(other):
            return negate(other)
    if is_negative(a):
        return negate(_multiply(a.args[0], b))  # type: ignore[attr-defined]
    if is_negative(b):
        return negate(_multiply(a, b.args[0]))  # type: ignore[attr-defined]
    if isinstance(b, Const) and not isinstance(a, Const):
        a, b = b, a
    one, first = _literal_first(a)
    two, second = _literal_first(b)
    factor = _fold("*", one, two)
    if factor is not None and first is not a and second is not b:
        if first is None or second is None:
            left = first or second
            return factor if left is None else _multiply(factor, left)
        if type(one) is type(two):  # `2 * k` of integers stays one
            return _multiply(_multiply(factor, first), second)
    if isinstance(a, Const) and isinstance(b, Call) and _is_product(b):
        if b.text == "*":
            return _operator("*", (_multiply(a, b.args[0]), b.args[1]))
        ahead, behind = _literal_first(b.args[0])
        above = _fold("*", one, ahead) if behind is not b.args[0] else None
        if above is not None:  # of `1.0 / n`, or `2.0 * x / n`
            return _divide(above if behind is None else _multiply(above, behind), b.args[1])
    if _is_inverse(a) and second is b:  # of a number
        return _divide(b, a.args[1])  # type: ignore[attr-defined]
    if second is not None and second is not b and isinstance(a.type, Scalar):
        return _multiply(_multiply(b.args[0], a), second)  # type: ignore[attr-defined]
    return _operator("*", (a, b))


def _is_inverse(expr: Expr) -> bool:
    """Whether it is `1.0 / n` of a number."""
    over = isinstance(expr, Call) and expr.form == "operator" and expr.text == "/"
    return over and is_number(expr.args[0], 1) and isinstance(expr.args[1].type, Scalar)  # type: ignore[attr-defined]


def _literal_first(expr: Expr) -> tuple[Any, Expr | None]:
    """(2.0, x) of `2.0 * x`, (2.0, None) of the literal alone, (1, expr) of anything else."""
    match expr:
        case Const(value=value) if _is_literal(expr):
            return value, None
        case Call(form="operator", text="*", args=(Const(value=value) as one, other)):
            return (value, other) if _is_literal(one) else (1, expr)
    return 1, expr


def _divide(a: Expr, b: Expr) -> Expr:
    if is_number(b, 1) and _float_like(a):
        return a
    if is_negative(a):
        return negate(_divide(a.args[0], b))  # type: ignore[attr-defined]
    return _operator("/", (a, b))


def call(function: Any, text: str, *args: Expr, kind: Type | None = None, **kwargs: Expr) -> Expr:
    """A function call with its type inferred unless given; the sign of a sum comes out of it."""
    if function is np.sum and is_negative(args[0]):
        total = call(function, text, args[0].args[0], *args[1:], kind=kind, **kwargs)  # type: ignore[attr-defined]
        return negate(total)
    named = tuple(kwargs.items())
    if kind is None:
        if (
            isinstance(function, np.ufunc)
            and function.nout == 1
            and not kwargs
            and not function.signature
        ):
            kind = infer_elementwise(function, tuple(a.type for a in args))
        else:
            kind = infer_call(function, tuple(a.type for a in args), {k: v.type for k, v in named})
    return Call(function, text, args, named, type=kind)


def index(base: Expr, *parts: Expr) -> Expr:
    """`base[index]` with its type."""
    return Index(base, parts, type=infer_index(base.type, parts))


def attribute(base: Expr, name: str, function: Any, kind: Type) -> Expr:
    """`base.name` with its type."""
    return Call(function, name, (base,), form="attribute", type=kind)


def zeros_like(array: Expr, kind: Array | Number, doubtful: bool = False) -> Expr:
    """`np.zeros_like(array)`.

    doubtful: an array of a complex type may be real when the code runs, or one of floats hold
    integers. Its cotangent may not: complex numbers are added to it, and lose their imaginary part
    where an argument is reached.
    """
    if isinstance(kind, Array) and kind.dtype is None:  # it may hold integers
        return Call(s2sgrad_runtime.zeros_like, "zeros_like", (array,), type=kind)
    if not doubtful or kind.dtype is None or not is_float_dtype(kind.dtype):
        return Call(np.zeros_like, "np.zeros_like", (array,), type=kind)
    return Call(np.zeros_like, "np.zeros_like", (array, _named_dtype(str(kind.dtype))), type=kind)


def copied_as(array: Expr, dtype: str) -> Expr:
    """`array.astype(np.dtype)`, a copy whatever dtype it has."""
    return Call(np.astype, "astype", (array, _named_dtype(dtype)), form="method", type=array.type)


def _named_dtype(dtype: str) -> Ref:
    found = np.dtype(dtype).type
    return Ref(f"np.{dtype}", found, type=Known(found))


def shape(expr: Expr) -> Expr:
    """`x.shape` of a variable."""
    return attribute(expr, "shape", np.shape, Opaque("shape"))


def transpose(expr: Expr) -> Expr:
    """`x.T`; two of them cancel, and `(a.T @ b).T` is `b.T @ a` of matrices."""
    if _is_transposed(expr):
        return expr.args[0]  # type: ignore[attr-defined]
    if isinstance(expr, Call) and expr.form == "operator" and expr.text == "@":
        matrices = all(len(shape_of(a.type) or ()) == 2 for a in expr.args)
        if matrices and any(map(_is_transposed, expr.args)):
            return binary("@", *map(transpose, reversed(expr.args)))
    if is_negative(expr):
        return negate(transpose(expr.args[0]))  # type: ignore[attr-defined]
    if isinstance(expr, Call) and expr.function is np.outer and not expr.kwargs:
        return call(np.outer, "np.outer", *reversed(expr.args))
    found = shape_of(expr.type)
    kind = (
        replace(expr.type, shape=tuple(reversed(found)))
        if isinstance(expr.type, Array) and found is not None
        else expr.type
    )
    return attribute(expr, "T", np.transpose, kind)


def _is_transposed(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.form == "attribute" and expr.text == "T"


def size_expr(size: sizes.Size, origin: dict[str | sizes.Size, Expr]) -> Expr | None:
    """The expression for a symbolic size, if all its letters can be read off inputs."""
    if size in origin:
        return replace(origin[size], type=INT)
    total: Expr | None = None
    for monomial, factor in reversed(size.terms):
        part: Expr | None = None
        for letter in monomial:
            if letter not in origin:
                return None
            entry = replace(origin[letter], type=INT)
            part = entry if part is None else binary("*", part, entry)
        if part is None:
            part = number(factor)
        elif factor != 1:
            part = binary("*", number(factor), part)
        total = part if total is None else _sum(total, part)
    return total if total is not None else number(0)


def _sum(a: Expr, b: Expr) -> Expr:
    if isinstance(b, Const) and b.value < 0:
        return binary("-", a, number(-b.value))
    return binary("+", a, b)


def same_shape(a: Type, b: Type) -> bool:
    """Whether two values are proven to have the same shape."""
    first, second = shape_of(a), shape_of(b)
    return sizes.known(first) and sizes.known(second) and first == second


def fits(small: Type, large: Type) -> bool:
    """Whether a value is proven to broadcast to another's shape."""
    first, second = shape_of(small), shape_of(large)
    if first is None or second is None or len(first) > len(second):
        return False
    pairs = zip(reversed(first), reversed(second), strict=False)
    return all(p is not None and (p in (q, sizes.ONE)) for p, q in pairs)


def flatter(small: Type, large: Type) -> bool:
    """Whether an array has fewer axes than another one, or some of length 1 where that has none."""
    if not isinstance(small, Array) or not isinstance(large, Array):
        return False
    first, second = small.shape, large.shape
    if first is None or second is None:
        return False
    pairs = zip(reversed(first), reversed(second), strict=False)
    return len(first) < len(second) or any(p == sizes.ONE != q for p, q in pairs)


def wide(kind: Type, like: Type) -> bool:
    """Whether an operand has all axes of its operation's result, none of them of length 1."""
    own, whole = shape_of(kind), shape_of(like)
    if own is None or whole is None or len(own) != len(whole):
        return False
    return all(map(sizes.surely_not_one, own))


def var(name: str, kind: Type) -> Var:
    """A variable of this type."""
    return Var(name, type=kind)


def copied(expr: Expr) -> Call:
    """A copy all the way down of an array, a container, or what may be a number."""
    if isinstance(expr.type, List) and not holds_arrays(expr.type.item):
        return Call(list, "list", (expr,), type=expr.type, span=expr.span)
    if not isinstance(expr.type, Array):  # it may be a number
        tree = s2sgrad_runtime.copy_tree
        return Call(tree, "copy_tree", (expr,), type=expr.type, span=expr.span)
    return Call(np.copy, "copy", (expr,), form="method", type=expr.type, span=expr.span)
