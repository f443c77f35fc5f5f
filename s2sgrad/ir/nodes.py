"""Floor 1: frozen nodes of the typed, structured representation.

Expressions are trees; each has a `type`. Statements form blocks (tuples); loops and branches
hold blocks. Array statements that write in place are `Store`s; everything else is pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from s2sgrad.errors import Span
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.types import FLOAT, NONE, Opaque, Type, same_constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Base of expressions and statements."""

    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr(Node):
    """Base of expressions. type: what is known of the value."""

    type: Type = field(default=FLOAT, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Var(Expr):
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """A literal number, string, None, True..."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and same_constant(self.value, other.value)


@dataclass(frozen=True, slots=True)
class Ref(Expr):
    """A named object from outside: `np.float64`, a module constant; `text` is how it prints."""

    text: str
    value: Any = field(compare=False)


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A pure operation. form: 'call', 'operator', 'method' or 'attribute', as it prints.

    text: the operator's sign, the method's or attribute's name, or the function's path.
    augmented: whether the user wrote `x += y`: where x is bound again to it, it prints so.
    """

    function: Any
    text: str
    args: tuple[Expr, ...]
    kwargs: tuple[tuple[str, Expr], ...] = ()
    form: str = "call"
    augmented: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Slice(Expr):
    """`lower:upper:step`."""

    lower: Expr | None
    upper: Expr | None
    step: Expr | None


@dataclass(frozen=True, slots=True)
class Index(Expr):
    """`base[index]`; several index parts print with commas."""

    base: Expr
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Sequence(Expr):
    """A tuple or list display. kind: 'tuple' or 'list'."""

    kind: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Mapping(Expr):
    """A dict display."""

    keys: tuple[Expr, ...]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choice(Expr):
    """`then if test else orelse`."""

    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True)
class Text(Expr):
    """Source text with expressions spliced in at `{}` (f-strings and other forward-only code)."""

    template: tuple[str, ...]
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Stmt(Node):
    """Base of statements."""

    pass


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    """targets = values, evaluated together. move: a copy made by the compiler at a join.

    nothing: the user's name for a target that has no value here; what is assigned is none.
    """

    targets: tuple[str, ...]
    values: tuple[Expr, ...]
    move: bool = False
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Unpack(Stmt):
    """One value with several outputs bound to names."""

    targets: tuple[str, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Store(Stmt):
    """base[index] = value, or with `op` (a ufunc's sign): base[index] op= value.

    An empty index with an op is `base op= value`; without one it is `base[...] = value`.
    """

    base: Expr
    index: tuple[Expr, ...]
    value: Expr
    op: str = ""


@dataclass(frozen=True, slots=True)
class Mutate(Stmt):
    """A list or dict method that changes `base`: append, pop, extend, insert, clear...

    target: the name that takes the result (of pop), or None.
    """

    base: Expr
    method: str
    args: tuple[Expr, ...]
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    """An expression evaluated for its effect (print, logging, assert, raise): no derivative.

    keyword: '' or 'assert' / 'raise'.
    """

    value: Expr
    keyword: str = ""
    extra: Expr | None = None


Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class If(Stmt):
    """`if test: then else: orelse`."""

    test: Expr
    then: Block
    orelse: Block


@dataclass(frozen=True, slots=True)
class For(Stmt):
    """`for target in source: body`; several targets are unpacked from a zip of the sources.

    sources: Call of range, or a sequence expression; of "count" for a counter, which prints as
    enumerate.
    """

    targets: tuple[str, ...]
    sources: tuple[Expr, ...]
    body: Block
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class While(Stmt):
    """`while test: body`."""

    test: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Exit(Stmt):
    """'break' or 'continue'; always last in its block."""

    kind: str


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    """`return value`."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Splice(Stmt):
    """Code of the user's for the reverse sweep, at this place.

    value: the variable whose cotangent it is about. bar: its name in the body. result: what the
    cotangent is after the body. The forward sweep does nothing here.
    """

    value: Expr
    bar: str
    body: Block
    result: Expr


@dataclass(frozen=True, slots=True)
class Comment(Stmt):
    """A line of its own: a comment, or an empty line for ''."""

    text: str


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A whole function. types: name -> type of every variable.

    inputs: variable name -> how the caller's value is reached ("params['w1']"). decisions: what
    is kept for the reverse sweep, and what is computed again. counters: of loops that were made for
    array statements: subscripts with them count from the start. inside: of loops whose subscripts,
    the counter alone or with a constant, all lie within their axes. doubted: the user's names that
    are read where the text does not say that they have a value.
    """

    name: str
    parameters: tuple[str, ...]
    body: Block
    types: dict[str, Type] = field(compare=False)
    inputs: dict[str, Expr] = field(compare=False, default_factory=dict)
    output: Expr = Const(None, type=NONE)
    docstring: str = ""
    decisions: tuple[Decision, ...] = field(compare=False, default=())
    counters: frozenset[str] = field(compare=False, default=frozenset())
    inside: frozenset[str] = field(compare=False, default=frozenset())
    doubted: frozenset[str] = field(compare=False, default=frozenset())


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement itself, not of the blocks in it."""
    return (_EXPRESSIONS.get(type(stmt)) or _inherited(_EXPRESSIONS, type(stmt)))(stmt)


def _outer_reads(stmt: Splice) -> tuple[Expr, ...]:
    """The variables of the forward sweep that a splice reads."""
    inside = list(walk_block(stmt.body))
    own = {stmt.bar, *(t for s in inside for t in targets_of(s))}
    parts = [e for s in inside for e in expressions(s)] + [stmt.result]
    return tuple(n for e in parts for n in walk(e) if isinstance(n, Var) and n.name not in own)


def blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks inside a statement."""
    return (_BLOCKS.get(type(stmt)) or _inherited(_BLOCKS, type(stmt)))(stmt)


def counts(source: Expr) -> bool:
    """Whether a loop's source is its counter: 0, 1, 2 and so on."""
    return isinstance(source, Call) and source.function == "count"


def is_slice(part: Expr) -> bool:
    """Whether a part of a subscript is a slice, written as one or held by a variable."""
    return isinstance(part, Slice) or part.type == Opaque("slice")


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions."""
    read = _CHILDREN.get(type(expr))
    return () if read is None else read(expr)


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and everything in it."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        if (read := _CHILDREN.get(type(node))) is not None:
            stack += read(node)[::-1]


def walk_block(block: Block) -> Iterator[Stmt]:
    """Every statement in a block, outer ones before inner ones."""
    for stmt in block:
        yield stmt
        for inner in blocks(stmt):
            yield from walk_block(inner)


def names_in(expr: Expr) -> frozenset[str]:
    """The variables an expression reads."""
    if type(expr) is Var:
        return frozenset((expr.name,))
    found, stack = [], [expr]
    while stack:
        node = stack.pop()
        if type(node) is Var:
            found.append(node.name)
        elif (read := _CHILDREN.get(type(node))) is not None:
            stack += read(node)
    return frozenset(found)


def bound_in(block: Block) -> set[str]:
    """The names that a block binds, with those inside it."""
    return {name for stmt in walk_block(block) for name in targets_of(stmt)}


def targets_of(stmt: Stmt) -> tuple[str, ...]:
    """The names a statement itself binds."""
    return (_TARGETS.get(type(stmt)) or _inherited(_TARGETS, type(stmt)))(stmt)


# What is asked by all of the compiler, for each statement and expression, by type.
Readers = dict[type, Callable[[Any], tuple[Any, ...]]]
_BLOCKS: Readers = {
    If: lambda s: (s.then, s.orelse),
    For: lambda s: (s.body,),
    While: lambda s: (s.body,),
}
_TARGETS: Readers = {
    Assign: lambda s: s.targets,
    Unpack: lambda s: s.targets,
    For: lambda s: s.targets,
    Mutate: lambda s: () if s.target is None else (s.target,),
}
_EXPRESSIONS: Readers = {
    Assign: lambda s: s.values,
    Unpack: lambda s: (s.value,),
    Return: lambda s: (s.value,),
    Store: lambda s: (s.base, *s.index, s.value),
    Mutate: lambda s: (s.base, *s.args),
    Do: lambda s: (s.value,) if s.extra is None else (s.value, s.extra),
    If: lambda s: (s.test,),
    While: lambda s: (s.test,),
    For: lambda s: s.sources,
    Splice: lambda s: (s.value, *_outer_reads(s)),
}
_CHILDREN: Readers = {
    Call: lambda e: (*e.args, *(value for _, value in e.kwargs)) if e.kwargs else e.args,
    Slice: lambda e: tuple(part for part in (e.lower, e.upper, e.step) if part is not None),
    Index: lambda e: (e.base, *e.index),
    Sequence: lambda e: e.items,
    Mapping: lambda e: (*e.keys, *e.values),
    Choice: lambda e: (e.test, e.then, e.orelse),
    Text: lambda e: e.parts,
}


def _inherited(table: Readers, kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """The reader of a class above, noted for this one; of those that have none, an empty one."""
    found = next((table[c] for c in kind.__mro__ if c in table), lambda _: ())
    table[kind] = found
    return found
