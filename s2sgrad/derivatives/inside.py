"""Floor 8: what derivatives are inside a function that is compiled itself: their code is entered.

The functions here are given the lowering, and values in place of arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from s2sgrad.derivatives.forward import Forward
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.functions.lifted_texts import compiled
from s2sgrad.frontend.functions.ruled import written
from s2sgrad.frontend.source import Source, unwrap
from s2sgrad.frontend.values import Dyn, Partial, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Number, Scalar, carries, is_complex_dtype
from s2sgrad_runtime import copy_tree

Values = list[Value]


class Pushing:
    """What `linearize` gives, inside: takes the arguments, then their tangents."""

    def __init__(self, function: Any, count: int) -> None:
        self.forward = Forward(function, tuple(range(count)), fallback="error", only_dot=True)
        self.count = count

    def __call__(self, *args: Any) -> Any:
        """It is never called, but is no function without this."""
        raise NotImplementedError

    def __s2sgrad_called__(
        self, lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        given, dots = args[: -self.count], _kept(lowering, args[-self.count :], node)
        return lowering.enter(self.forward, given, kwargs, node, tuple(dots))


def jvp_inside(lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`jvp(f, args, tangents)`."""
    given = dict(zip(("function", "args", "tangents"), args, strict=False)) | kwargs
    values = lowering.static_items(given.pop("args", Static(None)))
    dots = lowering.static_items(given.pop("tangents", Static(None)))
    function = given.pop("function", Static(None))
    if values is None or dots is None or len(values) != len(dots):
        raise lowering.refuse("jvp takes tuples of arguments and tangents here", node)
    _without_options(lowering, "jvp", given, node)
    wrt = tuple(i for i, t in enumerate(dots) if not (isinstance(t, Static) and t.value is None))
    lifted = lowering.derivable(function, node, len(values))
    forward = _made(
        lowering, "jvp", lifted.function, wrt, lambda f: Forward(f, wrt, fallback="error")
    )
    values = _kept(lowering, values, node)
    pushed = tuple(_kept(lowering, [dots[i] for i in wrt], node))
    return lowering.enter(forward, values, lifted.further, node, pushed)


def linearize_inside(lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`linearize(f, *args)`."""
    function, *values = args
    _without_options(lowering, "linearize", kwargs, node)
    lifted = lowering.derivable(function, node, len(values))
    wrt = tuple(range(len(values)))
    push = _made(lowering, "linearize", lifted.function, wrt, lambda f: Pushing(f, len(wrt)))
    result = _value(lowering, function, values, node)
    given = _kept(lowering, [*values, *lifted.further.values()], node)
    return lowering.sequence([result, Partial(Static(push), tuple(given), ())])


def vjp_inside(lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`vjp(f, *args)`: the pullback is the gradient of the value by y_bar, summed."""
    function, *values = args
    _without_options(lowering, "vjp", kwargs, node)
    lifted = lowering.derivable(function, node, len(values))
    result = _value(lowering, function, values, node)
    kind = result.type if isinstance(result, Dyn) else None
    if not isinstance(kind, Array | Scalar | Number) or not all(map(_has_floats, values)):
        raise lowering.refuse(
            "this pullback can't be taken apart here", node,
            "inside of a function vjp takes arrays and floats, and gives one of them",
        )  # fmt: skip
    wrt, count = tuple(range(len(values))), len(values) + len(lifted.further)
    weighted = "y_bar * y" if _is_real(kind) else "np.real(np.conj(y_bar) * y)"

    def make(f: Any) -> Derivative:
        return Derivative(_summed(f, count, weighted), wrt, value=False)

    pull = _made(lowering, f"vjp {weighted}", lifted.function, wrt, make)
    given = _kept(lowering, [*values, *lifted.further.values()], node)
    return lowering.sequence([result, Partial(Static(pull), tuple(given), ())])


def hessian_product_called(
    made: Any, lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """`hvp(f)(*args, v)`."""
    if not args:
        raise lowering.refuse("hvp takes v last, by position", node)
    *values, v = args
    parts = (v,) if made.single else tuple(lowering.static_items(v) or ())
    dots = tuple(_kept(lowering, parts, node))
    return lowering.enter(made.forward, values, kwargs, node, dots)


def jacobian_called(
    made: Any, lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """`jacobian(f)(*args)` and its kin, by one float or float array, of one."""
    names = made.forward.binder.names
    bound = dict(zip(names, lowering._bound_values(made.forward, args, kwargs, node), strict=True))
    by = bound.get(made.forward.wrt[0]) if made.single else None
    kind: Any = by.type if isinstance(by, Dyn) else _float_type(by)
    if made.holomorphic or not isinstance(kind, Array | Scalar) or not _is_real(kind):
        raise _refused(lowering, node)
    if isinstance(kind, Scalar):
        pair = lowering.enter(made.forward, args, kwargs, node, (Static(1.0),))
        return _second(lowering, pair, node)
    try:
        if made.mode == "reverse" and made.rows is not None:
            return _second(lowering, lowering.enter(made.rows, args, kwargs, node), node)
        pair = lowering.enter(made.columns[0], args, kwargs, node)
    except UnsupportedError:
        return _one_by_one(made, lowering, bound, node)
    y, columns = lowering.static_items(pair)
    if (
        not isinstance(y, Dyn)
        or not isinstance(y.type, Array | Scalar)
        or kind.shape is None
        or not isinstance(columns.type, Array)
    ):
        raise _refused(lowering, node)
    if isinstance(y.type, Scalar) or y.type.shape == ():
        return columns
    if columns.type.shape is None:
        raise _refused(lowering, node)
    order = [*range(len(kind.shape), len(columns.type.shape)), *range(len(kind.shape))]
    axes = lowering.sequence([Static(i) for i in order])
    return lowering.call_numpy(np.transpose, [columns, axes], {}, node)


def _one_by_one(made: Any, lowering: Any, bound: dict[str, Value], node: ast.AST) -> Value:
    """A loop over unit vectors, for functions of which there is no such loop in generated code."""
    place = list(bound).index(made.forward.wrt[0])
    count = len(bound)

    def make(f: Any) -> Any:
        return _columns(f, count, place)

    columns = _made(lowering, "columns", made.forward.function, (place,), make)
    return lowering.call(Static(columns), list(bound.values()), {}, node)


def _columns(function: Any, count: int, place: int) -> Any:
    """`def columns(x, ...)`: the Jacobian by one argument, column by column."""
    names = [f"place_{i}" for i in range(count)]
    dots = ", ".join("unit" if i == place else "None" for i in range(count))
    given = ", ".join(names)
    text = f"""def columns({given}):
    found = []
    for entry in range(np.size({names[place]})):
        unit = np.zeros_like({names[place]})
        unit.reshape(-1)[entry] = 1.0
        y, column = jvp(function, ({given},), ({dots},))
        found.append(column)
    return np.reshape(np.stack(found, axis=-1), np.shape(y) + np.shape(unit))
"""
    table = {"jvp": _entered_jvp, "function": function}
    return _from_text(text, table)


def _entered_jvp(function: Any, args: Any, tangents: Any) -> Any:
    """`jvp`, for code that is compiled."""
    raise NotImplementedError


vars(_entered_jvp).update(__s2sgrad_transform__=True, __s2sgrad_inside__=jvp_inside)


def _second(lowering: Any, pair: Value, node: ast.AST) -> Value:
    items = lowering.static_items(pair)
    if items is None or not isinstance(items[1], Dyn | Static):
        raise _refused(lowering, node)
    return items[1]


def _refused(lowering: Any, node: ast.AST) -> UnsupportedError:
    return lowering.refuse(
        "this Jacobian can't be differentiated, or used inside a function", node,
        "that goes for Jacobians by one real float or array, of one",
        "use jvp or vjp, column by column",
    )  # fmt: skip


def _without_options(lowering: Any, name: str, given: dict[str, Value], node: ast.AST) -> None:
    options = set(given) - {"jit", "parallel", "fastmath", "fallback"}
    if options:
        raise lowering.refuse(f"{name} with {min(options)} inside a function", node)


def _made(
    lowering: Any, name: str, function: Any, wrt: tuple[int, ...], make: Callable[[Any], Any]
) -> Any:
    def build() -> tuple[Any, Any]:
        return function, make(written(unwrap(function)))  # the function keeps its id

    return lowering.kept_product((name, id(function), wrt), build)[1]


def _value(lowering: Any, function: Value, values: Values, node: ast.AST) -> Value:
    """What a function gives, which leaves its arguments as they are, as an array of its own."""
    found = lowering.call(function, _kept(lowering, values, node), {}, node)
    return _kept(lowering, [found], node)[0]


def _kept(lowering: Any, values: Iterable[Value], node: ast.AST) -> Values:
    """The values as they are now, whatever is written into them later.

    Copies of arrays that stay as they are do not come into the code.
    """
    return [_copied(lowering, v, node) for v in values]


def _copied(lowering: Any, value: Value, node: ast.AST) -> Value:
    if not isinstance(value, Dyn) or not isinstance(value.type, Array | Number):
        return lowering.on_deepcopy([value], {}, node)  # type: ignore[no-any-return]
    expr = lowering.named(value, "kept", node)
    call = nodes.Call(copy_tree, "copy_tree", (expr,), type=value.type)
    return Dyn(lowering.builder.bind("kept", call))


def _has_floats(value: Value) -> bool:
    if isinstance(value, Static):
        return isinstance(value.value, float | np.floating)
    return isinstance(value, Dyn) and carries(value.type)


def _float_type(value: Value | None) -> Scalar | None:
    known = isinstance(value, Static) and isinstance(value.value, float)
    return Scalar("float") if known else None


def _is_real(kind: Any) -> bool:
    dtype = getattr(kind, "dtype", None)
    return dtype is not None and not is_complex_dtype(dtype)


def _summed(function: Any, count: int, weighted: str) -> Any:
    """`def pulled_back(place_0, ..., y_bar)`: a real number with the pullback as gradient. The
    names are none of the user's."""
    given = ", ".join(f"place_{i}" for i in range(count))
    text = f"def pulled_back({given}, y_bar):\n y = function({given})\n return np.sum({weighted})"
    return _from_text(text, {"function": function})


def _from_text(text: str, known: dict[str, Any]) -> Any:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    source = Source(node, "<a derivative>", node.name, {}, {}, 0)
    return compiled(node, known, {"__name__": __name__, "np": np}, source)
