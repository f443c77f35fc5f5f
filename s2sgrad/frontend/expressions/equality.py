"""Floor 4: `==` and `in` of containers of objects whose classes say what they are equal to."""

from __future__ import annotations

import ast

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.containers.object_keys import all_parts, says_equal
from s2sgrad.frontend.models.lists import list_contains, own_contains
from s2sgrad.frontend.side_effects import changed
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Mapping,
    Sequence,
    Static,
    Value,
    is_mixed,
    parts_of,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOOL, List, Maybe, Tuple, type_parts

_CHANGES = (nodes.Mutate, nodes.Store, nodes.Do)
_PLAIN = (object.__eq__, tuple.__eq__, dict.__eq__)


class Equality(Base):
    """Lowering of comparisons that ask the items of containers."""

    def by_equality(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """`left == right` or `left in right`, item by item; None where no item answers itself."""
        positive = sign in ("==", "in")
        if sign in ("in", "not in"):
            found = self._among(left, right, node)
        elif sign in ("==", "!="):
            found = self.views_equal(left, right, node)
            found = self._each_equal(left, right, node) if found is None else found
        else:
            return None
        return found if positive or found is None else self.negated(found, node)

    def _among(self, value: Value, container: Value, node: ast.AST) -> Value | None:
        items = self.static_items(container)
        listed = isinstance(container, Dyn) and isinstance(container.type, List)
        if items is None and listed and self.are_themselves(container):
            return self.model(own_contains, [container, value], node)
        if items is None and listed and self.asks_items("__contains__", container, node):
            return self.model(list_contains, [container, value], node)
        if items is None and (self._asks_in_type(value) or self._asks_in_type(container, 1)):
            raise self._not_one_by_one(node)
        if items is None or not any(map(self._asks, (value, *items))):
            return None
        return self._joined("or", [(item, value) for item in items], node)

    def asked_in_turn(
        self, items: list[Value], name: str, args: list[Value], node: ast.AST
    ) -> Value | None:
        """What `index` or `count` of a list gives, or the place of what `remove` takes out, where
        the items are followed; None where a run must look."""
        found = self.asked_now(items, name, args, node)
        if found is not None or len(args) > 1 or not any(map(self._asks, (*args, *items))):
            return None if found is None else Static(found)
        if name == "count":
            answers = [self._same_or_equal(item, args[0], False, node) for item in items]
            return self.call(Static(sum), [self.sequence(answers, "list")], {}, node)
        before, count = self.state.copy(), len(self.builder.block)
        for k, item in enumerate(items):
            known = self.truth(self._same_or_equal(item, args[0], False, node))
            if known:
                return Static(k)
            if known is None:
                break
        del self.builder.block[count:]  # asked again, from the first on
        self.state = before
        return None

    def _each_equal(self, left: Value, right: Value, node: ast.AST) -> Value | None:
        one, other = self.contents(left), self.contents(right)
        if not self._asks_within(left) and not self._asks_within(right):
            return None
        if isinstance(one, Sequence) and isinstance(other, Sequence):
            if len(one.items) != len(other.items):
                return Static(False)
            return self._joined("and", list(zip(one.items, other.items, strict=True)), node)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            values = dict(other.items)
            if {k for k, _ in one.items} != set(values):
                return Static(False)
            return self._joined("and", [(v, values[k]) for k, v in one.items], node)
        first, second = self._as_tuple(left), self._as_tuple(right)
        if first is not None and second is not None:
            if len(first) != len(second):
                return Static(False)
            return self._joined("and", list(zip(first, second, strict=True)), node)
        if self._asks_in_type(left) or self._asks_in_type(right):
            raise self._not_one_by_one(node)
        return None

    def _as_tuple(self, value: Value) -> list[Value] | None:
        """The items of a tuple, also of one that generated code has made."""
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            return list(contents.items) if contents.kind == "tuple" else None
        made = isinstance(value, Dyn) and isinstance(value.type, Tuple) and not value.type.listed
        return self.static_items(value) if made else None

    def _asks_in_type(self, value: Value, depth: int = 0) -> bool:
        """Whether generated code holds, so deep inside of a value or deeper, objects by their
        places whose class says what they are equal to."""
        if not isinstance(value, Dyn):
            return False
        whole = value.type.item if isinstance(value.type, Maybe) else value.type
        kinds = [part for kind in type_parts(whole) for part in all_parts(kind)]
        kinds = [p for k in kinds for p in type_parts(k)] if depth else kinds
        return any(says_equal(kind) for kind in kinds)

    def _not_one_by_one(self, node: ast.AST) -> UnsupportedError:
        return self.refuse(
            "a comparison of what holds objects whose class says what they are equal to", node,
            "generated code holds them by their places, and can't ask them there",
            "compare the items one by one, in a loop",
        )  # fmt: skip

    def _joined(self, sign: str, pairs: list[tuple[Value, Value]], node: ast.AST) -> Value:
        """Whether one pair, or all, are the same thing or equal."""
        tests: list[nodes.Expr] = []
        for one, other in pairs:
            asked = self._same_or_equal(one, other, bool(tests), node)
            known = self.truth(asked)
            if known == (sign == "or"):
                return Static(known)
            if known is None:
                tests.append(self.residual(asked, node))
        if not tests:
            return Static(sign == "and")
        if len(tests) == 1:
            return Dyn(tests[0])
        return Dyn(nodes.Call(sign, sign, tuple(tests), form="operator", type=BOOL))

    def _same_or_equal(self, one: Value, other: Value, perhaps: bool, node: ast.AST) -> Value:
        """`one is other or one == other`. perhaps: whether only a run knows that this is asked."""
        same: Value = Static(one == other and isinstance(one, Heap))
        both = [isinstance(v, Heap) or is_mixed(v) or self._is_held(v) for v in (one, other)]
        if all(both) and not (isinstance(one, Heap) and isinstance(other, Heap)):
            same = self.compare("is", one, other, node)
        if (known := self.truth(same)) is True:
            return same
        before, count = self.state.copy(), len(self.builder.block)
        asked = self.condition(self.compare("==", one, other, node), node)
        made = nodes.walk_block(tuple(self.builder.block[count:]))
        written = any(isinstance(s, _CHANGES) for s in made)
        if (perhaps or known is None) and (written or changed(before, self.state)):
            raise self.refuse(
                "a comparison of items whose `__eq__` changes something", node,
                "only a run knows how many of them are asked",
                "compare the items one by one, in a loop",
            )  # fmt: skip
        if (answer := self.truth(asked)) is not None:
            return Static(True) if answer else same
        tests = tuple(_as_bool(self.residual(v, node)) for v in (same, asked))
        if known is False or tests[0] == tests[1]:
            return Dyn(tests[1])
        return Dyn(nodes.Call("or", "or", tests, form="operator", type=BOOL))

    def _is_held(self, value: Value) -> bool:
        return self.held_object(value) is not None

    def _asks(self, value: Value) -> bool:
        """Whether a value is an object whose class says what it is equal to, or one that is a
        place in lists, or holds one."""
        cls = self.class_of(value)
        if self.row_of(value) is not None:
            return True
        return (cls is not None and cls.__eq__ not in _PLAIN) or self._asks_within(value)

    def _asks_within(self, value: Value) -> bool:
        contents = self.contents(value)
        if not isinstance(contents, Sequence | Mapping):
            return self._asks_in_type(value)
        return any(map(self._asks, parts_of(contents)))


def _as_bool(expr: nodes.Expr) -> nodes.Expr:
    plain = expr.type == BOOL
    return expr if plain else nodes.Call(bool, "bool", (expr,), type=BOOL)


__all__ = ["Equality"]
