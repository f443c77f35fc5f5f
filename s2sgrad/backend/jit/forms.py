"""Floor 6: rewrite generated code into forms that Numba compiles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import basic_index, effects
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.backend.jit.algebra import own_algebra
from s2sgrad.backend.jit.contexts import without_errstates
from s2sgrad.backend.jit.domains import with_errors
from s2sgrad.backend.jit.lengths import with_lengths_asked
from s2sgrad.backend.jit.outside import Hoister
from s2sgrad.backend.jit.perhaps import changed_where_there, zeros_perhaps
from s2sgrad.backend.jit.products import in_place
from s2sgrad.backend.jit.row_places import by_places
from s2sgrad.backend.jit.scatter import inserted, popped, scattered
from s2sgrad.backend.jit.texts import refuse_arrays_of_texts
from s2sgrad.backend.jit.typing import lacks
from s2sgrad.backend.jit.unbound import noticed_unbound
from s2sgrad.backend.jit.views import refuse_copies, true_views
from s2sgrad.backend.jit.weak_numbers import with_single_numbers
from s2sgrad.backend.jit.whole import as_python_counts
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.passes import loops
from s2sgrad.backend.loops.powers import number_of, simple_power
from s2sgrad.backend.loops.singles import stored_weakly, with_weak_numbers
from s2sgrad.frontend.builtins.drawn import of_module
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Const, Expr, Function, Stmt, Var
from s2sgrad.ir.types import INT, Array, Known, List, Number, Scalar, Tuple
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad.transform.writing.unbound import typed_nothing


def numba_forms(
    function: Function, outer: Function | None = None, checks: bool = False, again: bool = False
) -> Function:
    """The function with every form that Numba lacks replaced by one it has.

    outer: the function that it is a piece of, and that goes on to use the arrays it takes.
    checks: whether it may compare lengths when it runs, and raise `UnequalLengths`.
    again: whether Python runs a call that fails once more.
    """
    function = replace(function, body=typed_nothing(function.body, function.types))
    given, function = function, loops(function, outer, checks)
    if again:
        function = replace(function, body=with_lengths_asked(function.body, given))
    types = dict(function.types)
    names = Names(set(types) | set(function.parameters) | {"objmode", "compiled_form", "njit"})
    function = with_single_numbers(function, types, names, again)
    changes = effects((*(outer.body if outer else ()), *function.body))
    body = true_views(function.body, changes)
    groups = Groups(replace(function, body=body), outer)
    body = map_block(body, lambda e: e, lambda s: in_place(s, groups))
    body = changed_where_there(with_errors(as_python_counts(body), again))
    body = map_block(body, lambda e: e, lambda s: by_places(s, names, types))
    body = map_block(map_block(body, lambda e: e, stored_weakly), _expression, _statement)
    body = map_block(body, lambda e: e, lambda s: scattered(s, names, types))
    body = map_block(body, lambda e: e, lambda s: inserted(s, names, types))
    body = map_block(body, lambda e: e, lambda s: popped(s, names, types))
    refuse_copies(body, changes, unknown)
    refuse_arrays_of_texts(body)
    body = without_errstates(Hoister(names, types, unknown).block(body))
    return noticed_unbound(replace(function, body=body, types=types), names)


def with_shapes_as_tuples(function: Function) -> Function:
    """`np.empty([n, m])` as `np.empty((n, m))`: Numba takes no lists for shapes."""

    def as_tuple(expr: Expr) -> Expr:
        match expr:
            case Call(text=text, args=(nodes.Sequence(kind="list") as shape, *rest)) if (
                text in _NEW
                and shape.items
                and all(isinstance(i.type, Scalar) for i in shape.items)
            ):
                return replace(expr, args=(replace(shape, kind="tuple"), *rest))
        return expr

    return replace(function, body=map_block(function.body, as_tuple))


_NEW = frozenset({"np.empty", "np.zeros", "np.ones", "np.full"})


# --- statements ----------------------------------------------------------------------------
def _statement(stmt: Stmt) -> list[Stmt]:
    match stmt:
        case nodes.For(backwards=True):
            return [_forwards(stmt)]
        case nodes.Store(index=(), op=""):
            whole = Const(..., type=Known(...))
            return [replace(stmt, index=(whole,))]
        case nodes.Store(index=(Const(value=value),), op=op, base=base) if value is ... and op:
            return _whole(stmt, base)
        case nodes.Store(index=(part,), op=op, base=base) if op and isinstance(base.type, Tuple):
            # an array in a tuple, whose items can't be bound anew
            return _whole(stmt, nodes.Index(base, (part,), type=infer_index(base.type, (part,))))
        case nodes.Store(op=op) if op:
            return _added(stmt)
    return [stmt]


def _whole(stmt: nodes.Store, base: Expr) -> list[Stmt]:
    """A change of all entries of an array."""
    rank = len(base.type.shape) if isinstance(base.type, Array) and base.type.shape else 0
    colons = (nodes.Slice(None, None, None),) * rank
    return _added(replace(stmt, base=base, index=colons)) if rank else [stmt]


def _added(stmt: nodes.Store) -> list[Stmt]:
    """`x[i] += y` of arrays as `x[i] = x[i] + y`: Numba's `+=` does not compare their lengths."""
    base, value = stmt.base, stmt.value
    if not (isinstance(base.type, Array) and isinstance(value.type, Array)):
        return [stmt]
    fits = stmt.op in _SIGNS and _takes(base.type.dtype, value.type.dtype, stmt.op)
    if value.type.shape == () or not fits or not basic_index(stmt.index):
        return [stmt]
    part = infer_index(base.type, stmt.index)
    if not isinstance(part, Array) or (part.shape is not None and part.shape == value.type.shape):
        return [stmt]
    now = nodes.Index(base, stmt.index, type=part)
    kind = Array(base.type.dtype, value.type.shape)
    whole = Call(_SIGNS[stmt.op], stmt.op, (now, value), form="operator", type=kind)
    return [replace(stmt, op="", value=whole)]


def _takes(base: str | None, value: str | None, sign: str) -> bool:
    """Whether NumPy changes an array of one dtype in place by one of another."""
    if base == "int64":
        return value in _WHOLE and sign != "/"
    return base in _FLOATS and value in _FLOATS | _WHOLE


_FLOATS, _WHOLE = {"float64", "float32"}, {"int64", "bool"}
_SIGNS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}


def _forwards(stmt: nodes.For) -> nodes.For:
    """A backward loop as a loop over the sequence turned round: Numba has no `reversed`. Sequences
    that are gone through backwards together are equally long."""
    return replace(stmt, sources=tuple(map(_turned, stmt.sources)), backwards=False)


def _turned(source: Expr) -> Expr:
    if isinstance(source, Call) and source.function in (range, "range"):
        return turned_range(source)
    step = nodes.Slice(None, None, _int(-1))
    return nodes.Index(source, (step,), type=source.type)


def turned_range(source: Call) -> Call:
    """The same numbers from the last to the first."""
    args = source.args
    if len(args) == 1:
        return replace(source, args=(_minus(args[0], 1), _int(-1), _int(-1)))
    step = args[2] if len(args) == 3 else _int(1)
    value = step.value if isinstance(step, Const) else getattr(step.type, "value", None)
    start, stop = args[0], args[1]
    if value == 1:
        return replace(source, args=(_minus(stop, 1), _minus(start, 1), _int(-1)))
    if value == -1:
        return replace(source, args=(_minus(stop, -1), _minus(start, -1)))
    count = Call(len, "len", (source,), type=INT)
    last = _op("+", np.add, start, _op("*", np.multiply, _minus(count, 1), step))
    return replace(source, args=(last, _op("-", np.subtract, start, step), _negative(step)))


def _int(value: int) -> Const:
    return Const(value, type=Scalar("int", None, value))


def _op(sign: str, function: Any, left: Expr, right: Expr) -> Call:
    return Call(function, sign, (left, right), form="operator", type=INT)


def _minus(expr: Expr, amount: int) -> Expr:
    if isinstance(expr, Const):
        return _int(expr.value - amount)
    if amount < 0:
        return _op("+", np.add, expr, _int(-amount))
    return _op("-", np.subtract, expr, _int(amount))


def _negative(expr: Expr) -> Expr:
    if isinstance(expr, Const):
        return _int(-expr.value)
    return Call(np.negative, "-", (expr,), form="operator", type=INT)


# --- expressions ---------------------------------------------------------------------------
_DTYPES = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}


def _dtype(expr: Expr) -> Expr:
    """A type of Python's as NumPy's: Numba takes those for dtypes."""
    if not isinstance(expr, nodes.Ref) or not isinstance(expr.value, type):
        return expr
    kind = _DTYPES.get(expr.value)
    return expr if kind is None else replace(expr, text=f"np.{kind.__name__}", value=kind)


def _with_dtypes(expr: Expr) -> Expr:
    """A call with dtypes as Numba knows them; factors of products with one dtype."""
    if not isinstance(expr, Call):
        return expr
    if expr.text in ("@", "np.dot", "np.matmul", "dot"):
        return _with_one_dtype(expr)
    if expr.form == "operator" or isinstance(expr.function, str):
        return expr
    args = tuple(map(_dtype, expr.args))
    kwargs = tuple((k, _dtype(v)) for k, v in expr.kwargs)
    return (
        expr
        if (args, kwargs) == (expr.args, expr.kwargs)
        else replace(expr, args=args, kwargs=kwargs)
    )


def _with_one_dtype(expr: Call) -> Call:
    kinds = [a.type.dtype if isinstance(a.type, Array) else None for a in expr.args]
    if None in kinds or len(set(kinds)) == 1:
        return expr
    dtype = np.result_type(*kinds)  # type: ignore[arg-type]
    ref = nodes.Ref(f"np.{dtype}", dtype.type)

    def converted(arg: Expr) -> Expr:
        if not isinstance(arg.type, Array) or arg.type.dtype == str(dtype):
            return arg
        kind = replace(arg.type, dtype=str(dtype))
        return Call("astype", "astype", (arg, ref), form="method", type=kind, span=arg.span)

    return replace(expr, args=tuple(map(converted, expr.args)))


NARROW = frozenset({"int8", "int16", "int32", "uint8", "uint16", "uint32"})


def _as_narrow(expr: Expr) -> Expr:
    """Integers of few bits, which Numba widens to 64 in every operation, as NumPy keeps them."""
    if not isinstance(expr, Call) or not isinstance(expr.type, Scalar | Array):
        return expr
    dtype = expr.type.dtype
    works = expr.form == "operator" or isinstance(expr.function, np.ufunc)
    if dtype not in NARROW or not works:
        return expr
    ref = nodes.Ref(f"np.{dtype}", np.dtype(dtype).type, type=Known(np.dtype(dtype).type))
    if isinstance(expr.type, Scalar):
        return Call(ref.value, ref.text, (expr,), type=expr.type, span=expr.span)
    return Call(np.astype, "astype", (expr, ref), form="method", type=expr.type, span=expr.span)


def _expression(expr: Expr) -> Expr:
    expr = with_weak_numbers(_as_narrow(_with_dtypes(expr)))
    own = own_algebra(expr) or zeros_perhaps(expr)
    if own is not None:
        return own
    match expr:
        case Call(function=np.ravel, args=(listed,), kwargs=()) if _is_list(listed):
            array = Call(np.array, "np.array", (listed,), type=expr.type, span=expr.span)
            return replace(expr, function=np.ravel, text="np.ravel", args=(array,), form="call")
        case nodes.Index(base=base, index=(Const(value=value),)) if value is ...:
            return base
        case Call(text="**", form="operator", args=(base, exponent)) if _is_float(base):
            whole = (number_of(exponent) or 0.5).is_integer()  # Numba compiles a function for it
            return simple_power(expr) if whole else expr
        case Call(form="method", text="copy", args=(only,)) if isinstance(only.type, List):
            return Call(list, "list", (only,), type=expr.type)  # what it holds stays the same
        case Call(form="method", text="copy", args=(only,)) if not isinstance(only.type, Array):
            from s2sgrad_runtime import copy_tree

            return (
                only
                if isinstance(only.type, Scalar)
                else Call(copy_tree, "copy_tree", (only,), type=expr.type)
            )
        case Call(text="squeeze" | "np.squeeze", args=(only, *_)) if isinstance(only.type, Scalar):
            return only
        case Call(form="method") if expr.kwargs or expr.text in _AS_FUNCTIONS:
            return _as_function(expr)
        case Call(form="method", text="ravel" | "flatten", args=(only,)) if isinstance(
            only.type, Scalar
        ):
            return replace(expr, function=np.ravel, text="np.ravel", form="call")
        case Call(form="call", function=np.reshape, args=(array, shape), kwargs=()):
            # Numba takes entries in the order of memory, and says that the result is in C order.
            if isinstance(array.type, Array | Number) and not _is_in_c_order(array):
                return replace(expr, args=(_in_c_order(array), shape))
        case Call(form="call", text="np.array" | "np.asarray") if _makes_copy(expr):
            return _copied(expr)
    return expr


def _is_float(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.dtype in ("float", "float64")


def _is_list(expr: Expr) -> bool:
    return isinstance(expr.type, List) or (
        isinstance(expr, nodes.Sequence) and expr.kind == "list" and bool(expr.items)
    )


_AS_FUNCTIONS = frozenset(
    {"mean", "max", "min", "sum", "prod", "var", "std", "cumsum", "cumprod", "dot", "any", "all",
     "trace", "diagonal", "take", "repeat", "clip", "argmax", "argmin", "argsort", "round",
     "squeeze", "swapaxes", "ptp", "nonzero", "searchsorted", "sort", "reshape"}
)  # fmt: skip


def _as_function(expr: Call) -> Call:
    """`a.mean(axis=0)` as `np.mean(a, axis=0)`: Numba's methods take fewer options."""
    if (
        not isinstance(expr.args[0].type, Array | Scalar)
        or not hasattr(np, expr.text)
        or expr.text in ("sort", "round")
    ):
        return expr
    function = getattr(np, expr.text)
    args, kwargs = expr.args, expr.kwargs
    if expr.text in ("reshape", "transpose"):
        if len(args) > 2:
            args = (args[0], nodes.Sequence("tuple", args[1:], type=args[1].type))
        args = (_in_c_order(args[0]), *args[1:])
    return replace(
        expr, function=function, text=f"np.{expr.text}", args=args, kwargs=kwargs, form="call"
    )


def _in_c_order(expr: Expr) -> Expr:
    return Call(np.ascontiguousarray, "np.ascontiguousarray", (expr,), type=expr.type)


def _is_in_c_order(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function is np.ascontiguousarray


def _makes_copy(expr: Call) -> bool:
    return len(expr.args) == 1 and not expr.kwargs and isinstance(expr.args[0].type, Array)


def _copied(expr: Call) -> Expr:
    if expr.text == "np.asarray":
        return expr
    return Call(np.copy, "copy", expr.args, form="method", type=expr.type, span=expr.span)


def unknown(expr: Expr) -> bool:
    """Whether Numba has no version of an operation."""
    if isinstance(expr, nodes.Index):
        return isinstance(expr.base.type, Array) and hard_index(expr.index)
    if not isinstance(expr, Call):
        return False
    if expr.form == "operator":
        return expr.text == "@" and not _small_product(expr)
    if of_module(expr):
        return True  # Numba's generator is another one, in another state
    if expr.form != "call" or isinstance(expr.function, str):
        return False
    return lacks(expr)


def hard_index(index: tuple[Expr, ...]) -> bool:
    """Numba takes one array of indices, of one axis."""
    arrays = [p.type for p in index if isinstance(p.type, Array) and p.type.shape != ()]
    lists = any(isinstance(p, nodes.Sequence) for p in index)
    return lists or len(arrays) > 1 or any(a.shape is None or len(a.shape) > 1 for a in arrays)


def _small_product(expr: Call) -> bool:
    """Numba multiplies vectors and matrices."""
    ranks = [
        len(a.type.shape)
        for a in expr.args
        if isinstance(a.type, Array) and a.type.shape is not None
    ]
    return all(r <= 2 for r in ranks)


__all__ = [
    "Var", "hard_index", "numba_forms", "turned_range", "unknown", "with_shapes_as_tuples",
]  # fmt: skip
