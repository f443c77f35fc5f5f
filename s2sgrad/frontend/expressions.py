"""Floor 4: lower expressions: names, operators, displays, subscripts."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.state import Frame, NeedsResidual
from s2sgrad.frontend.values import (
    Dyn,
    Func,
    Heap,
    Iterator,
    Mapping,
    Method,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    NONE,
    STR,
    UNKNOWN,
    Known,
    Maybe,
    Opaque,
    Scalar,
    Tuple,
    is_number,
    join,
)
from s2sgrad.rules.methods import OPERATORS, UNARY_OPERATORS

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}
COMPARE = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_MISSING = object()


class Expressions(Base):
    def expr(self, node: ast.expr) -> Value:
        method = getattr(self, f"expr_{type(node).__name__}", None)
        if method is None:
            what = type(node).__name__.lower()
            raise self.refuse(f"this expression ({what}) can't be differentiated", node)
        return method(node)

    def expr_Constant(self, node: ast.Constant) -> Value:
        return Static(node.value)

    # --- names -------------------------------------------------------------------------------
    def expr_Name(self, node: ast.Name) -> Value:
        found = self.lookup(self.frame, node.id, node)
        if found is None:
            raise self.refuse(
                f"name '{node.id}' is not defined here",
                node,
                "it is bound on no path to this place",
            )
        return found

    def lookup(self, frame: Frame, name: str, node: ast.AST) -> Value | None:
        """A name's value: local, enclosing, closure cell, global or builtin, in that order."""
        scope: Frame | None = frame
        while scope is not None:
            if (value := self.get(scope, name)) is not None:
                return value
            if name in scope.local_names:
                return None
            if name in scope.cells:
                try:
                    held = scope.cells[name].cell_contents
                except ValueError:
                    return None
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
        value = self.expr(node.value)
        statement = ast.copy_location(ast.Assign([node.target], node.value), node)
        self.assign(node.target, value, statement)
        return self.expr(ast.copy_location(ast.Name(node.target.id, ast.Load()), node))

    # --- order of evaluation -----------------------------------------------------------------
    def in_order(self, elements: list[ast.expr]) -> list[Value]:
        """The values of several expressions; one that changes something in place comes after
        those before it have been computed."""
        values: list[Value] = []
        marks: list[int] = []
        block = self.builder.block
        for element in elements:
            marks.append(len(block))
            values.append(self.expr(element))
            if any(_changes(s) for s in block[marks[-1] :]):
                self._compute_before(values, marks, block)
        return values

    def _compute_before(
        self, values: list[Value], marks: list[int], block: list[nodes.Stmt]
    ) -> None:
        for i in range(len(values) - 1):
            value = values[i]
            if not isinstance(value, Dyn) or isinstance(
                value.expr, nodes.Var | nodes.Const | nodes.Slice
            ):
                continue
            var = self.builder.fresh("part", value.type)
            block.insert(
                marks[i + 1], nodes.Assign((var.name,), (value.expr,), span=value.expr.span)
            )
            marks[i + 1 :] = [m + 1 for m in marks[i + 1 :]]
            values[i] = Dyn(var)

    # --- operators ---------------------------------------------------------------------------
    def expr_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.in_order([node.left, node.right])
        return self.binary(BINARY[type(node.op)], left, right, node)

    def binary(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        special = self.special_operator(sign, left, right, node)
        if special is not None:
            return special
        return self.apply(OPERATORS[sign], sign, [left, right], form="operator", node=node)

    def expr_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.expr(node.operand)
        sign = UNARY[type(node.op)]
        if isinstance(node.op, ast.Not):
            known = self.truth(value)
            if known is not None:
                return Static(not known)
            expr = nodes.Call(
                "not", "not", (self.residual(value, node),), form="operator", type=BOOL
            )
            return Dyn(expr)
        if isinstance(value, Static) and isinstance(value.value, int | float | complex):
            if isinstance(value.value, bool):
                return Static({"-": -value.value, "+": +value.value, "~": ~value.value}[sign])
            return Static(
                -value.value if sign == "-" else +value.value if sign == "+" else ~value.value
            )
        special = self.special_unary(sign, value, node)
        if special is not None:
            return special
        return self.apply(UNARY_OPERATORS[sign], sign, [value], form="operator", node=node)

    def expr_BoolOp(self, node: ast.BoolOp) -> Value:
        sign = "and" if isinstance(node.op, ast.And) else "or"
        value = self.expr(node.values[0])
        for operand in node.values[1:]:
            known = self.truth(value)
            if known is not None:
                value = self.expr(operand) if known == (sign == "and") else value
                continue
            value = self._short_circuit(sign, value, operand, node)
        return value

    def _short_circuit(self, sign: str, left: Value, operand: ast.expr, node: ast.AST) -> Value:
        """`left and operand` where left is known only at run time."""
        test = self.residual(left, node)
        before = self.state.copy()
        self.builder.blocks.append([])
        self.refine(test, sign == "and")
        right = self.expr(operand)
        block = self.builder.blocks.pop()
        known = self.truth(right)
        plain = not block and not isinstance(right, Heap)
        if plain:
            right_expr = self.residual(right, node)
            self.state = before
            if known is not None and test.type == BOOL:
                return Static(known) if known == (sign == "or") else left
            kind = join(test.type, right_expr.type)
            expr = nodes.Call(sign, sign, (test, right_expr), form="operator", type=kind)
            return Dyn(expr)
        self.state = before
        held = self.builder.bind("test", test, self.span(node))
        name = ast.copy_location(ast.Name("<and>", ast.Load()), node)
        self.set(self.frame, "<and>", Dyn(held))
        branch = ast.copy_location(
            ast.Assign([ast.copy_location(ast.Name("<and>", ast.Store()), node)], operand), node
        )
        then, orelse = ([branch], []) if sign == "and" else ([], [branch])
        self.branch(held, then, orelse, node)
        result = self.expr(name)
        self.state.vars.pop((self.frame.id, "<and>"), None)
        return result

    def expr_Compare(self, node: ast.Compare) -> Value:
        left = self.expr(node.left)
        result: Value | None = None
        for op, operand in zip(node.ops, node.comparators, strict=True):
            right = self.expr(operand)
            if len(node.ops) > 1 and isinstance(right, Dyn):
                right = (
                    Dyn(self.named(right, "middle", node))
                    if operand is not node.comparators[-1]
                    else right
                )
            part = self.compare(COMPARE[type(op)], left, right, node)
            result = part if result is None else self._both(result, part, node)
            left = right
        assert result is not None
        return result

    def _both(self, a: Value, b: Value, node: ast.AST) -> Value:
        for one, other in ((a, b), (b, a)):
            known = self.truth(one)
            if known is not None:
                return other if known else Static(False)
        args = (self.residual(a, node), self.residual(b, node))
        return Dyn(nodes.Call("and", "and", args, form="operator", type=BOOL))

    def compare(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        known = self._static_compare(sign, left, right)
        if known is not None:
            return Static(known)
        special = self.special_operator(sign, left, right, node)
        if special is not None:
            return special
        args = (self.residual(left, node), self.residual(right, node))
        if sign in OPERATORS and all(is_number(a.type) for a in args):
            return self.apply(OPERATORS[sign], sign, [left, right], form="operator", node=node)
        call = nodes.Call(sign, sign, args, form="operator", type=BOOL, span=self.span(node))
        return Dyn(call)

    def _static_compare(self, sign: str, left: Value, right: Value) -> bool | None:
        if sign in ("is", "is not"):
            same = self._same_object(left, right)
            return None if same is None else same == (sign == "is")
        if sign in ("in", "not in"):
            found = self._contains(right, left)
            return None if found is None else found == (sign == "in")
        values = [self.constant_value(v) for v in (left, right)]
        if sign in ("==", "!=") and any(isinstance(v, str | type | None) for v in values):
            if _MISSING not in values:
                return bool((values[0] == values[1]) == (sign == "=="))
            other = left if values[1] is not _MISSING else right
            if isinstance(other, Dyn) and is_number(other.type):
                return sign == "!="
            return None
        if _MISSING not in values and all(isinstance(v, Static) for v in (left, right)):
            return bool(eval("a " + sign + " b", {}, {"a": values[0], "b": values[1]}))
        return None

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
            return _MISSING if _MISSING in found else tuple(found)
        return _MISSING

    def known(self, value: Value) -> bool:
        return self.constant_value(value) is not _MISSING

    def _same_object(self, left: Value, right: Value) -> bool | None:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Static) and one.value is None:
                if isinstance(other, Dyn):
                    if isinstance(other.type, Maybe):
                        return None
                    return (
                        True
                        if other.type == NONE
                        else None
                        if isinstance(other.type, Opaque)
                        else False
                    )
                return isinstance(other, Static) and other.value is None
        if isinstance(left, Static) and isinstance(right, Static):
            return left.value is right.value
        if isinstance(left, Heap) and isinstance(right, Heap):
            return left.id == right.id
        if isinstance(left, Static | Heap) and isinstance(right, Static | Heap):
            return False
        return None

    def _contains(self, container: Value, item: Value) -> bool | None:
        needle = self.constant_value(item)
        contents = self.contents(container)
        if isinstance(contents, Mapping) and needle is not _MISSING:
            return any(k == needle for k, _ in contents.items)
        if isinstance(contents, Sequence):
            found = [self.constant_value(v) for v in contents.items]
            if needle is not _MISSING and _MISSING not in found:
                return needle in found
        held = self.constant_value(container)
        if (
            held is not _MISSING
            and needle is not _MISSING
            and isinstance(held, str | tuple | set | frozenset | dict | list)
        ):
            return needle in held
        return None

    def expr_IfExp(self, node: ast.IfExp) -> Value:
        test = self.expr(node.test)
        known = self.truth(test)
        if known is not None:
            return self.expr(node.body if known else node.orelse)
        test_expr = self.residual(test, node)
        simple = self._simple_choice(test_expr, node)
        if simple is not None:
            return simple
        held = (
            test_expr if isinstance(test_expr, nodes.Var) else self.builder.bind("test", test_expr)
        )
        target = ast.copy_location(ast.Name("<choice>", ast.Store()), node)
        then = ast.copy_location(ast.Assign([target], node.body), node)
        orelse = ast.copy_location(ast.Assign([target], node.orelse), node)
        self.branch(held, [then], [orelse], node)
        result = self.get(self.frame, "<choice>")
        self.state.vars.pop((self.frame.id, "<choice>"), None)
        assert result is not None
        return result

    def _simple_choice(self, test: nodes.Expr, node: ast.IfExp) -> Value | None:
        """A conditional expression whose sides need no statements of their own."""
        sides = []
        before = self.state
        for outcome, side in ((True, node.body), (False, node.orelse)):
            self.state = before.copy()
            names = self.builder.names
            self.builder.blocks.append([])
            self.refine(test, outcome)
            value = self.expr(side)
            if self.builder.blocks.pop() or isinstance(value, Heap | Func | Iterator | Method):
                self.state, self.builder.names = before, names
                return None
            sides.append(self.residual(value, node))
        self.state = before
        kind = join(sides[0].type, sides[1].type)
        return Dyn(nodes.Choice(test, sides[0], sides[1], type=kind, span=self.span(node)))

    # --- displays ----------------------------------------------------------------------------
    def expr_Tuple(self, node: ast.Tuple) -> Value:
        return self.sequence(self.spread(node.elts, node), "tuple")

    def expr_List(self, node: ast.List) -> Value:
        return self.sequence(self.spread(node.elts, node), "list")

    def expr_Set(self, node: ast.Set) -> Value:
        values = [self.constant_value(v) for v in self.spread(node.elts, node)]
        if _MISSING in values:
            raise self.refuse(
                "a set of computed values can't be differentiated", node, "", "use a list"
            )
        return Static(frozenset(values))

    def spread(self, elements: list[ast.expr], node: ast.AST) -> list[Value]:
        """The values of a display, `*rest` unpacked."""
        if not any(isinstance(e, ast.Starred) for e in elements):
            return self.in_order(elements)
        items: list[Value] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                found = self.iterate(self.expr(element.value), node)
                if found is None:
                    raise self.refuse(
                        "can't unpack a sequence whose length is known only at run time", element
                    )
                items += found
            else:
                items.append(self.expr(element))
        return items

    def expr_Dict(self, node: ast.Dict) -> Value:
        items: dict[Any, Value] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                contents = self.contents(self.expr(value))
                if not isinstance(contents, Mapping):
                    raise self.refuse("can't unpack this with ** here", value)
                items.update(contents.items)
                continue
            known = self.constant_value(self.expr(key))
            if known is _MISSING:
                raise self.refuse("dict keys must be known when the code is compiled", key)
            items[known] = self.expr(value)
        return self.new(Mapping(tuple(items.items())))

    def expr_JoinedStr(self, node: ast.JoinedStr) -> Value:
        template, parts = [""], []
        for piece in node.values:
            if isinstance(piece, ast.Constant):
                template[-1] += str(piece.value).replace("{", "{{").replace("}", "}}")
                continue
            assert isinstance(piece, ast.FormattedValue)
            parts.append(self._formatted(self.expr(piece.value), node))
            template[-1] += "{"
            suffix = f"!{chr(piece.conversion)}" if piece.conversion >= 0 else ""
            if isinstance(piece.format_spec, ast.JoinedStr):
                spec = "".join(
                    str(p.value) for p in piece.format_spec.values if isinstance(p, ast.Constant)
                )
                suffix += f":{spec}"
            template.append(suffix + "}")
        quoted = [
            t.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for t in template
        ]
        quoted[0] = 'f"' + quoted[0]
        quoted[-1] += '"'
        if not parts:
            return Static(eval(quoted[0]))
        return Dyn(nodes.Text(tuple(quoted), tuple(parts), type=STR, span=self.span(node)))

    def _formatted(self, value: Value, node: ast.AST) -> nodes.Expr:
        try:
            return self.residual(value, node)
        except Exception:
            return nodes.Const(f"<{type(value).__name__}>", type=STR)

    # --- subscripts and attributes -----------------------------------------------------------
    def expr_Subscript(self, node: ast.Subscript) -> Value:
        base = self.expr(node.value)
        return self.index(base, self.index_value(node.slice), node)

    def index_value(self, node: ast.expr) -> Value:
        """The value of a subscript, slices included."""
        if isinstance(node, ast.Slice):
            return self._slice(node)
        if isinstance(node, ast.Tuple):
            parts = [self.index_value(e) for e in node.elts if not isinstance(e, ast.Starred)]
            if len(parts) != len(node.elts):
                parts = self.spread(node.elts, node)
            return self.sequence(parts, "tuple")
        return self.expr(node)

    def _slice(self, node: ast.Slice) -> Value:
        parts = [None if p is None else self.expr(p) for p in (node.lower, node.upper, node.step)]
        exprs = [None if p is None else self.residual(p, node) for p in parts]
        exprs = [None if isinstance(e, nodes.Const) and e.value is None else e for e in exprs]
        return Dyn(
            nodes.Slice(exprs[0], exprs[1], exprs[2], type=Opaque("slice"), span=self.span(node))
        )

    def expr_Attribute(self, node: ast.Attribute) -> Value:
        return self.attribute(self.expr(node.value), node.attr, node)

    def expr_Starred(self, node: ast.Starred) -> Value:
        raise self.refuse("a starred expression is not allowed here", node)

    def expr_Lambda(self, node: ast.Lambda) -> Value:
        return self.make_function(node, "<lambda>")


def _changes(stmt: nodes.Stmt) -> bool:
    """Whether a statement changes an array or list in place."""
    return any(isinstance(s, nodes.Store | nodes.Mutate) for s in nodes.walk_block((stmt,)))


def tuple_items(value: Value) -> tuple[Value, ...] | None:
    """The parts of a generated tuple as expressions."""
    if isinstance(value, Dyn) and isinstance(value.type, Tuple):
        return tuple(
            Dyn(nodes.Index(value.expr, (nodes.Const(i, type=Scalar("int", None, i)),), type=kind))
            for i, kind in enumerate(value.type.items)
        )
    return None


__all__ = ["BINARY", "Expressions", "NeedsResidual", "tuple_items"]
