"""Floor 4: methods of the user's classes that Python calls by itself: `__abs__`, `__iadd__`."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import math
import operator
from collections.abc import Iterable
from enum import EnumType, Flag
from typing import Any

import numpy as np

from s2sgrad.frontend.base import MISSING
from s2sgrad.frontend.containers.object_keys import all_parts
from s2sgrad.frontend.containers.sparse import is_sparse
from s2sgrad.frontend.expressions.answering import METHODS, defines, has_declined
from s2sgrad.frontend.expressions.dates import Dates
from s2sgrad.frontend.models.named_fields import dtype_of
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Instance,
    Mapping,
    Sequence,
    Static,
    Value,
    is_mixed,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Bottom, Dict, List, Maybe, Opaque, Tuple
from s2sgrad.rules.declare import qualified_name
from s2sgrad.rules.methods import OPERATORS

CALLING = (abs, round, float, int, complex, divmod, math.floor, math.ceil, math.trunc)
IN_PLACE = {
    "+": "__iadd__", "-": "__isub__", "*": "__imul__", "/": "__itruediv__", "//": "__ifloordiv__",
    "%": "__imod__", "**": "__ipow__", "@": "__imatmul__", "|": "__ior__", "&": "__iand__",
    "^": "__ixor__", "<<": "__ilshift__", ">>": "__irshift__",
}  # fmt: skip
_SIGNS = {
    "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">=", "__eq__": "==", "__ne__": "!=",
}  # fmt: skip

_OF_DICTS = ("==", "!=", "in", "is", "is not")

OPERATOR_SIGNS: dict[Any, str] = {
    getattr(operator, name): sign for sign, name in METHODS.items() if sign not in ("in", "|", "&")
}
OPERATOR_SIGNS |= {operator.or_: "|", operator.and_: "&"}


class SpecialMethods(Dates):
    """Lowering of what Python hands on to an object's class."""

    def _as_arrays(
        self, function: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """A call of a function of NumPy, which asks objects for their arrays."""
        if qualified_name(function).split(".")[0] != "np":
            return None
        asked = self._asked_for_array(args[0]) if args else None
        once = function is np.array and len(args) == 1 and not kwargs
        if (
            asked is not None and once and "copy" in inspect.signature(asked).parameters
        ):  # it is not copied again
            method = self.attribute(args[0], "__array__", node)
            return self.call(method, [], {"copy": Static(True)}, node)
        arrays = [self._as_array(a, node) for a in args]
        changed = any(new is not a for new, a in zip(arrays, args, strict=True))
        return self.call(Static(function), arrays, kwargs, node) if changed else None

    def _as_array(self, value: Value, node: ast.AST) -> Value:
        """The array of an object that is asked for it, in a list or tuple too."""
        if self._asked_for_array(value):
            return self.call(self.attribute(value, "__array__", node), [], {}, node)
        items = self.static_items(value) if isinstance(self.contents(value), Sequence) else None
        if items is None or not any(map(self._asked_for_array, items)):
            return value
        return self.sequence([self._as_array(item, node) for item in items])

    def _asked_for_array(self, value: Value) -> Any:
        cls = self.class_of(value)
        own = ("__array_ufunc__", "__array_function__")
        asked = getattr(cls, "__array__", None)
        return (
            asked if inspect.isfunction(asked) and not any(hasattr(cls, n) for n in own) else None
        )

    def special_builtin(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """`abs(v)` where the class of `v` has `__abs__`; None where nothing of the kind holds."""
        if (text := self.text_builtin(target, args, node)) is not None:
            return text
        if args and is_mixed(opened := self.opened(args[0])):
            if not any(target is f for f in CALLING):
                return None
            function = Static(target)
            return self.dispatch(
                opened, lambda v: self.call(function, [v, *args[1:]], kwargs, node), node
            )
        if (made := self._as_arrays(target, args, kwargs, node)) is not None:
            return made
        cls = self.class_of(args[0]) if args else None
        if cls is None or not any(target is f for f in CALLING):
            return None
        name = f"__{target.__name__}__"
        if not inspect.isfunction(getattr(cls, name, None)):
            return None
        return self.call(self.attribute(args[0], name, node), args[1:], kwargs, node)

    def special_update(self, sign: str, old: Value, value: Value, node: ast.AST) -> Value | None:
        """`old += value` where the class of `old` has `__iadd__`, and so on; else None."""

        def run(one: Value) -> Value:
            made = self.special_update(sign, one, value, node)
            return self.binary(sign, one, value, node) if made is None else made

        if (made := self.by_class(old, run, node)) is not None:
            return made
        cls, name = self.class_of(old), IN_PLACE.get(sign, "")
        if cls is None or not hasattr(cls, name):
            return None
        made = self.call(self.attribute(old, name, node), [value], {}, node)
        return None if has_declined(made) else made

    # --- operators ---------------------------------------------------------------------------
    def special_operator(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """An operator of user classes, texts or lists; None for numbers."""
        joined = self.sparse_operator(sign, left, right, node)
        if joined is not None:
            return joined
        made = self.of_classes(sign, left, right, node) or self.of_dates(sign, left, right, node)
        if made is not None:
            return made
        if sign == "in" and isinstance(left, Static) and _has_members(right):
            return Static(left.value in right.value)  # type: ignore[attr-defined]
        if all(self._pure(v) for v in (left, right)) and sign in OPERATORS:
            a, b = self.constant_value(left), self.constant_value(right)
            if isinstance(a, str) or isinstance(b, str):
                return self.of_texts(sign, a, b, node)
        if any(map(self.is_dict, (left, right))) and sign not in _OF_DICTS:
            return self._merged_dicts(sign, left, right, node)
        if sign == "%" and self.is_text(left):
            left, right = self.texts_in(left, right, node)
            args = (self.residual(left), self.text_part(right, node))
            expr = nodes.Call("%", "%", args, form="operator", type=Opaque("str"))
            return Dyn(expr)
        self.check_text(sign, left, right, node)
        if sign == "+" and (self.is_text(left) or self.is_text(right)):
            args = (self.residual(left), self.residual(right))
            return Dyn(nodes.Call("+", "+", args, form="operator", type=Opaque("str")))
        return self._list_operator(sign, left, right, node)

    def is_dict(self, value: Value) -> bool:
        """Whether a value is a dict, taken apart or not."""
        held = isinstance(value, Dyn) and isinstance(value.type, Dict) and not value.type.made_by
        return held or isinstance(self.contents(value), Mapping)

    def _merged_dicts(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        """`left | right`: a new dict."""
        if sign != "|" or not all(map(self.is_dict, (left, right))):
            raise self.refuse(
                f"dicts have no operator {sign} for this",
                node,
                "Python raises an error here as well",
                "merge dicts with |, or compute with their items",
            )
        made = self.call(Static(dict), [left], {}, node)
        self.set(self.frame, "<merged>", made)  # generated code may build it from here on
        self.container_method(made, "update", [right], {}, node)
        merged: Value = self.state.vars.pop((self.frame.id, "<merged>"))
        return merged

    def by_sign(
        self, sign: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """`operator.mul(a, b)`: what `a * b` is, for objects too."""
        left, right = args
        compared = sign in ("<", "<=", ">", ">=", "==", "!=")
        return (self.compare if compared else self.binary)(sign, left, right, node)

    def class_of(self, value: Value) -> type | None:
        """The user's class of an object, whether taken apart or held by generated code."""
        contents = self.contents(value)
        if isinstance(contents, Instance):
            return contents.cls
        if isinstance(contents, Sequence | Mapping):
            return contents.made_by
        if (cls := self.row_class(value)) is not None:
            return cls
        kind = value.type if isinstance(value, Dyn) else None
        kind = kind.item if isinstance(kind, Maybe) else kind
        return kind.made_by if isinstance(kind, Dict | Tuple) else None

    def held_object(self, value: Value) -> Dyn | None:
        """An object that generated code holds as a record of its fields; None for all else.

        For what fails for None: a value that may be None counts as the object it is otherwise.
        """
        if not isinstance(value, Dyn):
            return None
        if self.row_of(value) is not None:
            return self.not_none(value)
        kind = value.type.item if isinstance(value.type, Maybe) else value.type
        if not isinstance(kind, Dict) or kind.made_by is None:
            return None
        return Dyn(dataclasses.replace(value.expr, type=kind))

    def check_held(self, sign: str, values: tuple[Value, ...], node: ast.AST) -> None:
        """Refuse a comparison that would be one of the records that stand for objects."""
        if sign in ("is", "is not") or any(v == Static(None) for v in values):
            return
        self.refuse_either(sign, values, node)
        if sign in ("in", "not in") and isinstance(values[1], Dyn) and self.is_dict(values[1]):
            self.without_objects(self.residual(values[0], node), values[1].type, node)
        if any(self.held_object(v) is not None and self.row_of(v) is None for v in values):
            raise self.refuse(
                f"'{sign}' of objects whose class does not define it", node,
                "generated code holds them by their fields, and can't tell two alike apart",
                "compare what tells them apart",
            )  # fmt: skip

    def refuse_either(self, asks: str, values: Iterable[Value], node: ast.AST) -> None:
        """Refuse a comparison of what is, or holds, a list on some paths and a tuple on others."""
        kinds = [part for v in values if isinstance(v, Dyn) for part in all_parts(v.type)]
        if any(isinstance(k, List) and k.either for k in kinds):
            raise self.refuse(
                f"'{asks}' of what is a list on some paths and a tuple on others", node,
                "generated code has a list for both, and a tuple equals no list",
                "make it a list on every path: list(a) == list(b)",
            )  # fmt: skip

    def special_unary(self, sign: str, value: Value, node: ast.AST) -> Value | None:
        """A unary operator of a user class; None for numbers."""
        cls = self.class_of(value)
        name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}.get(sign)
        if cls is not None and name and defines(cls, name):
            return self.call(self.attribute(value, name, node), [], {}, node)
        if sign == "-" and is_sparse(value):
            return self.sparse_operator("*", Static(-1.0), value, node)
        return None

    def _pure(self, value: Value) -> bool:
        return isinstance(value, Static)

    def record_compared(
        self, cls: type, name: str, one: Value, other: Value, node: ast.AST
    ) -> Value | None:
        """`a < b` as a dataclass does it, field by field; None where the user wrote the method."""
        code = getattr(getattr(cls, name), "__code__", None)
        if not dataclasses.is_dataclass(cls) or code is None or code.co_filename != "<string>":
            return None
        unknown = isinstance(other, Dyn) and isinstance(other.type, Bottom)  # of an empty list
        if self.class_of(other) is not cls and not unknown:
            return Static(NotImplemented)
        fields = [f.name for f in dataclasses.fields(cls) if f.compare]
        rows = [self.sequence([self.attribute(v, f, node) for f in fields]) for v in (one, other)]
        return self.compare(_SIGNS[name], rows[0], rows[1], node)

    def on_number_limits(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`np.finfo(float)`: known while compiling, as its argument is."""
        kind = self.constant_value(args[0])
        if kind is MISSING:
            raise self.refuse(
                "the limits of a dtype known only at run time",
                node,
                "the limits are constants of generated code",
                "name the dtype: np.finfo(np.float64)",
            )
        make = np.iinfo if np.issubdtype(np.dtype(kind), np.integer) else np.finfo
        return Static(make(kind))

    def on_dtype(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`np.dtype(int)`: known while compiling; integers have no derivative."""
        kind = self.constant_value(args[0])
        if isinstance(args[0], Heap):  # of fields
            kind = dtype_of(self, args[0]) or MISSING
        if not isinstance(kind, str | type | np.dtype | None):
            raise self.refuse(
                "a dtype known only at run time, or of records",
                node,
                "dtypes are constants of generated code",
                "name the dtype: np.dtype(np.float64)",
            )
        return Static(np.dtype(kind))


def _has_members(value: Value) -> bool:
    """Whether a value is a flag, or a class of an enumeration."""
    return isinstance(value, Static) and isinstance(value.value, Flag | EnumType)
