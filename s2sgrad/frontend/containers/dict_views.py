"""Floor 4: `d.items()`, `d.keys()` and `d.values()` of dicts that are followed while compiling.

They are lists of what the dict holds now. Where it has changed since, a name for one stands for a
new list.
"""

from __future__ import annotations

import ast

from s2sgrad.frontend.containers.object_keys import ObjectKeys, value_of_key
from s2sgrad.frontend.models import tables
from s2sgrad.frontend.models.sets import FrozenSet, Set
from s2sgrad.frontend.state import Together
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Heap,
    Iterator,
    Keys,
    Mapping,
    Static,
    Value,
)

_OF_SETS = ("&", "|", "-", "^", "<", "<=", ">", ">=", "==", "!=")


class DictViews(ObjectKeys):
    """Views of dicts. views: view -> (dict, which of its parts, the contents it was made of)."""

    views: dict[int, tuple[Heap, str, Mapping]]

    def view_of(self, owner: Heap, contents: Mapping, name: str) -> Heap:
        """What `owner.items()` gives."""
        if name == "keys":
            view = self.sequence([value_of_key(k) for k, _ in contents.items], "list")
        elif name == "values":
            view = self.sequence([v for _, v in contents.items], "list")
        else:
            rows = tuple(self.sequence([value_of_key(k), v]) for k, v in contents.items)
            view = self.sequence(rows, "list")
        self.views[view.id] = (owner, name, contents)
        return view

    def as_sets(self, sign: str, left: Value, right: Value, node: ast.AST) -> tuple[Value, Value]:
        """Two operands; `d.keys()`, beside an operator of sets, as a set of the keys."""
        if sign not in _OF_SETS:
            return left, right
        if self.ordered and sign in ("==", "!=") and all(map(self.is_dict, (left, right))):
            self._check_order(left, right, node)
        made = [self.keys_as_set(v, node) if self.shows_keys(v) else v for v in (left, right)]
        if any(self.class_of(v) in (Set, FrozenSet) for v in made if isinstance(v, Heap)):
            made = [self._constant_as_set(v, node) for v in made]
        return made[0], made[1]

    def _check_order(self, left: Value, right: Value, node: ast.AST) -> None:
        """Refuse to compare dicts that may be OrderedDicts, and have their keys in other orders."""
        held = [self.contents(v) for v in (left, right)]
        keys = [[k for k, _ in c.items] for c in held if isinstance(c, Mapping)]
        if len(keys) < 2 or (keys[0] != keys[1] and set(keys[0]) == set(keys[1])):
            raise self.refuse(
                "can't tell while compiling whether these are OrderedDicts", node,
                "two of those are equal in the same order only; generated code has plain dicts",
                "compare list(a.items()) == list(b.items()), or the entries one by one",
            )  # fmt: skip

    def _constant_as_set(self, value: Value, node: ast.AST) -> Value:
        """A constant set beside one that is computed."""
        if not isinstance(value, Static) or not isinstance(value.value, set | frozenset):
            return value
        cls = FrozenSet if isinstance(value.value, frozenset) else Set
        items = self.sequence([Static(item) for item in value.value])
        return self.call(Static(cls), [items], {}, node)

    def view_class(self, value: Value) -> type | None:
        """The class of a view of a dict; None for all else."""
        if isinstance(value, Heap) and value.id in self.views:
            name = self.views[value.id][1]
        elif isinstance(value, Keys):
            name = "keys"
        elif self.shown_table(value) is not None:
            assert isinstance(value, Generator)
            name = value.scope.source.name.removeprefix("dict_")
        else:
            return None
        return type(getattr({}, name)())

    def shown_table(self, value: Value) -> Value | None:
        """The dict of generated code whose items or values a value shows."""
        if not isinstance(value, Generator) or value.scope.globals is not vars(tables):
            return None
        return self.get(value.scope, "table")

    def views_equal(self, left: Value, right: Value, node: ast.AST) -> Value | None:
        """`==` of two views: of items, of the dicts; of values, never but with itself."""
        classes = {self.view_class(v) for v in (left, right)}
        if classes == {type({}.values())}:
            return Static(left == right)
        if classes != {type({}.items())}:
            return None
        return self.compare("==", self._seen_dict(left), self._seen_dict(right), node)

    def _seen_dict(self, view: Value) -> Value:
        """The dict that a view shows."""
        shown = self.shown_table(view)
        if shown is None:
            assert isinstance(view, Heap)
            shown = self.views[view.id][0]
        return shown

    def is_counted(self, value: Value) -> bool:
        """Whether a value is a range or a view, which are false where they have no items."""
        of_counters = isinstance(value, Iterator) and value.kind == "range"
        return of_counters or self.shown_table(value) is not None

    def shows_keys(self, value: Value) -> bool:
        """Whether a value is what `d.keys()` of a dict gives."""
        view = self.views.get(value.id) if isinstance(value, Heap) else None
        return isinstance(value, Keys) or (view is not None and view[1] == "keys")

    def keys_as_set(self, view: Value, node: ast.AST) -> Value:
        """The keys that a view shows now."""
        shown = Dyn(view.expr) if isinstance(view, Keys) else self.current(view)
        return self.call(Static(set), [shown], {}, node)

    def current(self, value: Value) -> Value:
        """What a view shows now, alone or in an iterator; all else is what it is."""
        if isinstance(value, Iterator):
            return Iterator(value.kind, tuple(map(self.current, value.parts)))
        if not isinstance(value, Heap) or value.id not in self.views:
            return value
        owner, name, seen = self.views[value.id]
        now = self.state.heap.get(owner.id)
        if now is None:  # generated code has built it: let it do so from the start
            what = "a dict whose items are gone through is built at run time meanwhile"
            why = "its items are known while compiling before the change, and not after it"
            fix = "loop over a copy: for key, value in list(d.items())"
            raise Together({owner.id}, self.refuse(what, self.running[-1][1], why, fix))
        if now is seen or not isinstance(now, Mapping):
            return value
        return self.view_of(owner, now, name)


__all__ = ["DictViews"]
