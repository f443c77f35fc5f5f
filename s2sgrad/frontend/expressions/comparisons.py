"""Floor 4: lower comparisons and conditions, and tell what is known while compiling."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import NoneType
from typing import Any

from s2sgrad.frontend.base import MISSING
from s2sgrad.frontend.exits import NOT_REACHED
from s2sgrad.frontend.expressions.comparable import (
    by_numpy,
    compared_type,
    known_size,
    may_be_none,
    never_equal,
    never_is,
)
from s2sgrad.frontend.expressions.conditionals import Conditionals, as_conditional
from s2sgrad.frontend.expressions.equality import Equality
from s2sgrad.frontend.expressions.expressions import is_own_truth
from s2sgrad.frontend.options import is_chosen
from s2sgrad.frontend.side_effects import changed
from s2sgrad.frontend.state import Clash
from s2sgrad.frontend.values import (
    Chosen,
    Dyn,
    Func,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Sequence,
    Static,
    Value,
    is_mixed,
)
from s2sgrad.frontend.waiting import in_turn
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    NONE,
    Array,
    Maybe,
    Member,
    Row,
    Scalar,
    Truth,
    Tuple,
    carries,
    is_number,
)
from s2sgrad.rules.methods import OPERATORS

COMPARE = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


class Comparisons(Conditionals, Equality):
    """Lowering of comparisons, and / or, and conditional expressions."""

    def expr_BoolOp(self, node: ast.BoolOp) -> Value:
        choice = as_conditional(node)
        return self.combined(node, self.expr) if choice is None else self.expr(choice)

    def combined(self, node: ast.BoolOp, part: Callable[[ast.expr], Value]) -> Value:
        """`a and b`. part: what is made of each part, its value or only its truth."""
        sign = "and" if isinstance(node.op, ast.And) else "or"
        value = part(node.values[0])
        for operand in node.values[1:]:
            known = self.truth(value)
            if known is None:
                value = self._short_circuit(sign, value, operand, part, node)
            elif known == (sign == "and"):
                value = part(operand)
        return value

    def _short_circuit(
        self, sign: str, left: Value, operand: ast.expr, part: Callable[[ast.expr], Value],
        node: ast.AST,
    ) -> Value:  # fmt: skip
        """`left and operand` where left is known only at run time."""
        whole = isinstance(self.contents(left), Instance) or isinstance(left, Chosen)
        whole |= self.may_be_none(left) or self.held_object(left) is not None
        if (part == self.expr and whole) or self.row_of(left) is not None:
            return self._object_or(sign, left, operand, node)
        value, left = left, self.condition(left, node)
        if (known := self.truth(left)) is not None:
            rest = known == (sign == "and")
            return part(operand) if rest else value if part == self.expr else left
        if part == self.expr:
            self._refuse_counted(sign, value, node)
        test = self.residual(left, node)
        before, depth = self.state.copy(), len(self.builder.blocks)
        self.builder.blocks.append([])
        self.refine(test, sign == "and")
        start = self.state.copy()
        try:
            with self.may_end():
                right = part(operand)
        except NOT_REACHED:  # the branch below leaves it out, or fails where a run comes there
            del self.builder.blocks[depth:]
            right = Static(None)
            self.builder.blocks.append([nodes.Comment("")])
        block = self.builder.blocks.pop()
        known = self.truth(right)
        plain = not block and not isinstance(right, Heap) and not changed(start, self.state)
        if plain and not self.object_or_else(test, right, node):
            right_expr = self.residual(right, node)
            self.state = before
            truths = part != self.expr or isinstance(self.constant_value(right), bool)
            if known is not None and test.type == BOOL and truths:
                return Static(known) if known == (sign == "or") else left
            if part != self.expr:
                test, right_expr = _truth(test), _truth(right_expr)
            kind = self.joined_kind(test, right_expr)
            if carries(kind):
                held = self.named(left, "value", node)
                sides = (right_expr, held) if sign == "and" else (held, right_expr)
                return Dyn(nodes.Choice(held, *sides, type=kind, span=self.span(node)))
            expr = nodes.Call(sign, sign, (test, right_expr), form="operator", type=kind)
            return Dyn(expr)
        self.state = before
        held = self.builder.bind("test", test, self.span(node))
        name = ast.copy_location(ast.Name("<and>", ast.Load()), node)
        self.set(self.frame, "<and>", Dyn(held))
        if part != self.expr:  # its truth: not not operand
            for _ in range(2):
                operand = ast.copy_location(ast.UnaryOp(ast.Not(), operand), operand)
        branch = ast.copy_location(
            ast.Assign([ast.copy_location(ast.Name("<and>", ast.Store()), node)], operand), node
        )
        then, orelse = ([branch], []) if sign == "and" else ([], [branch])
        self.branch(held, then, orelse, node)
        result = self.expr(name)
        self.state.vars.pop((self.frame.id, "<and>"), None)
        return result

    def _refuse_counted(self, sign: str, value: Value, node: ast.AST) -> None:
        if self.is_counted(value):
            raise self.refuse(
                f"`{sign}` of a range or view that may be empty", node,
                "its value is the range or view, or something else", "write it with if and else",
            )  # fmt: skip

    def _object_or(self, sign: str, left: Value, operand: ast.expr, node: ast.AST) -> Value:
        """`node or other`: the object itself, unless it is None or its class says otherwise."""
        held = left if isinstance(left, Heap | Chosen) else Dyn(self.named(left, "node", node))
        self.set(self.frame, "<and>", held)
        here, there = (
            ast.copy_location(ast.Name("<and>", c), node) for c in (ast.Load(), ast.Store())
        )
        choice = ast.IfExp(here, *((operand, here) if sign == "and" else (here, operand)))
        self.assign(there, self.expr(ast.copy_location(choice, node)), node)  # type: ignore[arg-type]
        return self.state.vars.pop((self.frame.id, "<and>"))

    def expr_Compare(self, node: ast.Compare) -> Value:
        op, operand = node.ops[0], node.comparators[0]
        makers = (lambda: [self.expr(node.left)], lambda: [self._tested(op, operand)])
        (left,), (right,) = in_turn(makers, self)
        if len(node.ops) == 1:
            return self.compare(COMPARE[type(op)], left, right, node)
        return self._chain(left, right, node)

    def _chain(self, left: Value, middle: Value, node: ast.Compare) -> Value:
        """`left < middle < ...`: what comes after is only looked at where this much is true."""
        if isinstance(middle, Dyn):
            middle = Dyn(self.named(middle, "middle", node))
        first = self.compare(COMPARE[type(node.ops[0])], left, middle, node)
        self.set(self.frame, "<middle>", middle)
        name = ast.copy_location(ast.Name("<middle>", ast.Load()), node)
        others = ast.copy_location(ast.Compare(name, node.ops[1:], node.comparators[1:]), node)
        known = self.truth(first)
        if known is not None:
            result = self.expr(others) if known else Static(False)
        else:
            result = self._short_circuit("and", first, others, self.expr, node)
        self.state.vars.pop((self.frame.id, "<middle>"), None)
        return result

    def _tested(self, op: ast.cmpop, operand: ast.expr) -> Value:
        """The right side of a comparison; `in {1, 2}` looks into a tuple of constants."""
        if isinstance(operand, ast.Set) and isinstance(op, ast.In | ast.NotIn):
            values = [self.constant_value(self.expr(e)) for e in operand.elts]
            if all(v is None or isinstance(v, str | int | float) for v in values):
                return self.sequence([Static(v) for v in dict.fromkeys(values)], "tuple")
        return self.expr(operand)

    def compare(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        """One comparison, decided now where both sides are known."""
        for value in (left, right):
            if isinstance(value, Clash):
                self.residual(value, node)  # refuses it: what it is, not even None, is known
        left, right = self.as_sets(sign, left, right, node)
        if sign in ("is", "is not") and left == right and isinstance(left, Iterator):
            raise self.refuse(
                f"'{sign}' of two iterators or ranges", node,
                "two that are alike are the same here", "compare with ==",
            )  # fmt: skip
        if sign in ("==", "!=") and never_equal(*map(self.python_class, (left, right))):
            return Static(sign == "!=")
        if (asked := self.by_equality(sign, left, right, node)) is not None:
            return asked
        if sign not in ("is", "is not", "==", "!=", "in", "not in"):  # None has no order
            left, right = (self.not_none(self.opened(v)) for v in (left, right))
        for one, other, swap in ((left, right, False), (right, left, True)):
            if isinstance(one, Chosen) and not (is_mixed(other) and swap):
                return self._compare_chosen(sign, one, other, swap, node)
        known = self._static_compare(sign, left, right)
        if known is not None:
            return Static(known)
        if sign in ("is", "is not") and is_own_truth(left) and is_own_truth(right):
            sign = "==" if sign == "is" else "!="  # what a run has may be NumPy's
        if (folded := self.folded(sign, left, right)) is not None:
            return folded
        if (same := self.compare_rows(sign, left, right, node)) is not None:
            return same
        plain = "in" if sign == "not in" else sign
        special = self.special_operator(plain, left, right, node)
        if special is not None:
            return special if plain == sign else self.negated(special, node)
        self.check_held(sign, (left, right), node)
        args = (self.residual(left, node), self.residual(right, node))
        sign = self._sign_of_members(sign, args, node)
        if sign in OPERATORS and (all(is_number(a.type) for a in args) or by_numpy(args)):
            return self.apply(OPERATORS[sign], sign, [left, right], form="operator", node=node)
        kind = compared_type(sign, args)
        return Dyn(nodes.Call(sign, sign, args, form="operator", type=kind, span=self.span(node)))

    def _sign_of_members(self, sign: str, args: tuple[nodes.Expr, ...], node: ast.AST) -> str:
        """How generated code compares numbers that stand for members of an IntEnum."""
        kinds = [a.type.item if isinstance(a.type, Maybe) else a.type for a in args]
        classes = [kind.cls if isinstance(kind, Member) else None for kind in kinds]
        if sign not in ("is", "is not") or classes == [None, None] or NONE in kinds:
            return sign
        if classes[0] is not classes[1]:
            raise self.refuse(
                f"`{sign}` of a member of an IntEnum and what may be a plain number", node,
                "generated code has the number in the member's place",
                f"compare with {'==' if sign == 'is' else '!='}, or make a member of the number",
            )  # fmt: skip
        return "==" if sign == "is" else "!="

    def _compare_chosen(
        self, sign: str, one: Chosen, other: Value, swap: bool, node: ast.AST
    ) -> Value:
        """A comparison of one of several things: which of them it holds for."""
        pairs = [(other, v) if swap else (v, other) for v in one.options]
        known = [self._static_compare(sign, a, b) for a, b in pairs]
        if None in known:

            def run(value: Value) -> Value:
                pair = (other, value) if swap else (value, other)
                return self.compare(sign, pair[0], pair[1], node)

            return self.dispatch(one, run, node)
        if len(set(known)) == 1:
            return Static(known[0])
        tests = tuple(is_chosen(one, i) for i, holds in enumerate(known) if holds)
        if len(tests) == 1:
            return Dyn(tests[0])
        return Dyn(nodes.Call("or", "or", tests, form="operator", type=BOOL))

    def _static_compare(self, sign: str, left: Value, right: Value) -> bool | None:
        if sign in ("is", "is not"):
            same = self._same_object(left, right)
            return self.refuse_anew(left, right) if same is None else same == (sign == "is")
        if sign in ("in", "not in"):
            found = self._contains(right, left)
            return None if found is None else found == (sign == "in")
        values = [self.constant_value(v) for v in (left, right)]
        if sign in ("==", "!=") and any(isinstance(v, str | type | None) for v in values):
            if MISSING not in values:
                return bool((values[0] == values[1]) == (sign == "=="))
            other = left if values[1] is not MISSING else right
            if never_is(other, values[0] if other is right else values[1]):
                return sign == "!="
            return None
        if MISSING not in values and all(isinstance(v, Static) for v in (left, right)):
            return bool(eval("a " + sign + " b", {}, {"a": values[0], "b": values[1]}))
        held = [c.items for c in map(self.contents, (left, right)) if isinstance(c, Sequence)]
        if sign in ("==", "!=") and len({len(items) for items in held}) > 1:
            return sign == "!="
        return self._compare_sizes(sign, self._sizes(left), self._sizes(right))

    def _compare_sizes(self, sign: str, left: Any, right: Any) -> bool | None:
        """A comparison of sizes of arrays that do not depend on the arguments."""
        if left is None or right is None or sign not in ("==", "!=", "<", "<=", ">", ">="):
            return None
        if isinstance(left, tuple) != isinstance(right, tuple):
            return None
        pair = (left, right) if isinstance(left, tuple) else ((left,), (right,))
        if None not in (*pair[0], *pair[1]):
            return bool(eval("a " + sign + " b", {}, {"a": left, "b": right}))
        differ = len(pair[0]) != len(pair[1]) or any(
            None not in (a, b) and a != b for a, b in zip(*pair, strict=True)
        )
        return sign == "!=" if differ and sign in ("==", "!=") else None

    def _sizes(self, value: Value) -> Any:
        """A whole number, or a tuple of them, None for those not known; None for other values."""
        if isinstance(value, Dyn) and isinstance(value.type, Tuple) and not value.type.made_by:
            kinds = value.type.items
            whole = all(isinstance(k, Scalar) and k.dtype == "int" for k in kinds)
            return tuple(map(known_size, kinds)) if whole else None
        contents = self.contents(value)
        if isinstance(contents, Sequence) and contents.kind == "tuple" and not contents.made_by:
            sizes = [self._sizes(item) for item in contents.items]
            return tuple(sizes) if all(type(s) is int for s in sizes) else None
        known = self.constant_value(value)
        if known is MISSING and isinstance(value, Dyn):
            known = known_size(value.type)
        return known if type(known) is int else None

    def isinstance_or_none(self, value: Value, classes: Any, node: ast.AST) -> Value | None:
        """isinstance of what is None or of one known class: a comparison with None."""
        kind = None if (item := self.not_none(value)) is value else self.python_class(item)
        if kind is None or not isinstance(classes, type | tuple):
            return None
        found = issubclass(kind, classes)
        if found == issubclass(NoneType, classes):
            return Static(found)
        return self.compare("is not" if found else "is", value, Static(None), node)

    def _same_object(self, left: Value, right: Value) -> bool | None:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Static) and one.value is None:
                if isinstance(other, Dyn):
                    return None if may_be_none(other.expr) else other.type == NONE
                return isinstance(other, Static) and other.value is None
        if isinstance(left, Static) and isinstance(right, Static):
            return left.value is right.value
        kinds = [v.type for v in (left, right) if isinstance(v, Dyn)]
        if any(isinstance(k, Truth) and k.sure for k in kinds) and len(kinds) == 1:
            return False  # NumPy has truth values of its own
        if isinstance(left, Heap) and isinstance(right, Heap):
            self.compared_places.add((left.id, right.id))
            self.tell_apart(left.id, right.id)
            return left.id == right.id
        followed = next((v for v in (left, right) if isinstance(v, Heap)), None)
        if followed is not None and len(kinds) == 1:
            made = right if followed is left else left  # by generated code: another thing
            alone = self.state.origins(followed.id) == {followed.id}
            number = isinstance(kinds[0], Scalar | Array) and not isinstance(kinds[0], Row)
            held = self.held_object(made) is not None
            return False if number or (alone and held) else None
        if not all(isinstance(v, Static | Heap | Func) for v in (left, right)):
            return None
        found = [
            v.function if isinstance(v, Func) else getattr(v, "value", None) for v in (left, right)
        ]
        if left == right and found[0] is None:
            return None  # of one text: a run may have made another one since
        return found[0] is not None and found[0] is found[1]

    def _equal_now(self, left: Value, right: Value) -> bool | None:
        """Whether two items are equal, where that is known while compiling: a list is no tuple."""
        if never_equal(*map(self.python_class, (left, right))):
            return False
        one, other = self.contents(left), self.contents(right)
        if isinstance(one, Sequence) and isinstance(other, Sequence):
            if len(one.items) != len(other.items):
                return False
            pairs = zip(one.items, other.items, strict=True)
            answers = {self._equal_now(a, b) for a, b in pairs}
            return False if False in answers else None if None in answers else True
        keys = self.key_of(left), self.key_of(right)
        if MISSING not in keys:
            return self.told_apart(keys[0], keys[1:]) in keys[1:]  # the same thing, or equal
        return self._static_compare("==", left, right)

    def _contains(self, container: Value, item: Value) -> bool | None:
        needle, contents = self.key_of(item), self.contents(container)
        if isinstance(contents, Mapping) and needle is not MISSING:
            keys = [k for k, _ in contents.items]
            return self.told_apart(needle, keys) in keys
        if isinstance(contents, Sequence):
            equal = [self._equal_now(v, item) for v in contents.items]
            if True in equal or None not in equal:
                return True in equal
        held = self.constant_value(container)
        if (
            held is not MISSING
            and needle is not MISSING
            and isinstance(held, str | tuple | set | frozenset | dict | list)
        ):
            return needle in held
        return None


def _truth(expr: nodes.Expr) -> nodes.Expr:
    """What a test asks of a list or a number, under no other name for it."""
    asked = carries(expr.type)
    return nodes.Call(bool, "bool", (expr,), type=BOOL, span=expr.span) if asked else expr
