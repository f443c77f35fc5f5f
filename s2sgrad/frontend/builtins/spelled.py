"""Floor 4: builtins that are put in other words first: setattr, math.prod, einsum."""

from __future__ import annotations

import ast
import math
import string

import numpy as np

from s2sgrad.analysis.infer import element_type
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.state import Unbound
from s2sgrad.frontend.values import Dyn, Generator, Iterator, Static, Value, Yielding
from s2sgrad.ir.types import Bottom, Row, Scalar
from s2sgrad_runtime import diagonal_view

MOST_AXES = 64  # that an array may have


class SpelledOut(Base):
    """Lowering of calls that become other calls."""

    def on_setattr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`setattr(item, name, value)` with a name that is known while compiling."""
        name = self.constant_value(args[1])
        if not isinstance(name, str):
            raise self.refuse(
                "setattr() can't be transformed", node, "the attribute's name may be anything",
                "assign to the attribute of an object made inside the function, or use a dict",
            )  # fmt: skip
        self.assign_attribute(args[0], name, self.kept(name, args[2], node), node)
        return Static(None)

    def on_set_plainly(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`object.__setattr__(item, name, value)`, as a `__setattr__` ends with."""
        name = self.constant_value(args[1])
        if not isinstance(name, str):
            return self.on_setattr(args, kwargs, node)
        self.set_attribute(args[0], name, self.kept(name, args[2], node), node)
        return Static(None)

    def on_delattr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`delattr(item, name)` with a name that is known while compiling."""
        name = self.constant_value(args[1])
        if not isinstance(name, str):
            raise self.refuse(
                "delattr() can't be transformed", node, "the attribute's name may be anything",
                "name the attribute, or use a dict",
            )  # fmt: skip
        self.delete_attribute(args[0], name, node)
        return Static(None)

    def on_prod(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """math.prod, of a generator too."""
        iterates = isinstance(args[0], Iterator | Generator) or self.class_of(args[0]) is not None
        if not iterates and "start" not in kwargs and self.of_numbers(args[0]):
            return self.call_numpy(math.prod, args, kwargs, node)
        start = kwargs.get("start", Static(1))
        return self.reduce_loop(args[0], start, lambda a, b: self.binary("*", a, b, node), node)

    def of_numbers(self, items: Value) -> bool:
        """Whether what a value gives one by one are numbers, no rows."""
        known = self.static_items(items)
        if known is None:
            kind = element_type(self.residual(items).type)
            return isinstance(kind, Scalar | Bottom) and not isinstance(kind, Row)
        return all(
            isinstance(v.type, Scalar) if isinstance(v, Dyn) else isinstance(v, Static)
            for v in known
        )

    def on_fsum(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """math.fsum, of a list where it is given an iterator, a generator or an object."""
        iterators = Iterator | Generator | Yielding
        if len(args) == 1 and (isinstance(args[0], iterators) or self.class_of(args[0])):
            args = [self.comprehend_value(args[0], node)]
        return self.call_numpy(math.fsum, args, kwargs, node)

    def on_einsum(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """np.einsum; `einsum(a, [0, 1], b, [1, 2], [0, 2])` with letters for the numbers."""
        if len(args) > 1 and not self.is_text(args[0]):
            lists = [self.static_items(a) for a in args[1::2]]
            rest = self.static_items(args[-1]) if len(args) % 2 else None
            texts = [None if f is None else self._subscripts(f) for f in (*lists, rest)]
            if None in texts[:-1] or (len(args) % 2 and texts[-1] is None):
                raise self.refuse(
                    "np.einsum with subscripts that are known only at run time",
                    node,
                    "which axes are summed decides the derivative",
                    "write the subscripts as a string: np.einsum('ij,jk->ik', a, b)",
                )
            *inner, result = texts
            written = ",".join(t for t in inner if t is not None)
            written += "" if result is None else f"->{result}"
            args = [Static(written), *args[: len(args) - len(args) % 2 : 2]]
        if len(args) == 2 and not kwargs and (turned := self._turned(args[0], args[1], node)):
            return turned
        return self.call_numpy(np.einsum, args, kwargs, node)

    def _turned(self, subscripts: Value, operand: Value, node: ast.AST) -> Value | None:
        """The view that `einsum('ij->ji', a)` or `einsum('ii->i', a)` gives: nothing is summed."""
        text = self.constant_value(subscripts)
        if not isinstance(text, str) or not text.replace(" ", "").replace("->", "").isalpha():
            return None
        letters, _, found = text.replace(" ", "").partition("->")
        names = list(letters)
        wanted = found if "->" in text else "".join(sorted(c for c in names if names.count(c) == 1))
        if set(names) != set(wanted) or len(set(wanted)) != len(wanted):
            return None
        value = operand
        while twice := [c for c in dict.fromkeys(names) if names.count(c) > 1]:
            first = names.index(twice[0])
            axes = [first, names.index(twice[0], first + 1)]
            given = [value] if axes == [0, 1] else [value, Static(0), *map(Static, axes)]
            value = self.apply(diagonal_view, "diagonal_view", given, node=node)
            names = [c for i, c in enumerate(names) if i not in axes] + [twice[0]]
        order = tuple(names.index(c) for c in wanted)
        if value is not operand and order == tuple(sorted(order)):
            return value
        return self.apply(np.transpose, "np.transpose", [value, Static(order)], node=node)

    def on_nan_to_num(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """np.nan_to_num, which may write into its argument."""
        kwargs = dict(kwargs)
        copy = args.pop(1) if len(args) > 1 else kwargs.pop("copy", Static(True))
        if len(args) > 1:  # the values after `copy`
            kwargs |= dict(zip(("nan", "posinf", "neginf"), args[1:], strict=False))
        made = self.call_numpy(np.nan_to_num, args[:1], kwargs, node)
        if self.truth(copy) is not False or not isinstance(args[0], Dyn):
            return made
        return self.store_out(args[0], made, None, node)

    def _subscripts(self, items: list[Value]) -> str | None:
        """The letters for a list of numbers, which may hold an ellipsis."""
        known = [self.constant_value(i) for i in items]
        if not all(k is ... or (type(k) is int and 0 <= k < 52) for k in known):
            return None
        return "".join("..." if k is ... else string.ascii_letters[k] for k in known)

    def known_tuple(self, value: Value, node: ast.AST) -> Value | None:
        """`tuple(i for i in range(x.ndim) if i != k)` where all of it is known: axes, mostly."""
        if not isinstance(value, Generator) or len(value.node.generators) > 1:
            return None
        inner, before = value.node.generators[0], self.state.copy()
        mark, frames = len(self.builder.block), len(self.frames)
        self.frames.append(value.scope)
        try:
            source = value.first
            turned = self.on_tuple([source], {}, node) if isinstance(source, Iterator) else source
            items = self.iterate(turned, node)
            if items is None or len(items) > MOST_AXES or not all(map(self.known, items)):
                found = None
            else:
                found = self._picked(value.node.elt, inner, items)
        except Unbound:
            raise
        except UnsupportedError:
            found = None
        del self.frames[frames:]
        self.state = before
        if found is None or len(self.builder.block) > mark:
            del self.builder.block[mark:]
            return None
        return self.sequence(found)

    def _picked(
        self, element: ast.expr, inner: ast.comprehension, items: list[Value]
    ) -> list[Value] | None:
        """The known elements for the items that pass the conditions; None if any is not known."""
        self.frames.append(self.inner_frame([inner]))
        found: list[Value] = []
        for item in items:
            self.bind_pattern(inner.target, item)
            passed = [self.truth(self.test(c)) for c in inner.ifs]
            if None in passed:
                return None
            if all(passed):
                found.append(Static(self.constant_value(self.expr(element))))
        plain = all(type(v.value) in (int, bool, str) for v in found if isinstance(v, Static))
        return found if plain else None
