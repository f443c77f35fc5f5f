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
from s2sgrad.frontend.expressions.expressions import tuple_items
from s2sgrad.frontend.functions.lifted_texts import compiled
from s2sgrad.frontend.functions.lifting import Lifted
from s2sgrad.frontend.functions.ruled import written
from s2sgrad.frontend.source import Source, unwrap
from s2sgrad.frontend.values import Dyn, Mapping, Partial, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import Array, Dict, List, Number, Scalar, carries, is_number
from s2sgrad_runtime import copy_tree

Values = list[Value]
OPTIONS = frozenset({"jit", "parallel", "fastmath", "fallback"})


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
        given, dots = args[: -self.count], kept(lowering, args[-self.count :], node)
        return lowering.enter(self.forward, given, kwargs, node, tuple(dots))


def jvp_inside(lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`jvp(f, args, tangents)`."""
    given = dict(zip(("function", "args", "tangents"), args, strict=False)) | kwargs
    values = lowering.static_items(given.pop("args", Static(None)))
    dots = lowering.static_items(given.pop("tangents", Static(None)))
    function = given.pop("function", Static(None))
    if values is None or dots is None or len(values) != len(dots):
        raise lowering.refuse(
            "jvp takes tuples of arguments and tangents here",
            node,
            "how many there are has to be known while compiling",
            "pass tuples of the same length: jvp(f, (x, y), (x_dot, y_dot))",
        )
    _without_options(lowering, "jvp", given, node)
    wrt = tuple(i for i, t in enumerate(dots) if not (isinstance(t, Static) and t.value is None))
    lifted = lowering.derivable(function, node, len(values))
    forward = made_once(
        lowering, "jvp", lifted.function, wrt, lambda f: Forward(f, wrt, fallback="error")
    )
    values = kept(lowering, values, node)
    pushed = tuple(kept(lowering, [dots[i] for i in wrt], node))
    return lowering.enter(forward, values, lifted.further, node, pushed)


def linearize_inside(lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`linearize(f, *args)`."""
    function, *values = args
    function = _with_keywords(function, kwargs)
    lifted = lowering.derivable(function, node, len(values))
    wrt = tuple(range(len(values)))
    push = made_once(lowering, "linearize", lifted.function, wrt, lambda f: Pushing(f, len(wrt)))
    result = _value(lowering, lifted, values, node)
    given = kept(lowering, [*values, *lifted.further.values()], node)
    return lowering.sequence([result, Partial(Static(push), tuple(given), ())])


def vjp_inside(lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`vjp(f, *args)`: the pullback is the gradient of the value by y_bar, summed."""
    function, *values = args
    aux = kwargs.get("has_aux", Static(False)) == Static(True)
    function = _with_keywords(function, {k: v for k, v in kwargs.items() if k != "has_aux"})
    lifted = lowering.derivable(function, node, len(values))
    result = _value(lowering, lifted, values, node)
    found = (lowering.static_items(result) or []) if aux else [result]
    parts = leaves(lowering, found[0]) if len(found) == 1 + aux else []
    wrt = tuple(i for i, value in enumerate(values) if leaves(lowering, value))
    if any(isinstance(type_of(part), List | Dict) for _, part in parts):
        raise lowering.refuse(
            "a list or dict that grows is the result of a function under vjp, inside another",
            node,
            "its pullback is the gradient of a sum of parts, which are counted while compiling",
            "make the list an array: return np.stack(items); vjp outside takes lists as they are",
        )
    if not parts or not wrt or not all(is_number(type_of(part)) for _, part in parts):
        raise lowering.refuse(
            "this pullback can't be taken apart here",
            node,
            "inside of a function vjp takes floats, arrays and containers of them, and gives them",
            "return floats, arrays, or containers of them from the function",
        )
    real = all(is_real(type_of(part)) for _, part in parts)
    weighted = _weighted([path for path, _ in parts], aux, real)
    count = len(values) + len(lifted.further)

    def make(f: Any) -> Any:
        gradient = Derivative(_summed(f, count, weighted), wrt, value=False)
        return (
            gradient if len(wrt) == len(values) else _with_gaps(gradient, wrt, len(values), count)
        )

    pull = made_once(lowering, f"vjp {weighted}", lifted.function, wrt, make)
    given = kept(lowering, [*values, *lifted.further.values()], node)
    pullback = Partial(Static(pull), tuple(given), ())
    return lowering.sequence([found[0], pullback, *found[1:]])


def _with_keywords(function: Value, kwargs: dict[str, Value]) -> Value:
    """The function with its own keyword arguments; what else there is are options."""
    own = tuple((key, value) for key, value in kwargs.items() if key not in OPTIONS)
    return Partial(function, (), own) if own else function


def _weighted(parts: list[str], aux: bool, real: bool) -> list[str]:
    """The statements that add up y_bar times y."""
    times = "np.sum({0} * {1})" if real else "np.sum(np.real(np.conj({0}) * {1}))"
    value = "y[0]" if aux else "y"
    if parts == [""]:
        return ["return " + times.format("y_bar", value)]
    terms = [times.format(f"y_bar{path}", value + path) for path in parts]
    lines = [
        f"total = total + (0.0 if y_bar{path} is None else {term})"
        for path, term in zip(parts, terms, strict=True)
    ]
    return ["total = 0.0", *lines, "return total"]


def _with_gaps(gradient: Any, wrt: tuple[int, ...], length: int, count: int) -> Any:
    """`def pull(place_0, ..., y_bar)`: None for arguments that hold no floats."""
    given = ", ".join(f"place_{i}" for i in range(count))
    parts = [f"found[{wrt.index(i)}]" if i in wrt else "None" for i in range(length)]
    text = (
        f"def pull({given}, y_bar):\n found = gradient({given}, y_bar)\n return {', '.join(parts)},"
    )
    return from_text(text, {"gradient": gradient})


def hessian_product_called(
    made: Any, lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """`hvp(f)(*args, v)`."""
    if not args:
        raise lowering.refuse(
            "hvp takes v last, by position",
            node,
            "what stands last is the vector of the product",
            "call it by position: hvp(f)(x, v)",
        )
    *values, v = args
    parts = (v,) if made.single else tuple(lowering.static_items(v) or ())
    dots = tuple(kept(lowering, parts, node))
    return lowering.enter(made.forward, values, kwargs, node, dots)


def not_inside(what: str, fix: str) -> Callable[[Any, Values, dict[str, Value], ast.AST], Value]:
    """What is called for a transform that has no meaning inside of a function: a refusal."""

    def refused(lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST) -> Value:
        why = "derivatives do not go through it, and compiled code can't hold it"
        raise lowering.refuse(f"{what} inside a function", node, why, fix)

    return refused


def _without_options(lowering: Any, name: str, given: dict[str, Value], node: ast.AST) -> None:
    options = set(given) - OPTIONS
    if options:
        raise lowering.refuse(
            f"{name} with {min(options)} inside a function",
            node,
            "what is called inside a function becomes part of its code, which has no such option",
            "leave the option out here",
        )


def made_once(
    lowering: Any, name: str, function: Any, wrt: tuple[int, ...], make: Callable[[Any], Any]
) -> Any:
    """What is made of a function, once for all attempts at lowering."""

    def build() -> tuple[Any, Any]:
        return function, make(written(unwrap(function)))  # the function keeps its id

    return lowering.kept_product((name, id(function), wrt), build)[1]


def _value(lowering: Any, lifted: Lifted, values: Values, node: ast.AST) -> Value:
    """What a function gives, as an array of its own; its arguments and the objects that it reads
    stay as they are."""
    further = dict(zip(lifted.further, kept(lowering, lifted.further.values(), node), strict=True))
    found = lowering.call(Static(lifted.function), kept(lowering, values, node), further, node)
    return kept(lowering, [found], node)[0]


def kept(lowering: Any, values: Iterable[Value], node: ast.AST) -> Values:
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


def leaves(lowering: Any, value: Value, path: str = "") -> list[tuple[str, Value]]:
    """The floats and float arrays that a value is or holds, and the text of the way to each."""
    parts = parts_of(lowering, value)
    if parts is None:
        return [(path, value)] if _has_floats(value) else []
    return [leaf for step, part in parts for leaf in leaves(lowering, part, path + step)]


def parts_of(lowering: Any, value: Value) -> list[tuple[str, Value]] | None:
    """What a container holds, by the text that reads it; None for other values."""
    contents = lowering.contents(value)
    if contents is None:  # the results of np.linalg.eigh are a tuple, or it is no container
        items = tuple_items(value)
        return None if items is None else [(f"[{i}]", part) for i, part in enumerate(items)]
    if isinstance(contents, Sequence):
        return [(f"[{i}]", part) for i, part in enumerate(contents.items)]
    if isinstance(contents, Mapping):
        return [(f"[{key!r}]", part) for key, part in contents.items]
    return [(f".{name}", part) for name, part in contents.fields]


def _has_floats(value: Value) -> bool:
    if isinstance(value, Static):
        return isinstance(value.value, float | np.floating)
    return isinstance(value, Dyn) and carries(value.type)


def type_of(value: Value | None) -> Any:
    """The type of what the code computes, or of a known float; None for other values."""
    if isinstance(value, Dyn):
        return value.type
    known = isinstance(value, Static) and isinstance(value.value, float)
    return Scalar("float") if known else None


def is_real(kind: Any) -> bool:
    """Whether a number has a dtype that is known and not complex."""
    dtype = getattr(kind, "dtype", None)
    return dtype is not None and not is_complex_dtype(dtype)


def _summed(function: Any, count: int, weighted: list[str]) -> Any:
    """`def pulled_back(place_0, ..., y_bar)`: a real number with the pullback as gradient. The
    names are none of the user's."""
    given = ", ".join(f"place_{i}" for i in range(count))
    lines = [f"def pulled_back({given}, y_bar):", f"y = function({given})", *weighted]
    text = "\n ".join(lines)
    return from_text(text, {"function": function})


def from_text(text: str, known: dict[str, Any]) -> Any:
    """The function of a text. known: what it finds by names besides np."""
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    source = Source(node, "<a derivative>", node.name, {}, {}, 0)
    return compiled(node, known, {"__name__": __name__, "np": np}, source)
