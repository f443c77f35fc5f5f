"""Floor 4: what is asked of objects that are places in lists of their fields: see linked.py."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Set
from typing import Any

from s2sgrad.frontend.base import Base, in_class
from s2sgrad.frontend.containers.class_attributes import is_slot
from s2sgrad.frontend.containers.row_types import has_order, holds_rows, kept_as
from s2sgrad.frontend.models.ordering import without_order
from s2sgrad.frontend.options import is_option
from s2sgrad.frontend.state import constant
from s2sgrad.frontend.values import Dyn, Heap, Mapping, Sequence, Static, Value, is_mixed
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    INT,
    STR,
    Array,
    Dict,
    Known,
    List,
    Maybe,
    Pick,
    Row,
    Scalar,
    Tuple,
    is_number,
)
from s2sgrad.rules.methods import OPERATORS


class RowQuestions(Base):
    """Classes, comparisons and tests of such objects."""

    linked: dict[type, tuple[str, ...]]
    made_of: dict[type, tuple[str, ...]]
    always_has: dict[type, Set[str]]

    def row_of(self, value: Value) -> Row | None:
        """The type of an object that is a place in lists, also where it may be None."""
        kind = value.type if isinstance(value, Dyn) else None
        kind = kind.item if isinstance(kind, Maybe) else kind
        return kind if isinstance(kind, Row) and not isinstance(kind, Pick) else None

    def row_class(self, value: Value) -> type | None:
        """The class of such an object, where it can be of one only."""
        kind = self.row_of(value)
        return next(iter(kind.classes)) if kind is not None and len(kind.classes) == 1 else None

    def opened(self, value: Value, fitting: Any = None) -> Value:
        """An object of several classes as one of several objects, each of one class."""
        raise NotImplementedError

    def python_class(self, value: Value) -> type | None:
        """The class of a value, where it is known."""
        if self.row_of(value) is not None:
            return self.row_class(value) if self.not_none(value) is value else None
        return super().python_class(value)  # type: ignore[misc]

    def on_type(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """type(node), of one of several classes too."""
        if len(args) == 1 and is_mixed(opened := self.opened(args[0])):
            return self.dispatch(opened, lambda v: self.on_type([v], {}, node), node)
        return super().on_type(args, kwargs, node)  # type: ignore[misc]

    def on_hasattr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """hasattr(node, name): what constructors set is there; other fields may not be yet."""
        kind, name = self.row_of(args[0]), self.constant_value(args[1])
        if kind is None or not isinstance(name, str):
            return super().on_hasattr(args, kwargs, node)  # type: ignore[misc, no-any-return]
        if self.not_none(args[0]) is args[0] and is_mixed(opened := self.opened(args[0])):
            return self.dispatch(opened, lambda v: self.on_hasattr([v, args[1]], {}, node), node)
        found = {
            (in_class(c, name) and not is_slot(c, name)) or name in self.made_of.get(c, ())
            for c in kind.classes
        }
        late = any(name in self.linked[c] for c in kind.classes) and found != {True}
        late = late or any(self.answers_late(c, name) for c in kind.classes)
        late = late or any(self._set_on_some_paths(c, name) for c in kind.classes)
        if len(found) > 1 or late or self.not_none(args[0]) is not args[0]:
            raise self.refuse(
                "hasattr of an object that is linked with others", node,
                "only a run knows whether it has the attribute",
                "set the attribute to None in __init__, and ask 'is None'",
            )  # fmt: skip
        return Static(found == {True})

    def _set_on_some_paths(self, cls: type, name: str) -> bool:
        """Whether some objects of a class may have been made without an attribute."""
        if in_class(cls, name) and not is_slot(cls, name):
            return False
        made = name in self.made_of.get(cls, ())
        none = name in self.builder.partly or name in self.names_from_class(cls)
        return made and (none or name not in self.always_has.get(cls, ()))

    def answers_late(self, cls: type, name: str) -> bool:
        """Whether only a run knows if an object has an attribute, or its `__getattr__` is asked."""
        return hasattr(cls, "__getattr__") and name not in self.made_of.get(cls, ())

    def refuse_late_magic(self, cls: type, name: str, node: ast.AST) -> None:
        """Refuse to read what an object is given late, where `__getattr__` answers before."""
        if self.answers_late(cls, name):
            raise self.refuse(
                f"the attribute '{name}' of an object with a '__getattr__'", node,
                "only a run knows whether it has been set", "set the attribute in __init__",
            )  # fmt: skip

    def isinstance_or_none(self, value: Value, classes: Any, node: ast.AST) -> Value | None:
        """isinstance of what is one of these objects, or None."""
        found = self.row_isinstance(value, classes, node)
        return super().isinstance_or_none(value, classes, node) if found is None else found  # type: ignore[misc]

    def row_isinstance(self, value: Value, classes: Any, node: ast.AST) -> Value | None:
        """isinstance of an object; None where its class is one and it is not None."""
        kind = self.row_of(value)
        if kind is None or not isinstance(classes, type | tuple):
            return None
        fitting = [c for c in self.linked if c in kind.classes and issubclass(c, classes)]
        maybe = isinstance(value, Dyn) and isinstance(value.type, Maybe)
        if maybe and isinstance(None, classes):
            raise self.refuse(
                "isinstance that asks for None too",
                node,
                "of a linked object generated code holds its place in lists, or None",
                "ask 'is None' first",
            )
        if not fitting:
            return Static(False)
        value = Dyn(self.named(value, "node", node))
        if len(fitting) == len(kind.classes):
            return self.compare("is not", value, Static(None), node)
        which = row_number("%", self.residual(self.not_none(value)), len(self.linked))
        tests = tuple(is_option(which, list(self.linked).index(c)) for c in fitting)
        test = tests[0] if len(tests) == 1 else _logical("or", tests)
        if maybe:
            there = self.residual(self.compare("is not", value, Static(None), node))
            test = _logical("and", (there, test))
        return Dyn(test)

    def refine_row(self, test: nodes.Expr, outcome: bool) -> bool:
        """What a test by `row_isinstance` tells; whether it is one."""
        tests = test.args if isinstance(test, nodes.Call) and test.function == "or" else (test,)
        found = [_tag(t) for t in tests]
        if None in found or len({pair[0] for pair in found if pair}) != 1:
            return False
        var = found[0][0]  # type: ignore[index]
        order = list(self.linked)
        asked = {order[pair[1]] for pair in found if pair}
        for key, held in self.state.vars.items():
            row = self.row_of(held)
            if row is None or not isinstance(held, Dyn) or not _is_var(held.expr, var):
                continue
            left = row.classes & asked if outcome else row.classes - asked
            kind: Any = Row(classes=frozenset(left))
            if not outcome and isinstance(held.type, Maybe):
                kind = Maybe(kind)
            if left:
                self.state.vars[key] = Dyn(dataclasses.replace(held.expr, type=kind))
        return True

    def compare_rows(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """A comparison of objects by their places; None for other values, and for None."""
        rows = [self.row_of(v) for v in (left, right)]
        if sign in ("in", "not in") and rows[0] is not None:
            self.check_identity(left, node)
            if self._holds_no_objects(right):  # places are numbers, objects are not
                return Static(sign == "not in")
            return None
        if sign in ("==", "!=") and rows.count(None) == 1:
            return self._beside_other(sign, left, right, node)
        if rows == [None, None] and sign in _ORDERS:
            return self._ordered_rows(sign, left, right, node)
        if None in rows or sign not in ("is", "is not", "==", "!="):
            return None
        if sign in ("==", "!="):
            self.check_identity(left, node)
        sign = {"is": "==", "is not": "!="}.get(sign, sign)
        args = (self.residual(left, node), self.residual(right, node))
        call = nodes.Call(OPERATORS[sign], sign, args, form="operator", type=BOOL)
        return Dyn(dataclasses.replace(call, span=self.span(node)))

    def _holds_no_objects(self, container: Value) -> bool:
        """Whether a list or array has numbers or texts for items, or a dict that is followed."""
        kind = container.type if isinstance(container, Dyn) else None
        held = self.contents(container)
        if isinstance(held, Mapping):
            return not any(isinstance(key, Heap) for key, _ in held.items)
        part = kind.item if isinstance(kind, List) else kind
        rows = isinstance(part, Row) and not isinstance(part, Pick)
        return part is not None and not rows and (is_number(part) or part == STR)

    def _beside_other(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """`node == 0`: places are numbers, the objects are not. None where a class answers."""
        row, other = (left, right) if self.row_of(left) is not None else (right, left)
        classes = self.row_of(row).classes  # type: ignore[union-attr]
        if any(getattr(c, "__eq__", None) is not object.__eq__ for c in classes):
            return None
        kind = other.type if isinstance(other, Dyn) else None
        if isinstance(kind, Array):
            self.refuse_rows([row], f"'{sign}' of an array and an object", node)
        if isinstance(kind, Maybe):
            raise self.refuse(
                f"'{sign}' of an object and what may be None or a number", node,
                "generated code tells objects apart by their place in lists, a number",
                "ask `is None` first, in an if around it",
            )  # fmt: skip
        known = kind is not None and is_number(kind)
        known = known or kind == STR or isinstance(kind, List | Tuple | Dict | Known)
        known = known or (isinstance(other, Static) and other.value is not None)
        known = known or isinstance(self.contents(other), Sequence | Mapping)
        return Static(sign == "!=") if known else None

    def _ordered_rows(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """`(cost, node) < (other, next)`, item by item; None for other values. Where all before is
        equal the objects' own `__lt__` is asked."""
        pair = [v.type if isinstance(v, Dyn) else None for v in (left, right)]
        items = [kind.items if isinstance(kind, Tuple) else () for kind in pair]
        if len(items[0]) != len(items[1]) or not any(map(holds_rows, items[0])):
            return None
        last = len(items[0]) - 1
        test: ast.expr = ast.Constant(True)
        self.set(self.frame, _REFUSED, Static(without_order))
        for k in reversed(range(last + 1)):
            names: list[ast.expr] = []
            for side, value in (("left", left), ("right", right)):
                kind = value.type.items[k]  # type: ignore[attr-defined]
                entry = nodes.Index(self.residual(value, node), (constant(k),), type=kind)
                self.set(self.frame, f"<{side}{k}>", Dyn(entry))
                names.append(ast.Name(f"<{side}{k}>", ast.Load()))
            order = _ORDERS[sign if k == last else sign[0]]()
            below: ast.expr = ast.Compare(names[0], [order], [names[1]])
            row = self.row_of(Dyn(entry))
            if row is not None and not any(map(has_order, row.classes)):
                below = ast.Call(ast.Name(_REFUSED, ast.Load()), names, [])
            if k == last:
                test = below
            else:
                same = ast.Compare(names[0], [ast.Eq()], [names[1]])
                differs = ast.UnaryOp(ast.Not(), same)
                test = ast.IfExp(differs, below, test)
        for part in ast.walk(test):
            ast.copy_location(part, node)
        return self.expr(test)

    def check_identity(self, value: Value, node: ast.AST) -> None:
        """Refuse what compares objects whose class says what is equal: places are compared."""
        kind = self.row_of(value)
        for cls in kind.classes if kind is not None else ():
            if getattr(cls, "__eq__", None) is not object.__eq__:
                raise self.refuse(
                    "looking for an object that is equal to another", node,
                    "generated code tells objects apart by their place in lists",
                    "compare what they hold, or give the class eq=False",
                )  # fmt: skip

    def refuse_rows(self, values: Iterable[Value | nodes.Expr], what: str, node: ast.AST) -> None:
        """Refuse objects of which only the place would arrive."""
        for value in values:
            if isinstance(value, Dyn | nodes.Expr) and holds_rows(value.type):
                whose, *why = kept_as(value.type)
                raise self.refuse(f"{what} of {whose}", node, *why)


_REFUSED = "<without order>"
_ORDERS: dict[str, type[ast.cmpop]] = {"<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}


def row_number(sign: str, left: nodes.Expr, right: int) -> nodes.Expr:
    """`left % right` of integers."""
    return nodes.Call(OPERATORS[sign], sign, (left, constant(right)), form="operator", type=INT)


def _logical(sign: str, tests: tuple[nodes.Expr, ...]) -> nodes.Expr:
    return nodes.Call(sign, sign, tests, form="operator", type=BOOL)


def _is_var(expr: nodes.Expr, name: str) -> bool:
    return isinstance(expr, nodes.Var) and expr.name == name


def _tag(test: nodes.Expr) -> tuple[str, int] | None:
    """The variable and the number in `node % 2 == 1`."""
    match test:
        case nodes.Call(
            function="==",
            args=(
                nodes.Call(text="%", args=(nodes.Var(name=name, type=Row()), _)),
                nodes.Const(value=int(number), type=Scalar()),
            ),
        ):
            return name, number
    return None
