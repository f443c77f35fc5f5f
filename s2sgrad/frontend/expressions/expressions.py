"""Floor 4: lower expressions: names, operators, displays, subscripts."""

from __future__ import annotations

import ast
import builtins
import operator
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from s2sgrad.analysis.unbound import unbound_error
from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.models.sets import FrozenSet
from s2sgrad.frontend.state import BOUND, Frame, Local, Unbound
from s2sgrad.frontend.values import (
    Dyn,
    Instance,
    Mapping,
    Method,
    Static,
    Value,
    is_array,
    is_mixed,
)
from s2sgrad.frontend.waiting import in_turn
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    BOTTOM,
    INT,
    UNKNOWN,
    Bottom,
    Dict,
    Known,
    List,
    Maybe,
    Opaque,
    Scalar,
    Truth,
    Tuple,
    unfolded,
)
from s2sgrad.rules.methods import OPERATORS, UNARY_OPERATORS

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_QUESTIONS = ast.Compare | ast.Call | ast.Attribute
_FOLDED: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
}
UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}


def _is_class(value: Any) -> bool:
    """Whether `isinstance` takes it."""
    return isinstance(value, type | types.UnionType)


def _may_be_held(value: Value) -> bool:
    """Whether a value is None or a container, whose operators None has none of."""
    kind = value.type if isinstance(value, Dyn) else None
    return isinstance(kind, Maybe) and isinstance(kind.item, List | Tuple | Dict)


def is_own_truth(value: Value) -> bool:
    """Whether a value is True or False, of Python's own."""
    if isinstance(value, Dyn):
        kind = value.type
        return isinstance(kind, Scalar) and kind.dtype == "bool" and not isinstance(kind, Truth)
    return isinstance(value, Static) and isinstance(value.value, bool)


class Expressions(Base):
    """Lowering of expressions."""

    def expr(self, node: ast.expr) -> Value:
        """The value of an expression."""
        method = getattr(self, f"expr_{type(node).__name__}", None)
        if method is None:
            what = type(node).__name__.lower()
            raise self.refuse(
                f"this expression ({what}) can't be differentiated",
                node,
                "generated code has nothing that stands for it",
                "compute it in a function that is called with s2sgrad.opaque, if no "
                "derivative goes through it",
            )
        value = self.made(self.current(method(node)), node)
        if isinstance(value, Static) and self.builder.doubted:
            self._read_asked(node)
        if isinstance(value, Dyn) and isinstance(value.type, Opaque) and value.type.objects:
            self._refuse_mixed(node)
        return value

    def _refuse_mixed(self, node: ast.expr) -> None:
        self.write_objects_out()  # which it is may be known then
        if any(loop not in self.unroll for loop in self.of_objects):
            return  # it will be, at the end of the loop around this
        raise self.refuse(
            "a value that is an object or a set on some paths, and of another kind on others", node,
            "generated code holds objects by their fields, and can't tell which it has",
            "give each kind a name of its own",
        )  # fmt: skip

    def _read_asked(self, node: ast.expr) -> None:
        """Read what a question names to which the answer is known (`b is None` of a number): it
        may have no value, and then there is no answer."""
        asked = ast.iter_child_nodes(node) if isinstance(node, _QUESTIONS) else ()
        for part in asked:
            if isinstance(part, ast.Name) and part.id in self.builder.doubted:
                held = self.get(self.frame, part.id)
                if isinstance(held, Dyn) and isinstance(held.expr, nodes.Var):
                    self.builder.emit(nodes.Do(held.expr, span=self.span(node)))

    def expr_Constant(self, node: ast.Constant) -> Value:
        return Static(node.value)

    # --- names -------------------------------------------------------------------------------
    def expr_Name(self, node: ast.Name) -> Value:
        found = self.lookup(self.frame, node.id, node)
        if found is None:
            raise Unbound(
                f"name '{node.id}' is not defined here", self.span(node),
                "it is bound on no path to this place",
            )  # fmt: skip
        return found

    def _ask(self, scope: Frame, name: str) -> None:
        """Raise what Python raises where a run has not given a name its value."""
        flag = self.state.vars.pop((scope.id, f"<{name}{BOUND}"), None)
        if isinstance(flag, Dyn):
            self.builder.emit(unbound_error(flag.expr, name))

    def lookup(self, frame: Frame, name: str, node: ast.AST) -> Value | None:
        """A name's value: local, enclosing, closure cell, global or builtin, in that order."""
        scope: Frame | None = frame
        while scope is not None:
            if (value := self.get(scope, name)) is not None:
                if name in self.builder.doubted:
                    self._ask(scope, name)
                return value
            if name in scope.local_names:
                return None
            if name in scope.cells:
                try:
                    held = scope.cells[name].cell_contents
                except ValueError:
                    return None
                if isinstance(held, Local):  # of a class that this function defines
                    return self.lookup(held.frame, held.name, node)
                return self.outside(name, held, ("cell", scope.cells[name]))
            if scope.parent is None:
                break
            scope = scope.parent
        table = scope.globals if scope is not None else {}
        if name in table:
            return self.outside(name, table[name], ("global", table))
        if hasattr(builtins, name):
            return Static(getattr(builtins, name), name)
        return None

    def expr_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.kept_iterator(node.target.id, node.value, self.expr(node.value))
        statement = ast.copy_location(ast.Assign([node.target], node.value), node)
        self.assign(node.target, value, statement)
        return self.expr(ast.copy_location(ast.Name(node.target.id, ast.Load()), node))

    # --- order of evaluation -----------------------------------------------------------------
    def in_order(self, elements: list[ast.expr]) -> list[Value]:
        """The values of several expressions; one that changes something in place comes after
        those before it have been computed."""
        makers = [partial(self._alone, element) for element in elements]
        return [value for (value,) in in_turn(makers, self)]

    def _alone(self, element: ast.expr) -> list[Value]:
        return [self.expr(element)]

    # --- operators ---------------------------------------------------------------------------
    def expr_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.in_order([node.left, node.right])
        return self.binary(BINARY[type(node.op)], left, right, node)

    def binary(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        """The value of a binary operator."""
        if sign == "|" and all(isinstance(v, Static) and _is_class(v.value) for v in (left, right)):
            return Static(left.value | right.value)  # type: ignore[attr-defined]
        left, right = (self.not_none(v) if _may_be_held(v) else v for v in (left, right))
        left, right = self.as_sets(sign, self.opened(left), self.opened(right), node)
        if is_mixed(left) or is_mixed(right):
            return self.binary_mixed(sign, left, right, node)
        special = self.folded(sign, left, right) or self.special_operator(sign, left, right, node)
        if special is not None:
            return special
        for one, other in ((left, right), (right, left)):  # an entry of an empty dict, an object
            empty = isinstance(one, Dyn) and isinstance(one.type, Bottom)
            if empty and isinstance(self.contents(other), Instance):
                return one
        if sign not in ("&", "|", "^"):
            left, right = self.as_integers(left, right)
        return self.apply(OPERATORS[sign], sign, [left, right], form="operator", node=node)

    def as_integers(self, *values: Value) -> tuple[Value, ...]:
        """Truth values of Python's as the integers that they are to its operators.

        What holds them when the code runs may be NumPy's, whose sums are truth values again.
        """
        if not all(map(is_own_truth, values)):
            return values
        exprs = map(self.residual, values)
        return tuple(Dyn(nodes.Call(int, "int", (e,), type=INT)) for e in exprs)

    def expr_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.negated(self.test(node.operand), node)
        value, sign = self.expr(node.operand), UNARY[type(node.op)]
        if isinstance(value, Static) and isinstance(value.value, int | float | complex):
            return Static(_FOLDED[sign](value.value))
        return self._unary(sign, value, node)

    def _unary(self, sign: str, value: Value, node: ast.AST) -> Value:
        made = self.by_class(value, lambda v: self._unary(sign, v, node), node)
        made = self.special_unary(sign, value, node) if made is None else made
        if made is not None:
            return made
        (value,) = self.as_integers(value)
        return self.apply(UNARY_OPERATORS[sign], sign, [value], form="operator", node=node)

    def negated(self, value: Value, node: ast.AST) -> Value:
        """`not value`."""
        known = self.truth(value)
        if known is not None:
            return Static(not known)
        args = (self.residual(value, node),)
        return Dyn(nodes.Call("not", "not", args, form="operator", type=BOOL))

    def constant_value(self, value: Value) -> Any:
        """The Python object a value is known to be, or a marker."""
        if isinstance(value, Static):
            return value.value
        if isinstance(value, Dyn):
            kind = value.type
            if isinstance(kind, Known):
                return kind.value
            if isinstance(kind, Scalar) and kind.value is not UNKNOWN:
                return kind.value
        items = self.static_items(value)
        if items is not None:
            found = [self.constant_value(v) for v in items]
            return MISSING if MISSING in found else tuple(found)
        if self.class_of(value) is FrozenSet:
            table = self.contents(self.attribute(value, "table", ast.Pass()))
            return frozenset(k for k, _ in table.items) if isinstance(table, Mapping) else MISSING
        return MISSING

    def known(self, value: Value) -> bool:
        """Whether a value is a known constant."""
        return self.constant_value(value) is not MISSING

    # --- displays ----------------------------------------------------------------------------
    def expr_Tuple(self, node: ast.Tuple) -> Value:
        return self.display("tuple", node.elts, node)

    def expr_List(self, node: ast.List) -> Value:
        return self.display("list", node.elts, node)

    def expr_Set(self, node: ast.Set) -> Value:
        return self.call(Static(set), [self.display("list", node.elts, node)], {}, node)

    def expr_Dict(self, node: ast.Dict) -> Value:
        holder = f"<dict{len(self.frames)}.{node.lineno}.{node.col_offset}>"
        self.set(self.frame, holder, self.new(Mapping(())))
        for key, value in zip(node.keys, node.values, strict=True):
            held = self.get(self.frame, holder)
            if key is None:
                other = self.expr(value)
                table = isinstance(other, Dyn) and isinstance(other.type, Dict)
                if not table and not isinstance(self.contents(other), Mapping):
                    raise self.refuse(
                        "can't unpack this with ** here",
                        value,
                        "which keys it has is not known while compiling",
                        "write the items out, or pass a dict whose keys are written in the code",
                    )
                self.container_method(held, "update", [other], {}, node)
                continue
            place, item = self.in_order([key, value])
            self.set_item(self.get(self.frame, holder), place, item, node, bare=True)
        return self.state.vars.pop((self.frame.id, holder))

    # --- subscripts and attributes -----------------------------------------------------------
    def expr_Subscript(self, node: ast.Subscript) -> Value:
        makers = (lambda: [self.expr(node.value)], lambda: [self.index_value(node.slice)])
        (base,), (index,) = in_turn(makers, self)
        found = self.index(base, index, node)
        part = isinstance(index, Dyn) and isinstance(index.expr, nodes.Slice)
        if part and _is_flat(node.value, base) and is_array(found):  # a copy, no view
            return self.apply(np.copy, "copy", [found], form="method", node=node)
        return found

    def index_value(self, node: ast.expr) -> Value:
        """The value of a subscript, slices included."""
        if isinstance(node, ast.Slice):
            return self._slice(node)
        if isinstance(node, ast.Tuple):
            if any(isinstance(e, ast.Starred) for e in node.elts):
                return self.sequence(self.spread(node.elts, node), "tuple")
            makers = [partial(self._indexed, element) for element in node.elts]
            return self.sequence([part for (part,) in in_turn(makers, self)], "tuple")
        return self.expr(node)

    def _indexed(self, node: ast.expr) -> list[Value]:
        return [self.index_value(node)]

    def _slice(self, node: ast.Slice) -> Value:
        absent = ast.copy_location(ast.Constant(None), node)
        given = [bound or absent for bound in (node.lower, node.upper, node.step)]
        bounds = [self.as_count(p, node) for p in self.in_order(given)]
        exprs: list[nodes.Expr | None] = [self.residual(p, node) for p in bounds]
        exprs = [None if isinstance(e, nodes.Const) and e.value is None else e for e in exprs]
        return Dyn(
            nodes.Slice(exprs[0], exprs[1], exprs[2], type=Opaque("slice"), span=self.span(node))
        )

    def expr_Attribute(self, node: ast.Attribute) -> Value:
        found = self.attribute(self.expr(node.value), node.attr, node)
        owner = found.owner if isinstance(found, Method) else None
        if isinstance(owner, Dyn) and isinstance(owner.type, Bottom):  # of what a list will hold
            expr = nodes.Call("attribute", node.attr, (owner.expr,), form="attribute", type=BOTTOM)
            return Dyn(expr)
        return found

    def expr_Starred(self, node: ast.Starred) -> Value:
        raise self.refuse(
            "a starred expression is not allowed here",
            node,
            "Python raises an error here as well",
            "put it into a list, tuple or call: [*items]",
        )

    def expr_Lambda(self, node: ast.Lambda) -> Value:
        return self.make_function(node, "<lambda>")


def _is_flat(node: ast.expr, value: Value) -> bool:
    """Whether this is `x.flat` of an array: a slice of it is a copy."""
    expr = value.expr if isinstance(value, Dyn) else None
    made = isinstance(expr, nodes.Call) and expr.function is np.ravel
    return made and isinstance(node, ast.Attribute) and node.attr == "flat"


def tuple_items(value: Value) -> tuple[Value, ...] | None:
    """The parts of a generated tuple as expressions."""
    if isinstance(value, Dyn) and isinstance(value.type, Tuple):
        return tuple(
            Dyn(nodes.Index(value.expr, (_position(i),), type=unfolded(kind)))
            for i, kind in enumerate(value.type.items)
        )
    return None


def _position(i: int) -> nodes.Const:
    return nodes.Const(i, type=Scalar("int", None, i))
