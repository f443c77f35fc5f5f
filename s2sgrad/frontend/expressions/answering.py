"""Floor 4: which object's class answers an operator, and where NumPy answers before it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.models.generators import found_in
from s2sgrad.frontend.values import Dyn, Generator, Instance, Static, Value
from s2sgrad.frontend.values import Iterator as Iterated
from s2sgrad.ir.types import Array, Number, Scalar

METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod",
    "**": "pow", "@": "matmul", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq",
    "!=": "ne", "in": "contains", "|": "or", "&": "and", "^": "xor", "<<": "lshift",
    ">>": "rshift",
}  # fmt: skip
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_PYTHON = ("bool", "int", "float", "complex")


class Answering(Base):
    """Lowering of operators of user classes."""

    def of_classes(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """An operator that the class of one side defines; the other side's is tried then."""
        if sign not in METHODS:
            return None
        if sign == "in" and isinstance(right, Generator | Iterated):
            if isinstance(right, Generator) and self.acts(right):
                return self.call(Static(found_in), [right, left], {}, node)
            if isinstance(right, Generator) or right.kind in ("map", "zip", "enumerate"):
                right = self.call(Static(list), [right], {}, node)
                return self.compare("in", left, right, node)
        if sign in ("==", "!=") and (asked := self._none_apart(sign, left, right, node)):
            return asked
        declined = False
        for one, other, name in self._answering_in_turn(sign, left, right):
            cls = self.class_of(one)
            if cls is None:
                continue
            if defines(cls, name):
                if one is right and sign != "in":
                    self._check_deferred(left, cls, node)
                made = self.record_compared(cls, name, one, other, node)
                if made is None:
                    made = self.call(self.attribute(one, name, node), [other], {}, node)
                if not has_declined(made):
                    return made
                declined = True
            elif sign == "in" and self._is_object(right):
                if (items := self.as_they_come(right, node)) is not right:
                    return self.call(Static(found_in), [items, left], {}, node)
                return self.compare("in", left, self.call(Static(list), [right], {}, node), node)
            elif sign == "!=" and defines(cls, "__eq__"):
                return self.negated(self.compare("==", left, right, node), node)
        return self._of_none(sign, left, right, node) if declined else None

    def _none_apart(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """`a == b` where one of them may be None, or an object whose class has an answer: None
        has its own. None for other values."""
        sides = dict(zip(("<left>", "<right>"), (left, right), strict=True))
        for name, value in sides.items():
            cls = self.class_of(value)
            if cls is None or self.not_none(value) is value:
                continue
            if not (defines(cls, "__eq__") or defines(cls, "__ne__")):
                continue
            for key, side in sides.items():
                held = Dyn(self.named(side, "side", node)) if isinstance(side, Dyn) else side
                self.set(self.frame, key, held)
            made = self.expr(_with_none_apart(sign, name, node))
            for key in sides:
                self.state.vars.pop((self.frame.id, key), None)
            return made
        return None

    def _answering_in_turn(
        self, sign: str, left: Value, right: Value
    ) -> Iterator[tuple[Value, Value, str]]:
        """Who is asked in turn: the object, the other one, the name of the method."""
        name = METHODS[sign]
        if sign == "in":  # the container is asked
            yield right, left, f"__{name}__"
            return
        mirrored = METHODS[_MIRRORED[sign]] if sign in _MIRRORED else f"r{name}"
        plain, swapped = (left, right, f"__{name}__"), (right, left, f"__{mirrored}__")
        one, other = self.class_of(left), self.class_of(right)
        if one is None or other is None or not issubclass(other, one):
            yield from (plain, swapped)
        elif one is other:  # what has declined isn't asked the other way round, but to compare
            yield from (plain, swapped) if sign in _MIRRORED else (plain,)
        elif sign in _MIRRORED or _method(one, swapped[2]) is not _method(other, swapped[2]):
            yield from (swapped, plain)  # a subclass knows more
        else:
            yield from (plain, swapped)

    def _is_object(self, value: Value) -> bool:
        return isinstance(self.contents(value), Instance) or self.held_object(value) is not None

    def _check_deferred(self, left: Value, cls: type, node: ast.AST) -> None:
        """Refuse an operator of a NumPy value that does not leave the answer to the object.

        Such an object stands for an array of its entries, or is combined with each entry of the
        array in turn, to an array of objects.
        """
        rank = _numpy_rank(left)
        if rank is None or getattr(cls, "__array_ufunc__", MISSING) is None:
            return
        stands_for_array = hasattr(cls, "__array__") or (
            hasattr(cls, "__len__") and hasattr(cls, "__getitem__")
        )
        asks_first = getattr(cls, "__array_priority__", -np.inf) > 0
        alone = rank == 0 and not stands_for_array
        if (asks_first or alone) and not hasattr(cls, "__array_ufunc__"):
            return
        raise self.refuse(
            f"an operator of a NumPy value on the left and an object of class {cls.__name__}",
            node,
            "NumPy answers it, from the entries of either, before the class of the object is asked",
            "set __array_ufunc__ = None in the class, or write the object on the left",
        )

    def _of_none(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        """What Python does where every method has returned NotImplemented."""
        if sign in ("==", "!="):
            return self.compare("is" if sign == "==" else "is not", left, right, node)
        raise self.refuse(
            f"'{sign}' of objects whose methods return NotImplemented",
            node,
            "Python raises a TypeError here as well",
            "let the method of one of the classes take the other one",
        )


def _with_none_apart(sign: str, name: str, node: ast.AST) -> ast.expr:
    """`None == b if a is None else a == b`, of the sides of a comparison."""
    op: ast.cmpop = ast.Eq() if sign == "==" else ast.NotEq()
    left, right = (ast.Name(n, ast.Load()) for n in ("<left>", "<right>"))
    none = ast.Constant(None)
    test = ast.Compare(ast.Name(name, ast.Load()), [ast.Is()], [none])
    of_none = (none, right) if name == "<left>" else (left, none)
    compared = ast.Compare(of_none[0], [op], [of_none[1]])
    made = ast.IfExp(test, compared, ast.Compare(left, [op], [right]))
    for part in ast.walk(made):
        ast.copy_location(part, node)
    return made


def has_declined(answer: Value) -> bool:
    """Whether a method has returned NotImplemented."""
    return isinstance(answer, Static) and answer.value is NotImplemented


def _numpy_rank(value: Value) -> float | None:
    """The rank of what NumPy has made, inf where only a run knows it; None for all else."""
    if isinstance(value, Static):
        return np.ndim(value.value) if isinstance(value.value, np.ndarray | np.generic) else None
    kind = value.type if isinstance(value, Dyn) else None
    if isinstance(kind, Scalar):
        return None if kind.dtype in _PYTHON else 0
    if isinstance(kind, Array) and kind.shape is not None:
        return len(kind.shape)
    return np.inf if isinstance(kind, Array | Number) else None


def _method(cls: type, name: str) -> object:
    """A method of a class or its bases; not one that the class has as an object, as `type`'s |."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def defines(cls: type, name: str) -> bool:
    """Whether a class has a method of its own, not a plain tuple's or object's."""
    found = _method(cls, name)
    return found is not None and found not in (_method(tuple, name), _method(object, name))


__all__ = ["METHODS", "Answering", "defines", "has_declined"]
