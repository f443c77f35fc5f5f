"""Floor 4: what the caller passes, as typed inputs with equal letters for equal sizes."""

from __future__ import annotations

import collections
import dataclasses
import functools
import sys
from typing import Any

import numpy as np

from s2sgrad.analysis.numpy_scalars import numpy_scalar
from s2sgrad.analysis.relations import Relations
from s2sgrad.frontend.foreign import refuse_other_array, refuse_own_ways
from s2sgrad.frontend.functions.entering import Stand
from s2sgrad.frontend.functions.standing_in import stand_in
from s2sgrad.frontend.item_sizes import shape_entry
from s2sgrad.frontend.object_texts import object_text
from s2sgrad.frontend.outside import ATOMS, Outside, is_code, is_distribution
from s2sgrad.frontend.state import constant
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Instance,
    Mapping,
    Partial,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import (
    Array,
    Bottom,
    Known,
    List,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    join,
)
from s2sgrad_runtime.objects import attributes, has_attributes

_NARROW = ("float16", "float32", "complex64")


class Anything:
    """Stands for an argument of which nothing is known: a float, or an array of any rank."""


ANYTHING = Anything()


class Letters:
    """Letters for sizes: equal sizes of one call get the same letter.

    origin: letter -> how it is read off the arguments; also the sizes that letters were replaced
    by. actual: letter -> its number in the call that is compiled. relations: letter -> what
    replaces it.
    """

    NAMES = "nmdkpqrstuvwxyzabcefghijlo"

    def __init__(self, relations: Relations | None = None) -> None:
        self.by_size: dict[Any, str] = {}
        self.origin: dict[str | sizes.Size, nodes.Expr] = {}
        self.actual: dict[str, int] = {}
        self.relations = dict(relations or {})
        self.integers = 0

    def size(self, number: int, origin: nodes.Expr) -> sizes.Size:
        """0 and 1 are part of the pattern; other sizes get a letter."""
        if number < 2:
            return sizes.of(number)
        return self.named(number, origin, number)

    def named(self, key: Any, origin: nodes.Expr, number: int | None = None) -> sizes.Size:
        """The letter for a size; key: the number, or the size in another function's letters."""
        if key not in self.by_size:
            i = len(self.by_size)
            self.by_size[key] = self.NAMES[i] if i < len(self.NAMES) else f"n{i}"
            self._found(self.by_size[key], origin, number)
        return self.resolved(sizes.of(self.by_size[key]))

    def integer(self, origin: nodes.Expr, number: int | None = None) -> sizes.Size:
        """The size that stands for one more integer argument."""
        self.integers += 1
        letter = f"int_{self.integers}"
        self._found(letter, origin, number)
        return self.resolved(sizes.of(letter))

    def _found(self, letter: str, origin: nodes.Expr, number: int | None) -> None:
        self.origin[letter] = origin
        if number is not None:
            self.actual[letter] = number

    def resolved(self, size: sizes.Size) -> sizes.Size:
        """The size by the relations; it can still be read off where its letter could."""
        result = sizes.substituted(size, self.relations)
        for letter in result.letters():
            self.derive(letter)
        if result != size and size.letter is not None and result.constant is None:
            self.origin.setdefault(result, self.origin[size.letter])
        return result

    def derive(self, letter: str) -> bool:
        """Whether a letter can be read off the arguments; `n/4` can where n can."""
        if letter in self.origin:
            return True
        base, _, divisor = letter.rpartition("/")
        if not base or not self.derive(base):
            return False
        args = (self.origin[base], nodes.Const(int(divisor), type=Scalar("int")))
        whole = nodes.Call(np.floor_divide, "//", args, form="operator", type=Scalar("int"))
        number = self.actual.get(base)
        self._found(letter, whole, None if number is None else number // int(divisor))
        return True


def type_of_object(value: Any) -> Type | None:
    """The type of a leaf without sizes; None for containers and objects."""
    if type(value) in (float, complex, int):
        return Scalar(type(value).__name__)
    if isinstance(value, np.generic | np.ndarray) and value.dtype.names is not None:
        return Opaque("records")
    if isinstance(value, np.generic) and value.dtype.kind in "biufcV":
        return numpy_scalar(str(value.dtype))
    refuse_other_array(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufcV":
        return Array(str(value.dtype.newbyteorder("=")), (None,) * value.ndim)
    return None


def uniform_list(value: list[Any]) -> Type | None:
    """The element type of a list whose elements are alike, else None."""
    kind: Type = Bottom()
    for item in value:
        found = element_of(item)
        joined = None if found is None else join(kind, found)
        if joined is None or isinstance(joined, Number | Opaque) or not _same_make(joined):
            return None
        if not isinstance(kind, Bottom) and _makes(found) != _makes(kind):
            return None
        kind = joined
    return kind if not isinstance(kind, Bottom) else None


def element_of(item: Any) -> Type | None:
    """The type of an item of a list; None where generated code can't hold it."""
    if isinstance(item, list):
        inner = uniform_list(item)
        return None if inner is None else List(inner)
    if isinstance(item, tuple) and not hasattr(item, "_fields"):
        parts = [element_of(i) for i in item]
        return None if None in parts else Tuple(tuple(parts))  # type: ignore[arg-type]
    return type_of_object(item)


def _any_scattered(items: list[Any] | tuple[Any, ...]) -> bool:
    """Whether an array in a list, or in lists in it, does not lie in C order."""
    if isinstance(items[0] if items else None, float | int):
        return False
    return any(
        _any_scattered(item)
        if isinstance(item, list | tuple)
        else isinstance(item, np.ndarray) and not item.flags.c_contiguous
        for item in items
    )


def _makes(kind: Any) -> Any:
    """What of a type an item keeps beside others: the dtype of arrays and of NumPy's narrow
    numbers, and whether a number is complex."""
    if isinstance(kind, Tuple):
        return tuple(map(_makes, kind.items))
    if isinstance(kind, List):
        return _makes(kind.item)
    if isinstance(kind, Array) or (isinstance(kind, Scalar) and kind.dtype in _NARROW):
        return kind.dtype
    return isinstance(kind, Scalar) and is_complex_dtype(kind.dtype)


def _same_make(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return all(_same_make(i) and not isinstance(i, Opaque | Number) for i in kind.items)
    return not (isinstance(kind, Array) and kind.shape is None)


class Inputs(Outside):
    """Turns real objects into values; every leaf becomes an input of the generated function."""

    ordered: bool

    def start_inputs(self, general: bool, relations: Relations | None = None) -> None:
        """Begin with no inputs."""
        self.letters = Letters(relations)
        self.inputs: dict[str, nodes.Expr] = {}
        self.general = general
        self.captures: dict[str, tuple[str, Any]] = {}
        self._captured: dict[tuple[str, int], Value] = {}
        self._seen: dict[tuple[str, int], tuple[str, Any, Any]] = {}
        self._objects: dict[int, Value] = {}
        self.places: dict[int, nodes.Expr] = {}
        self.changed_places: set[int] = set()
        self.compared_places: set[tuple[int, int]] = set()
        self.guards: dict[tuple[Any, ...], Any] = {}
        self.scattered = False  # whether an array may not lie in C order
        self.outside_variables = set()
        self.outside_ids = set()
        self.class_ids = set()
        self.filling_ids = set()
        self._outside_contents = {}

    def input_value(self, value: Any, path: nodes.Expr, name: str) -> Value:
        """The value for what the caller passes at `path` (an expression on the parameters).

        What is passed in two places is taken for two things, as the derivative by one of them
        leaves the other as it is; where code could tell, calls are checked (calls/sharing.py). Only
        an object that an argument holds in several places, itself perhaps, is one.
        """
        self._objects = {}
        return self._input_part(value, path, name)

    def _input_part(self, value: Any, path: nodes.Expr, name: str) -> Value:
        if value is ANYTHING:
            return Dyn(self._leaf(name, Number("float64"), path))
        if isinstance(value, Stand):
            return self.stand_in(value, path, name)
        kind = type_of_object(value)
        if kind is not None:
            self.scattered |= isinstance(kind, Array) and not value.flags.c_contiguous
            return Dyn(self._leaf(name, self._sized(kind, value, path), path))
        if isinstance(value, ATOMS) or is_code(value):
            return Static(value, _text(path))
        if id(value) in self._objects:
            return self._objects[id(value)]
        made = self._container(value, path, name)
        if isinstance(made, Heap):
            self.places[made.id] = path
        return made

    def _sized(self, kind: Type, value: Any, path: nodes.Expr) -> Type:
        if isinstance(kind, Array):
            shape = tuple(
                self.letters.size(n, shape_entry(path, i)) for i, n in enumerate(value.shape)
            )
            return Array(kind.dtype, shape)
        if isinstance(kind, Scalar) and kind.dtype == "int":
            size = self.letters.integer(path, value)
            return Scalar("int", size)
        return kind

    def _leaf(self, name: str, kind: Type, path: nodes.Expr) -> nodes.Var:
        var = self.builder.fresh(name, kind)
        if not (isinstance(path, nodes.Var) and path.name == var.name):
            self.inputs[var.name] = path
        return var

    def _container(self, value: Any, path: nodes.Expr, name: str) -> Value:
        refuse_own_ways(value)
        if isinstance(value, list):
            item = uniform_list(value)
            if item is not None:
                self.scattered |= _any_scattered(value)
                return Dyn(self.given_list(name, item, value, path))
        if isinstance(value, list | tuple):
            kind = "list" if isinstance(value, list) else "tuple"
            items = [
                self._input_part(v, _item(path, i), f"{name}_{i}") for i, v in enumerate(value)
            ]
            return self.new(
                Sequence(kind, tuple(items), type(value) if hasattr(value, "_fields") else None)
            )
        if isinstance(value, dict):
            self.ordered |= isinstance(value, collections.OrderedDict)
            rows = []
            for key, item in value.items():
                label = (
                    f"{name}_{key}"
                    if str(key).isidentifier() or isinstance(key, int)
                    else f"{name}_item"
                )
                rows.append((key, self._input_part(item, _item(path, key), label)))
            cls = dict_class(value)
            made = self.new(Mapping(tuple(rows), cls, vars(value) is value if cls else False))
            if getattr(value, "default_factory", None) or isinstance(value, collections.Counter):
                self.filling_ids.add(made.id)
            return made
        fields = object_fields(value)
        if isinstance(value, functools.partial):
            return self._partial_object(value, path, name)
        if fields is None:
            return Dyn(self._leaf(name, Opaque(type(value).__name__, type(value)), path))
        cls = stand_in(type(value)) or type(value)
        placeholder = self.new(Instance(cls, (), True, True))
        self._objects[id(value)] = placeholder
        at = functools.partial(_attribute, path)
        rows = [(k, self._input_part(v, at(k), f"{name}_{k}")) for k, v in fields.items()]
        self.state.heap[placeholder.id] = Instance(cls, tuple(rows), True, True)
        return placeholder

    def _partial_object(self, value: functools.partial[Any], path: nodes.Expr, name: str) -> Value:
        """A function with some of its arguments given, which are read at each call."""
        args, named = _attribute(path, "args"), _attribute(path, "keywords")
        return Partial(
            self._input_part(value.func, _attribute(path, "func"), name),
            tuple(
                self._input_part(v, _item(args, i), f"{name}_{i}") for i, v in enumerate(value.args)
            ),
            tuple((k, self._input_part(v, _item(named, k), k)) for k, v in value.keywords.items()),
        )


@dataclasses.dataclass(frozen=True)
class Above:
    """Stands, where an argument's structure is followed, for an object that was met before."""

    id: int


def structure(heap: dict[int, Any], arguments: dict[str, Value]) -> dict[int, Any]:
    """The contents of arguments, in which each object is followed where it is met first."""
    found, met = dict(heap), set()

    def followed(part: Value) -> Value:
        if not isinstance(part, Heap):
            return part
        if part.id in met:
            return Static(Above(part.id))
        met.add(part.id)
        contents = heap[part.id]
        if isinstance(contents, Sequence):
            new = dataclasses.replace(contents, items=tuple(map(followed, contents.items)))
        else:
            name = "fields" if isinstance(contents, Instance) else "items"
            rows = tuple((k, followed(v)) for k, v in getattr(contents, name))
            new = dataclasses.replace(contents, **{name: rows})
        found[part.id] = new
        return part

    for value in arguments.values():
        followed(value)
    return found


def dict_class(value: dict[Any, Any]) -> type | None:
    """The user's class of a dict that has attributes; None for dicts of the standard library."""
    cls = type(value)
    plain = cls.__module__ in ("builtins", "collections") or not hasattr(value, "__dict__")
    return None if plain else cls


def object_fields(value: Any) -> dict[str, Any] | None:
    """The fields of a plain object of the user's, or of a class that has a stand-in which names
    them; None for others (generators, files...)."""
    cls = type(value)
    root = cls.__module__.split(".")[0]
    if root in ("numpy", "scipy") and (known := getattr(stand_in(cls), "FIELDS", None)):
        return {name: _field(value, name) for name in known}
    if root in ("numpy", "builtins", "scipy", "logging", "random", "io", "threading"):
        return None
    if isinstance(value, functools.partial):
        return {"func": value.func, "args": value.args, "keywords": value.keywords}
    has_any = hasattr(value, "__dict__") or has_attributes(value)
    return attributes(value) if has_any else None


def _field(value: Any, name: str) -> Any:
    """An attribute; a frozen distribution has a copy of what it was made from."""
    part = getattr(value, name)
    known = getattr(sys.modules.get("scipy.stats"), getattr(part, "name", ""), part)
    return known if is_distribution(part) and type(known) is type(part) else part


def _item(path: nodes.Expr, key: Any) -> nodes.Expr:
    member = isinstance(key, str | bytes) and type(key) not in (str, bytes)  # of an enumeration
    part = nodes.Ref(object_text(key), key, type=Known(key)) if member else constant(key)
    return nodes.Index(path, (part,))


def _attribute(path: nodes.Expr, name: str) -> nodes.Expr:
    return nodes.Call("attribute", name, (path,), form="attribute")


def _text(path: nodes.Expr) -> str:
    return path.name if isinstance(path, nodes.Var) else ""
