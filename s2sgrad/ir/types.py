"""Floor 1: the types of values: what the compiler knows about them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import reduce
from typing import Any

from s2sgrad.ir.dtypes import is_float_dtype, joined_dtype, same_number
from s2sgrad.ir.sizes import Shape, Size

UNKNOWN = object()  # stands for "no known constant value"


@dataclass(frozen=True, slots=True)
class Type:
    """Base of all types."""


@dataclass(frozen=True, slots=True)
class Scalar(Type):
    """An immutable number. dtype: 'bool', 'int', 'float', 'complex' for Python's own (weak)
    numbers, or a NumPy dtype name for NumPy scalars. size: the symbolic value of an integer.
    value: the number where it is a known constant."""

    dtype: str
    size: Size | None = None
    value: Any = UNKNOWN


@dataclass(frozen=True, slots=True)
class Truth(Scalar):
    """A truth value of NumPy's, not Python's own. sure: False where a run's path decides it."""

    dtype: str = "bool"
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Member(Scalar):
    """A number that stands for a member of an IntEnum."""

    dtype: str = "int"
    cls: type[Enum] | None = None


@dataclass(frozen=True, slots=True)
class Row(Scalar):
    """The place of an object, of one of these classes, in lists of its fields."""

    dtype: str = "int"
    classes: frozenset[Any] = frozenset()


@dataclass(frozen=True, slots=True)
class Pick(Row):
    """The number of a function, of those with the numbers in `classes`."""


@dataclass(frozen=True, slots=True)
class Array(Type):
    """An ndarray. dtype: NumPy name or None; shape: sizes, None where the rank isn't known."""

    dtype: str | None
    shape: Shape | None


@dataclass(frozen=True, slots=True)
class Number(Type):
    """A float or an array, not known which."""

    dtype: str | None = None


def same_constant(one: Any, two: Any) -> bool:
    """Whether two objects are the same constant; 1 is not True, and np.dtype(float) is not None,
    though NumPy calls these equal."""
    return one is two or (type(one) is type(two) and bool(one == two))


@dataclass(frozen=True, slots=True)
class Known(Type):
    """A constant object: a string, None, a function, a module, a dtype..."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and same_constant(self.value, other.value)


@dataclass(frozen=True, slots=True)
class Tuple(Type):
    """A tuple of known length. made_by: the named tuple class, if it is one. listed: a list of
    NumPy's, as `np.split` gives it, which is not to be changed."""

    items: tuple[Type, ...]
    made_by: Any = None
    listed: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class List(Type):
    """A list of any length whose elements share a type. fixed: or a tuple of any length.
    either: the one on some paths, the other on others; then fixed too. each: which sizes are equal
    within each item; see item_sizes.py. count: its length."""

    item: Type
    fixed: bool = False
    each: Type | None = None
    count: Size | None = None
    either: bool = False


@dataclass(frozen=True, slots=True)
class Dict(Type):
    """A dict. item: what covers the types of all values.

    fields: (key, type of its value), where all keys are known: a record; None for other dicts.
    made_by: the class of the object that generated code holds as a record of its fields.
    """

    key: Type
    item: Type
    fields: tuple[tuple[Any, Type], ...] | None = None
    made_by: Any = None


@dataclass(frozen=True, slots=True)
class Maybe(Type):
    """None or a value of the type."""

    item: Type


@dataclass(frozen=True, slots=True)
class Again(Type):
    """Inside a `Nested`: the whole of it again."""


@dataclass(frozen=True, slots=True)
class Nested(Type):
    """None, or a node that holds such nodes: of a linked list, or a tree of any depth.

    record: the type of a node, with `Again` where it holds others. Only what a container holds
    has such a type; `unfolded` gives it for a variable.
    """

    record: Type


@dataclass(frozen=True, slots=True)
class Opaque(Type):
    """Any other object; it carries no derivative. cls: its class, where it comes from outside.
    objects: where its kind differs by path, whether it may be what generated code has no like of.
    """

    what: str = ""
    cls: type | None = field(default=None, compare=False, repr=False)
    objects: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bottom(Type):
    """No value yet: the element type of an empty list, a variable not bound on this path."""


BOTTOM = Bottom()
NONE = Known(None)
BOOL = Scalar("bool")
INT = Scalar("int")
FLOAT = Scalar("float")
STR = Opaque("str")
LENT = Opaque("lent")  # an object that may lie in the memory of arrays: `flags.view(bool)`


def carries(kind: Type) -> bool:
    """Whether values of a type can carry a derivative."""
    if isinstance(kind, Scalar | Array | Number):
        return is_float_dtype(kind.dtype)
    if isinstance(kind, Tuple):
        return any(carries(item) for item in kind.items)
    if isinstance(kind, Dict) and kind.fields:
        return any(carries(item) for _, item in kind.fields)
    if isinstance(kind, List | Dict | Maybe):
        return carries(kind.item)
    if isinstance(kind, Nested):
        return carries(kind.record)
    return kind == Opaque("mixed")  # it may: refused where a derivative is asked for


def is_number(kind: Type) -> bool:
    """Whether a type is a number or an array of numbers."""
    return isinstance(kind, Scalar | Array | Number)


def shape_of(kind: Type) -> Shape | None:
    """The shape of a numeric type; None where the rank isn't known."""
    return () if isinstance(kind, Scalar) else getattr(kind, "shape", None)


def forget(kind: Type) -> Type:
    """The type without known constants: what a variable has that changes in a loop."""
    if isinstance(kind, Scalar):
        return replace(kind, size=None, value=UNKNOWN)
    if isinstance(kind, Known) and isinstance(kind.value, str):
        return STR
    return spelled_out(kind)


def spelled_out(kind: Type) -> Type:
    """The type of a constant tuple as that of a tuple; other types as they are."""
    if not isinstance(kind, Known) or type(kind.value) is not tuple:
        return kind
    numbers = (bool, int, float, complex)
    parts = (Scalar(type(v).__name__) if type(v) in numbers else Known(v) for v in kind.value)
    return Tuple(tuple(map(forget, parts)))


def join(a: Type, b: Type) -> Type:
    """The most precise type that covers both."""
    if a == b:
        return b if may_be_object(b) else a
    a, b = spelled_out(a), spelled_out(b)
    if isinstance(a, Bottom):
        return b
    if isinstance(b, Bottom):
        return a
    if isinstance(a, Nested) or isinstance(b, Nested):
        return _join_nested(a, b) if isinstance(a, Nested) else _join_nested(b, a)  # type: ignore[arg-type]
    if Again() in (a, b) and NONE in (a, b):
        return Again()
    if isinstance(a, Maybe) or isinstance(b, Maybe) or NONE in (a, b):
        return _join_none(a, b)
    if isinstance(a, Row) or isinstance(b, Row):
        if not (isinstance(a, Row) and type(a) is type(b)):
            return Opaque("mixed", objects=True)
        return type(a)(classes=a.classes | b.classes)  # type: ignore[attr-defined]
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        size = a.size if a.size == b.size else None
        value = a.value if same_number(a.value, b.value) else UNKNOWN
        dtype = joined_dtype(a.dtype, b.dtype)
        assert dtype is not None
        if isinstance(a, Member) and isinstance(b, Member) and a.cls is b.cls:
            return replace(a, size=size, value=value)
        if dtype == "bool" and Truth in (type(a), type(b)):
            return Truth(value=value, sure=all(getattr(k, "sure", False) for k in (a, b)))
        return Scalar(dtype, size, value)
    if isinstance(a, Array) and isinstance(b, Array):
        dtype = a.dtype if a.dtype == b.dtype else joined_dtype(a.dtype, b.dtype)
        return Array(dtype, _join_shapes(a.shape, b.shape))
    if is_number(a) and is_number(b):
        dtypes = [k.dtype for k in (a, b) if isinstance(k, Scalar | Array | Number)]
        return Number(joined_dtype(*dtypes))
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        items = tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True))
        return Tuple(items, a.made_by if a.made_by is b.made_by else None)
    if isinstance(a, List | Tuple) and isinstance(b, List | Tuple):
        return _join_sequences(a, b)
    if isinstance(a, Dict) and isinstance(b, Dict):
        if a.made_by is not b.made_by:
            return Opaque("mixed", objects=True)
        return Dict(join(a.key, b.key), join(a.item, b.item), _join_fields(a, b), a.made_by)
    if (kept := _of_constants(a)) is not None and kept == _of_constants(b):
        return kept
    declined = any(isinstance(k, Known) and k.value is NotImplemented for k in (a, b))
    return Opaque("mixed", objects=not declined and (may_be_object(a) or may_be_object(b)))


def may_be_object(kind: Type) -> bool:
    """Whether a value may be an object that generated code holds as a dict or a number."""
    made = isinstance(kind, Dict) and kind.made_by is not None
    return made or isinstance(kind, Row) or getattr(kind, "objects", False)


def _join_sequences(a: List | Tuple, b: List | Tuple) -> Type:
    """Tuples of several lengths are like lists that nobody changes."""
    tuples = [isinstance(k, Tuple) or k.fixed for k in (a, b)]
    either = tuples[0] != tuples[1] or any(isinstance(k, List) and k.either for k in (a, b))
    item: Type = BOTTOM
    for kind in (a, b):
        if isinstance(kind, Tuple) and kind.made_by is not None:
            return Opaque("mixed")
        for part in kind.items if isinstance(kind, Tuple) else (kind.item,):
            item = join(item, part)
    return item if item == Opaque("mixed") else List(item, any(tuples), either=either)


def _join_fields(a: Dict, b: Dict) -> tuple[tuple[Any, Type], ...] | None:
    """The fields of either record; a key that only one of them has may be missing."""
    if a.fields is None or b.fields is None:
        return None
    first, second = dict(a.fields), dict(b.fields)
    keys = dict.fromkeys((*first, *second))
    return tuple((k, join(first.get(k, BOTTOM), second.get(k, BOTTOM))) for k in keys)


def _of_constants(kind: Type) -> Opaque | None:
    """What one of several texts is, or one of the members of an enumeration."""
    value = kind.value if isinstance(kind, Known) else None
    if isinstance(value, Enum):
        return Opaque(f"member of {type(value)}", type(value))
    if kind == STR or isinstance(value, str):
        return STR
    return kind if member_class(kind) is not None else None  # type: ignore[return-value]


def member_class(kind: Type) -> type[Enum] | None:
    """The enumeration that values of a type are members of."""
    cls = kind.cls if isinstance(kind, Opaque) and kind.what.startswith("member of") else None
    return cls  # type: ignore[return-value]


def _join_none(a: Type, b: Type) -> Type:
    inner_a = a.item if isinstance(a, Maybe) else BOTTOM if a == NONE else a
    inner_b = b.item if isinstance(b, Maybe) else BOTTOM if b == NONE else b
    both = join(inner_a, inner_b)
    return both if both == Opaque("mixed") else Maybe(both)


def _join_shapes(a: Shape | None, b: Shape | None) -> Shape | None:
    known = a is not None and b is not None and len(a) == len(b)
    return tuple(p if p == q else None for p, q in zip(a, b, strict=True)) if known else None  # type: ignore[arg-type]


DEEP = 3  # nodes inside each other, from which on they are taken for a tree of any depth


def unfolded(kind: Type) -> Type:
    """The type of a variable: nodes inside it may be nested, it is not."""
    if not isinstance(kind, Nested):
        return kind
    return Maybe(_mapped(kind.record, lambda part: kind if part == Again() else None))


def _join_nested(a: Nested, b: Type) -> Type:
    if b == NONE:
        return a
    make = make_of(a.record)
    found = [a.record]
    return Nested(covering(found)) if closed(b, make, found) == Again() else Opaque("mixed")


def covering(kinds: list[Type]) -> Type:
    """The type that covers all of these."""
    start: Type = BOTTOM
    return reduce(join, kinds, start)


def make_of(kind: Type) -> Any:
    """What nodes of a tree have in common: the length of tuples, or the keys."""
    if isinstance(kind, Tuple):
        return (len(kind.items), kind.made_by)
    if isinstance(kind, Dict) and kind.fields:
        return (tuple(key for key, _ in kind.fields), kind.made_by)
    return None


def depth_of(kind: Type, make: Any) -> int:
    """How many nodes of a make hold each other, down to the deepest one."""
    if isinstance(kind, Nested):
        return DEEP
    deepest = max((depth_of(part, make) for part in type_parts(kind)), default=0)
    return deepest + (make_of(kind) == make)


def closed(kind: Type, make: Any, found: list[Type]) -> Type:
    """The type with `Again` for nodes of a make; what these are is added to `found`."""
    node = kind.item if isinstance(kind, Maybe) else kind
    if isinstance(node, Nested) and make_of(node.record) == make:
        found.append(node.record)
        return Again()
    inner = _mapped(node, lambda part: closed(part, make, found))
    if make_of(node) == make:
        found.append(inner)
        return Again()
    return Maybe(inner) if isinstance(kind, Maybe) else inner


def type_parts(kind: Type) -> tuple[Type, ...]:
    """The types of what a tuple, list or dict holds."""
    if isinstance(kind, Tuple):
        return kind.items
    if isinstance(kind, Dict) and kind.fields:
        return tuple(part for _, part in kind.fields)
    return (kind.item,) if isinstance(kind, List | Dict | Maybe) else ()


def _mapped(kind: Type, change: Any) -> Type:
    """The type with its parts changed; `change` gives None for those to look into."""

    def go(part: Type) -> Type:
        return change(part) or _mapped(part, change)

    if isinstance(kind, Tuple):
        return replace(kind, items=tuple(map(go, kind.items)))
    if isinstance(kind, Dict) and kind.fields:
        fields = tuple((key, go(part)) for key, part in kind.fields)
        return replace(kind, fields=fields, item=covering([part for _, part in fields]))
    return replace(kind, item=go(kind.item)) if isinstance(kind, List | Dict | Maybe) else kind
