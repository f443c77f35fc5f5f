"""Floor 4: linked objects that the caller has made: they are in the lists from the start."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import effects, root
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.containers.row_questions import RowQuestions
from s2sgrad.frontend.values import Dyn, Heap, Instance, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOTTOM, List, Row, forget, join

ROWS = -1  # the frame of the names that hold the lists


class OutsideRows(RowQuestions):
    """The lists as they are before anything is made."""

    linking: Any
    begun: list[tuple[type, str]]  # lists that began with objects from outside, of which class

    def row_list_name(self, cls: type, field: str) -> str:
        """The name of the list of a field."""
        raise NotImplementedError

    def need_lists(self, cls: type, fields: Iterable[str]) -> None:
        """Start again where a field has no list yet."""
        raise NotImplementedError

    def outside_classes(self) -> dict[type, tuple[str, ...]]:
        """The user's classes of objects from outside, and their fields."""
        found: dict[type, tuple[str, ...]] = {}
        for contents in (*self.state.heap.values(), *self._outside_contents.values()):
            if not isinstance(contents, Instance) or not contents.outside:
                continue
            if contents.cls.__module__.split(".")[0] not in ("s2sgrad", "numpy", "scipy"):
                names = (*found.get(contents.cls, ()), *dict(contents.fields))
                found[contents.cls] = tuple(dict.fromkeys(names))
        return found

    def begin_rows(self) -> None:
        """Make the lists, with the fields of objects from outside."""
        if not self.linked:
            return
        for name, value, where in self.linking.outside.values():
            if not isinstance(value, np.ndarray | np.generic | int | float | complex):
                self.outside(name, value, where)
        known = self._outside_objects()
        for cls, fields in self.linked.items():
            objects = [dict(self.state.heap[i].fields) for i in known.get(cls, ())]  # type: ignore[union-attr]
            for held in objects:
                self.need_lists(cls, held)
            for field in fields:
                self._begin_list(
                    cls, field, [held.get(field) or self.not_set(cls, field) for held in objects]
                )

    def not_set(self, cls: type, field: str) -> Value:
        """What stands for a field that an object has not: the class may have one for all."""
        found = inspect.getattr_static(cls, field, None)
        if not isinstance(found, int | float | complex | str):
            return Static(None)
        return self.of_namespace(cls, field, found, f"{cls.__name__}.{field}")

    def _outside_objects(self) -> dict[type, list[int]]:
        """The objects of each class; what holds them holds their places from here on."""
        known: dict[type, list[int]] = {}
        order = list(self.linked)
        for identity in sorted(self.state.heap):
            contents = self.state.heap[identity]
            if isinstance(contents, Instance) and contents.outside and contents.cls in self.linked:
                same = known.setdefault(contents.cls, [])
                place = len(same) * len(order) + order.index(contents.cls)
                same.append(identity)
                kind = Row(classes=frozenset({contents.cls}))
                self._substitute_all(Heap(identity), Dyn(nodes.Const(place, type=kind)))
                for key, value in self._captured.items():
                    if value == Heap(identity):
                        self._captured[key] = Dyn(nodes.Const(place, type=kind))
        for identity in self._outside_contents:
            self._outside_contents[identity] = self.state.heap[identity]
        return known

    def _begin_list(self, cls: type, field: str, values: list[Any]) -> None:
        name = self.row_list_name(cls, field)
        exprs = tuple(self.residual(v) for v in values)
        kind: Any = BOTTOM
        for expr in exprs:
            kind = join(kind, forget(expr.type))
        var = self.builder.bind(name, nodes.Sequence("list", exprs, type=List(kind)))
        self.state.vars[ROWS, name] = Dyn(var)
        if exprs:
            self.begun.append((cls, var.name))

    def check_outside_rows(self, body: nodes.Block) -> None:
        """Refuse changes of objects from outside."""
        memory = effects(body)
        for cls, name in self.begun:
            bases = (s.base for s in nodes.walk_block(body) if isinstance(s, nodes.Mutate))
            others = [e for e in bases if not (isinstance(e, nodes.Var) and e.name == name)]
            same = memory.find(name)
            changed = any(memory.find(root(e) or "") == same for e in others)
            if changed or memory.is_written(name):
                raise UnsupportedError(
                    f"changing a {cls.__name__} from outside, or what it holds",
                    None,
                    "it belongs to the caller, and a gradient call must leave it as it was",
                    "make new objects inside the function",
                )
