"""Floor 8: Jacobians inside of a function that is compiled itself, in blocks of one argument each.

A Jacobian by one float or float array, of one, is a loop over unit vectors. Others are blocks of
such ones: of a leaf of the result, by a leaf of an argument.
"""

from __future__ import annotations

import ast
import copy
import inspect
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.derivatives.inside import (
    Values,
    from_text,
    is_real,
    jvp_inside,
    kept,
    leaves,
    made_once,
    parts_of,
    type_of,
)
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.values import Dyn, Instance, Mapping, Sequence, Static, Value
from s2sgrad.ir.types import Array, Scalar, is_number

Way = tuple[str, ...]  # to a leaf: the texts of subscripts and attributes


def jacobian_called(
    made: Any, lowering: Any, args: Values, kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """`jacobian(f)(*args)` and its kin."""
    names = made.forward.binder.names
    bound = dict(zip(names, lowering._bound_values(made.forward, args, kwargs, node), strict=True))
    by = bound.get(made.forward.wrt[0]) if made.single else None
    if not isinstance(type_of(by), Array | Scalar):
        return _in_blocks(made, lowering, bound, node)
    found = _by_one(made, lowering, bound, node)
    return _in_blocks(made, lowering, bound, node) if found is None else found


def _by_one(made: Any, lowering: Any, bound: dict[str, Value], node: ast.AST) -> Value | None:
    """The Jacobian by one float or array; None where the result is neither."""
    kind, args = type_of(bound[made.forward.wrt[0]]), list(bound.values())
    if not (made.holomorphic or is_real(kind)):
        raise _refused(lowering, node)
    if isinstance(kind, Scalar):
        return _second(lowering, _entered(made.forward, lowering, bound, node, Static(1.0)))
    try:
        if made.mode == "reverse" and made.rows is not None and not made.holomorphic:
            return _second(lowering, _entered(made.rows, lowering, bound, node))
        pair = _entered(made.columns[0], lowering, bound, node)
    except UnsupportedError:
        result = lowering.call(
            Static(_called(made.function, made.forward.binder)),
            kept(lowering, args, node),
            {},
            node,
        )
        return _one_by_one(made, lowering, bound, node) if _is_one(result) else None
    columns: Any = _second(lowering, pair)
    if columns is None:
        return None
    y: Any = lowering.static_items(pair)[0]
    if not isinstance(y.type, Array | Scalar) or kind.shape is None:
        raise _refused(lowering, node)
    if isinstance(y.type, Scalar) or y.type.shape == ():
        return columns
    if not isinstance(columns.type, Array) or columns.type.shape is None:
        raise _refused(lowering, node)
    order = [*range(len(kind.shape), len(columns.type.shape)), *range(len(kind.shape))]
    axes = lowering.sequence([Static(i) for i in order])
    return lowering.call_numpy(np.transpose, [columns, axes], {}, node)  # type: ignore[no-any-return]


def _entered(
    target: Any, lowering: Any, bound: dict[str, Value], node: ast.AST, *further: Value
) -> Value:
    """Code with the parameters of the function, run for what they are bound to."""
    args: Values = []
    kwargs: dict[str, Value] = {}
    for name, parameter in target.binder.signature.parameters.items():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            args += lowering.static_items(bound[name]) or []
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            kwargs |= dict(lowering.contents(bound[name]).items)
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            kwargs[name] = bound[name]
        else:
            args.append(bound[name])
    return lowering.enter(target, args, kwargs, node, further)  # type: ignore[no-any-return]


def _result(made: Any, lowering: Any, args: Values, node: ast.AST) -> Value:
    """What the function gives."""
    called = made_once(
        lowering, "called", made.function, (), lambda f: _called(f, made.forward.binder)
    )
    return lowering.call(Static(called), args, {}, node)  # type: ignore[no-any-return]


def _is_one(value: Value | None) -> bool:
    """Whether a value is a number or an array, not a container of them."""
    return isinstance(value, Dyn) and is_number(value.type)


# --- of containers, and by several arguments ------------------------------------------------------
def _in_blocks(made: Any, lowering: Any, bound: dict[str, Value], node: ast.AST) -> Value:
    """For each leaf of the result, in its place, the blocks by the leaves of the arguments."""
    chosen = {name: bound[name] for name in made.forward.wrt if name in bound}
    args = kept(lowering, bound.values(), node)
    result = _result(made, lowering, args, node)
    if len(chosen) < len(made.forward.wrt) or not all(
        type_of(v) is not None and is_number(type_of(v))
        for tree in (result, *chosen.values())
        for _, v in leaves(lowering, tree)
    ):
        raise _refused(lowering, node)

    def block(y: Value, way: Way, x: Value, name: str, path: Way) -> Value:
        if not isinstance(y, Dyn):  # a constant
            of_array = isinstance(type_of(x), Array)
            return lowering.call_numpy(np.zeros_like, [x], {}, node) if of_array else Static(0.0)
        if made.single and not way and not path:  # it would be this one again
            raise _refused(lowering, node)
        wide = isinstance(type_of(y), Scalar) and isinstance(type_of(x), Array)
        mode = "reverse" if made.mode == "auto" and wide else made.mode

        def make(f: Any) -> Any:
            known: dict[str, Any] = {}
            place = f"place_{list(bound).index(name)}"
            moved = {name: _moved(lowering, bound[name], place, path, known)}
            inner = _called(f, made.forward.binder, moved, "".join(way), known)
            return type(made)(inner, 0, mode, None, "error", holomorphic=made.holomorphic)

        key = f"block {mode} {name}{path} {way}"
        inner = made_once(lowering, key, made.function, (), make)
        return lowering.call(Static(inner), [x, *args], {}, node)  # type: ignore[no-any-return]

    def row(y: Value, way: Way) -> Value:
        parts = [
            _mapped(lowering, tree, lambda x, path, name=name: block(y, way, x, name, path))
            for name, tree in chosen.items()
        ]
        return parts[0] if made.single else lowering.sequence(parts)  # type: ignore[no-any-return]

    return _mapped(lowering, result, row)


def _mapped(lowering: Any, value: Value, change: Any, way: Way = ()) -> Value:
    """The same containers with `change(leaf, way)` for each float leaf, None for others."""
    parts = parts_of(lowering, value)
    if parts is None:
        return change(value, way) if leaves(lowering, value) else Static(None)
    new = [_mapped(lowering, part, change, (*way, step)) for step, part in parts]
    contents = lowering.contents(value)
    if contents is None:
        return lowering.sequence(new)  # type: ignore[no-any-return]
    if isinstance(contents, Sequence):
        return lowering.new(replace(contents, items=tuple(new)))  # type: ignore[no-any-return]
    if isinstance(contents, Mapping):
        pairs = zip((key for key, _ in contents.items), new, strict=True)
        return lowering.new(Mapping(tuple(pairs)))  # type: ignore[no-any-return]
    pairs = zip((name for name, _ in contents.fields), new, strict=True)
    return lowering.new(Instance(contents.cls, tuple(pairs)))  # type: ignore[no-any-return]


def _moved(lowering: Any, value: Value, text: str, way: Way, known: dict[str, Any]) -> str:
    """An expression for a container, named `text`, with `leaf` in place of one of its leaves.

    known: what the expression finds by names of ours.
    """
    if not way:
        return "leaf"
    contents, given = lowering.contents(value), []
    for step, part in parts_of(lowering, value) or []:
        new = text + step
        given.append(_moved(lowering, part, new, way[1:], known) if step == way[0] else new)
    if isinstance(contents, Mapping):
        pairs = zip((key for key, _ in contents.items), given, strict=True)
        return "{" + ", ".join(f"{key!r}: {part}" for key, part in pairs) + "}"
    if isinstance(contents, Instance):
        made = f"of_class_{len(known)}"
        known[made] = _maker([name for name, _ in contents.fields])
        return f"{made}({', '.join([text, *given])})"
    if contents is not None and contents.made_by is not None:
        made = f"of_class_{len(known)}"
        known[made] = contents.made_by
        return f"{made}({', '.join(given)})"
    listed = contents is not None and contents.kind == "list"
    return f"[{', '.join(given)}]" if listed else f"({', '.join(given)},)"


def _maker(fields: list[str]) -> Any:
    """`def made(like, a, b, ...)`: an object of the same class with these fields."""
    lines = ["new = copy.copy(like)", *(f"new.{name} = {name}" for name in fields), "return new"]
    text = "\n ".join([f"def made({', '.join(['like', *fields])}):", *lines])
    return from_text(text, {"copy": copy})


def _called(
    function: Any, binder: Any, moved: dict[str, str] | None = None, way: str = "",
    known: dict[str, Any] | None = None,
) -> Any:  # fmt: skip
    """`def called(place_0, ...)`: the function, called with a value for each of its parameters.

    moved: with what in place of some, of a first argument `leaf`. way: to a part of the result.
    """
    given = []
    for i, (name, parameter) in enumerate(binder.signature.parameters.items()):
        before = {
            parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**",
            parameter.KEYWORD_ONLY: f"{name}=",
        }  # fmt: skip
        given.append(before.get(parameter.kind, "") + (moved or {}).get(name, f"place_{i}"))
    places = [*(["leaf"] if moved else []), *(f"place_{i}" for i in range(len(given)))]
    text = f"def called({', '.join(places)}):\n return function({', '.join(given)}){way}"
    return from_text(text, {"function": function, **(known or {})})


def _one_by_one(made: Any, lowering: Any, bound: dict[str, Value], node: ast.AST) -> Value:
    """A loop over unit vectors, for functions of which there is no such loop in generated code."""
    place = list(bound).index(made.forward.wrt[0])
    count = len(bound)

    def make(f: Any) -> Any:
        return _columns(f, count, place)

    columns = made_once(lowering, "columns", made.forward.function, (place,), make)
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
    return from_text(text, table)


def _entered_jvp(function: Any, args: Any, tangents: Any) -> Any:
    """`jvp`, for code that is compiled."""
    raise NotImplementedError


vars(_entered_jvp).update(__s2sgrad_transform__=True, __s2sgrad_inside__=jvp_inside)


def _second(lowering: Any, pair: Value) -> Value | None:
    """What stands beside the value; None where the value is a container."""
    y, beside = lowering.static_items(pair)
    return beside if _is_one(y) and isinstance(beside, Dyn | Static) else None


def _refused(lowering: Any, node: ast.AST) -> UnsupportedError:
    return lowering.refuse(  # type: ignore[no-any-return]
        "this Jacobian can't be differentiated, or used inside a function", node,
        "that goes for Jacobians by and of numbers, arrays, and containers of them whose make is "
        "known, real or holomorphic", "use jvp or vjp, column by column",
    )  # fmt: skip
