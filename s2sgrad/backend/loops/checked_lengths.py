"""Floor 6: lengths that were compared are equal from there on.

    if a.shape[0] != b.shape[0] - 1:          if a.shape[0] != b.shape[0] - 1:
        raise UnequalLengths()                    raise UnequalLengths()
    for i in range(a.shape[0]): ...           for i in range(a.shape[0]): ...
    for i in range(b.shape[0] - 1): ...       for i in range(a.shape[0]): ...

Loops over the same lengths can be joined, and nothing is compared twice. Lengths are compared as
soon as there are both. An array that was made just before is as long as it was made.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from s2sgrad.backend.loops.bounds_once import is_question
from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.extents import Extent
from s2sgrad.backend.loops.extents import length as length_of
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Index, Sequence, Stmt, Var
from s2sgrad.ir.types import Scalar


def with_checked_lengths(body: Block) -> Block:
    """The body with one extent for lengths that are known to be equal."""
    if not any(isinstance(s, nodes.If) and is_question(s) for s in nodes.walk_block(body)):
        return body
    return _block(body, _Known())


@dataclass
class _Known:
    """Which lengths are equal. classes: for each length, all that it is equal to, in order.

    extents: what nests say of a length that they run over.
    """

    classes: dict[Expr, tuple[Expr, ...]] = field(default_factory=dict)
    extents: dict[Expr, Extent] = field(default_factory=dict)

    def copied(self, without: set[str]) -> _Known:
        """What is known where these names may have got other values."""
        new = _Known(dict(self.classes), dict(self.extents))
        new.forget(without)
        return new

    def forget(self, names: set[str]) -> None:
        """These names have other values from here on."""
        if not names:
            return
        self.extents = {e: x for e, x in self.extents.items() if not nodes.names_in(e) & names}
        kept = (e for e in self.classes if not nodes.names_in(e) & names)
        self.classes = {
            e: tuple(o for o in self.classes[e] if not nodes.names_in(o) & names) for e in kept
        }

    def equal(self, one: Expr, other: Expr) -> bool:
        """Note that two lengths are equal; whether that was known before."""
        first, second = (self.classes.get(e, (e,)) for e in (one, other))
        if other in first:
            return True
        if _is_length(one) and _is_length(other):
            both = tuple(dict.fromkeys((*first, *second)))
            self.classes.update((e, both) for e in both)
        return False

    def extent(self, own: Extent, rest: Block) -> Extent:
        """The extent that stands for all that are as long, at best one that does so to the end.

        rest: what follows in the block.
        """
        self.extents.setdefault(own.count, own)
        same = set(self.classes.get(own.count, ()))
        if len(same) < 2:
            return own
        later = nodes.bound_in(rest)
        ahead = {e.count: e for s in rest if isinstance(s, Nest) for e in s.extents}
        lasting = {e for e in same if not nodes.names_in(e) & later}
        for known, lengths in ((self.extents, lasting), (ahead, lasting), (self.extents, same)):
            found = next((e for length, e in known.items() if length in lengths), None)
            if found is not None:
                return found
        return own


def _early(block: Block) -> Block:
    """The block with its questions as early as what they ask for is known."""
    result: list[Stmt] = []
    for stmt in block:
        place = len(result)
        if isinstance(stmt, nodes.If) and is_question(stmt) and _tells_by_names(stmt.test):
            names = nodes.names_in(stmt.test)
            while place and not names & nodes.bound_in((result[place - 1],)):
                place -= 1
            while place < len(result) and _is_asked(result[place]):
                place += 1
        result.insert(place, stmt)
    return tuple(result)


def _tells_by_names(test: Expr) -> bool:
    """Whether names tell when the answer may change: a list grows without a new name."""
    return isinstance(test, Call) and all(map(_is_length, test.args))


def _is_asked(stmt: Stmt) -> bool:
    return isinstance(stmt, nodes.Comment) or (isinstance(stmt, nodes.If) and is_question(stmt))


def _block(block: Block, known: _Known) -> Block:
    block = _early(block)
    result: list[Stmt] = []
    for k, stmt in enumerate(block):
        match stmt:
            case Nest(extents=extents):
                rest = block[k + 1 :]
                stmt = replace(stmt, extents=tuple(known.extent(e, rest) for e in extents))
            case nodes.If(test=Call(args=(one, other))) if is_question(stmt):
                if known.equal(one, other):
                    continue
            case nodes.If(then=then, orelse=orelse):
                sides = _block(then, known.copied(set())), _block(orelse, known.copied(set()))
                stmt = replace(stmt, then=sides[0], orelse=sides[1])
            case nodes.For(body=body) | nodes.While(body=body):
                inside = known.copied(nodes.bound_in((stmt,)))
                stmt = replace(stmt, body=_block(body, inside))
        known.forget(nodes.bound_in((stmt,)))
        _note_made(stmt, known)
        result.append(stmt)
    return tuple(result)


def _note_made(stmt: Stmt, known: _Known) -> None:
    """An array that a statement makes is as long as it says."""
    name = allocated(stmt)
    if name is None:
        return
    assert isinstance(stmt, Assign) and isinstance(stmt.values[0], Call)
    given = stmt.values[0].args[0]
    lengths = given.items if isinstance(given, Sequence) else (given,)
    array = Var(name, type=stmt.values[0].type)
    for axis, length in enumerate(lengths):
        if name not in nodes.names_in(length):
            known.equal(length, length_of(array, axis))


def _is_length(expr: Expr) -> bool:
    """Whether a length follows from integers and shapes alone: names tell when it changes."""
    match expr:
        case Const(value=int()):
            return True
        case Var(type=Scalar()):
            return True
        case Index(base=Call(text="shape", form="attribute", args=(Var(),)), index=(Const(),)):
            return True
        case Call(form="operator", text="+" | "-", args=args):
            return all(map(_is_length, args))
    return False


__all__ = ["with_checked_lengths"]
