"""Floor 4: arrays with named fields that a function makes, as an array for each field."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import effects, root
from s2sgrad.analysis.memory import view_or_copy
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.values import Dyn, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Known

_NUMBERS = "biufc"


class Fields:
    """The dtype of an array with named fields, as far as it tells their names."""

    PASSED_ON = ("dtype", "write the names of the fields where they are used")

    def __init__(self, names: Any) -> None:
        self.names = names


class Records:
    """An array of records: `p["pos"][i] += v` writes into the array of a field."""

    PASSED_ON = (
        "array with named fields",
        "pass its fields: p['pos'], p['mass']; p['pos'][np.argsort(p['mass'])] is in order",
    )

    def __init__(self, shape: Any, fields: Any) -> None:
        self.shape, self.fields = shape, fields
        self.dtype = Fields(tuple(fields))

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Any:
        return iter([Record(self.fields, k) for k in range(self.shape[0])])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.fields[key]
        if isinstance(key, int | np.integer) and len(self.shape) == 1:
            return Record(self.fields, key)
        parts = {name: field[key] for name, field in self.fields.items()}
        first = list(self.fields.values())[0]  # noqa: RUF015
        rank = np.ndim(first) - len(self.shape)
        part = first[key]
        return Records(np.shape(part)[: np.ndim(part) - rank], parts)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self.fields[key][...] = value
        elif isinstance(value, Records):
            for name, field in self.fields.items():
                field[key] = value.fields[name]
        elif isinstance(value, Record):
            for name, field in self.fields.items():
                field[key] = value.fields[name][value.place]
        elif isinstance(value, tuple):
            for field, part in zip(self.fields.values(), value):  # noqa: B905
                field[key] = part
        else:
            for field in self.fields.values():
                field[key] = value

    def copy(self) -> Any:
        """New arrays of the same numbers."""
        return Records(self.shape, {name: field.copy() for name, field in self.fields.items()})


class Record:
    """One entry of an array with named fields: it shows what is written there."""

    PASSED_ON = ("entry of an array with named fields", "pass its fields: p[i]['mass']")

    def __init__(self, fields: Any, place: Any) -> None:
        self.fields, self.place = fields, place

    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, int):
            return self.fields[list(self.fields)[name]][self.place]
        return self.fields[name][self.place]

    def __setitem__(self, name: Any, value: Any) -> None:
        if isinstance(name, int):
            name = list(self.fields)[name]
        self.fields[name][self.place] = value

    def __len__(self) -> int:
        return len(self.fields)


def zeros(shape: Any, dtype: Any = None, order: Any = "C") -> Any:
    """np.zeros with named fields."""
    own = shape if isinstance(shape, tuple) else (shape,)
    return Records(own, {name: np.zeros((*own, *more), kind) for name, kind, more in dtype})


def ones(shape: Any, dtype: Any = None, order: Any = "C") -> Any:
    """np.ones with named fields."""
    own = shape if isinstance(shape, tuple) else (shape,)
    return Records(own, {name: np.ones((*own, *more), kind) for name, kind, more in dtype})


MAKERS = {np.zeros: zeros, np.empty: zeros, np.ones: ones}


def with_named_fields(
    lowering: Any, function: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None
) -> Value | None:
    """What a call gives that makes an array with named fields, of numbers."""
    if not any(function is f for f in MAKERS):
        return None
    given = args[1] if len(args) > 1 else kwargs.get("dtype")
    kind = dtype_of(lowering, given)
    if kind is None or kind.names is None:
        return None
    parts = [kind[name] for name in kind.names]
    if any(p.base.kind not in _NUMBERS for p in parts):
        return None
    rows = [
        (Static(n), Static(p.base), lowering.sequence([Static(k) for k in p.shape], "tuple"))
        for n, p in zip(kind.names, parts, strict=True)
    ]
    fields = lowering.sequence([lowering.sequence(list(row), "tuple") for row in rows], "tuple")
    given_as = {"shape": args[0]} if args else {"shape": kwargs["shape"]}
    found = lowering.call(Static(MAKERS[function]), [], given_as | {"dtype": fields}, node)
    held = lowering.contents(lowering.contents(found).fields[1][1])
    exprs = [v.expr for _, v in held.items if isinstance(v, Dyn)]
    lowering.strided |= {e.name for e in exprs if isinstance(e, nodes.Var)}
    return found


def check_strided(body: nodes.Block, strided: set[str]) -> None:
    """Refuse what is a copy of a field, whose numbers lie apart, and would be a view here."""
    found = effects(body) if strided else None
    if found is None:
        return
    fields = {found.find(name) for name in strided}
    for stmt in nodes.walk_block(body):
        for part in (e for expr in nodes.expressions(stmt) for e in nodes.walk(expr)):
            if not (isinstance(part, nodes.Call) and view_or_copy(part)):
                continue
            name = root(part) or ""
            if found.find(name) in fields and found.is_written(name):
                raise UnsupportedError(
                    f"{part.text}() of an array's field",
                    part.span or stmt.span,
                    "it is a copy or a view, by how the numbers of the field lie in memory",
                    "copy it first, p['pos'].copy(), or keep the field in an array of its own",
                )


def dtype_of(lowering: Any, given: Value | None) -> Any:
    """The dtype that an argument says, as far as it is known while compiling."""
    if given is None:
        return None
    if isinstance(given, Dyn) and isinstance(given.type, Known):
        said = given.type.value
    else:
        said = _plain(lowering, given)
    if not isinstance(said, np.dtype | list):
        return None
    try:
        return np.dtype(said)
    except (TypeError, ValueError):
        return None


def _plain(lowering: Any, value: Value) -> Any:
    """A list of fields as Python has it; None in it for what is not known while compiling."""
    if isinstance(value, Static):
        return value.value
    contents = lowering.contents(value)
    if isinstance(contents, Sequence):
        parts = [_plain(lowering, v) for v in contents.items]
        return tuple(parts) if contents.kind == "tuple" else parts
    return lowering.constant_value(value)
