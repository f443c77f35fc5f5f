"""Floor 4: containers keep their identity on the way into generated code.

A list that is known while compiling is taken apart; where it is put into a list that generated
code builds, code builds it too, once, for all its names. Where names of one list meet those of
another (`c = a if test else b`), lowering starts again, with both built where they are made.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Set

from s2sgrad.analysis.definite import bound_after
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.containers.mixed_rows import MixedRows
from s2sgrad.frontend.state import (
    WAITING,
    NeedsResidual,
    Together,
    is_changeable,
    residual,
)
from s2sgrad.frontend.values import Dyn, Heap, Instance, Value, held_by, parts_of
from s2sgrad.ir import nodes

_MAKERS = (ast.List, ast.Dict, ast.ListComp, ast.DictComp, ast.Call, ast.BinOp, ast.Subscript)


def part_of(node: ast.AST, name: str) -> ast.AST:
    """A place of its own for a container that is made along with an object: its field's."""
    parts: dict[str, ast.AST] = vars(node).setdefault("_s2sgrad_parts", {})
    return parts.setdefault(name, ast.copy_location(ast.Call(ast.Name(name), [], []), node))


class Identity(MixedRows):
    """Handing containers over to generated code."""

    made_at: dict[int, ast.AST]  # container -> where it was made
    built: set[ast.AST]  # places where generated code makes the containers
    waiting: Iterator[int]  # numbers of values that wait for their turn

    def made(self, value: Value, node: ast.AST) -> Value:
        """A value just computed: note where it was made, or let generated code build it."""
        if not isinstance(value, Heap) or not isinstance(node, _MAKERS):
            return value
        known = value.id in self.made_at or value.id in self.outside_ids
        if known or not is_changeable(self.contents(value)):
            return value
        self.made_at[value.id] = node
        return Dyn(self.materialize(value.id)) if node in self.built else value

    def places_of(self, identities: set[int]) -> set[ast.AST]:
        """Where containers were made that no place is noted for yet."""
        return {self.made_at[i] for i in identities if i in self.made_at} - self.built

    def materialize(self, identity: int) -> nodes.Var:
        """Let generated code build a container from here on; every name of it follows."""
        if any(not loop.unrolled and identity in loop.entry for loop in self.loops):
            raise NeedsResidual(identity)
        self.changed_places.add(identity)  # what is built may be changed later
        self.catch_up()  # the state may be that of a loop's head, before it was run
        self.keep_apart(identity, None)
        names = [k[1] for k, v in self.state.vars.items() if v == Heap(identity)]
        name = next((n for n in names if n.isidentifier()), None)
        name = name or self._holder(identity) or self.label("items")
        self._refuse_half_made(identity, name)
        if identity in self.records:
            self.as_record(identity)
        for part in parts_of(self.state.heap[identity]):
            self.handed_over(part, identity)
        var = self.builder.bind(name, residual(Heap(identity), self.state, records=True))
        self._replace(identity, Dyn(var))
        return var

    def built_beside(self, identity: int, values: list[Value]) -> tuple[Dyn, list[Value]]:
        """The same, and values that are to go into it, which it may hold already."""
        keys = [(self.frame.id, f"<beside{i}>") for i, _ in enumerate(values)]
        self.state.vars |= dict(zip(keys, values, strict=True))
        made = Dyn(self.materialize(identity))
        return made, [self.state.vars.pop(key) for key in keys]

    def one_by_one(self, values: list[Value], run: Callable[[int, Value], None]) -> None:
        """run(i, value) for each of them; those to come stay what they are, whatever generated code
        builds meanwhile."""
        keys = [(self.frame.id, f"<later{next(self.waiting)}>") for _ in values]
        held = {k: v for k, v in zip(keys, values, strict=True) if isinstance(v, Heap)}
        self.state.vars |= held if len(values) > 1 else {}
        for i, (key, value) in enumerate(zip(keys, values, strict=True)):
            run(i, self.state.vars.pop(key, value))

    def _refuse_half_made(self, identity: int, name: str) -> None:
        """Start again if what a container holds is bound on some of the paths to here only."""
        held = nodes.names_in(residual(Heap(identity), self.state, records=True))
        if held & self.bound_on_some_paths():
            refusal = UnsupportedError(
                f"'{name}' is made on some paths only, and changed where they have met", None,
                "what it holds is not known on the other paths",
                "make it before the branch, empty",
            )  # fmt: skip
            raise Together(self.state.origins(identity), refusal)

    def bound_on_some_paths(self) -> Set[str]:
        """The names that some paths to here bind, and others do not."""
        blocks = [tuple(block) for block in self.builder.blocks]
        surely = frozenset[str]().union(*map(bound_after, blocks))
        bound = {t for b in blocks for s in nodes.walk_block(b) for t in nodes.targets_of(s)}
        return bound - surely

    def keep_apart(self, identity: int, node: ast.AST | None) -> None:
        """Start again if a container is, on some paths, what another name holds."""
        other = self.state.held_as(identity)
        if other is not None:
            what, how = "a container", "list"
            if isinstance(self.state.heap.get(identity), Instance):
                what, how = "an object", "copy.copy"
            refusal = UnsupportedError(
                f"changing {what} that another name holds on some paths",
                self.span(node),
                f"it depends on the path whether '{other}' is the same {what.split()[1]}",
                f"copy it where it gets its second name: b = {how}(a)",
            )
            raise Together(self.state.origins(identity), refusal)

    def tell_apart(self, one: int, other: int) -> None:
        """Start again if two containers are one on some paths: generated code builds both then."""
        origins = self.state.origins(one)
        if one != other and origins & self.state.origins(other):
            refusal = UnsupportedError(
                "asking whether two containers are the same, which they are on some paths", None,
                "one of them is known while compiling only by what it holds",
                "keep a flag of your own where the path is chosen",
            )  # fmt: skip
            raise Together(origins | self.state.origins(other), refusal)

    def held(self, value: Value, node: ast.AST) -> nodes.Expr:
        """A value as an entry of a container in generated code; objects as records."""
        value = self.handed_over(value)
        return residual(value, self.state, self.span(node), records=True)

    def operand(self, value: Value, node: ast.AST) -> nodes.Expr:
        """A value whose items become those of another container."""
        contents = self.contents(value)
        if contents is not None and isinstance(value, Heap):
            alone = None if self._held_elsewhere(value, None) else value.id
            for part in parts_of(contents):
                self.handed_over(part, alone)
        return residual(value, self.state, self.span(node), records=True)

    def handed_over(self, value: Value, holder: int | None = None) -> Value:
        """A value on its way into a container of generated code. What can change and is held by
        something else than `holder` too is built by generated code first: both must be the same."""
        if not isinstance(value, Heap) or value.id not in self.state.heap:  # done already
            return value
        contents = self.as_record(value.id)
        if isinstance(contents, Instance):
            self.refuse_half_set(contents)
        if is_changeable(contents):
            self.keep_apart(value.id, None)
        if is_changeable(contents) and self._held_elsewhere(value, holder):
            return Dyn(self.materialize(value.id))
        inner = None if self._held_elsewhere(value, holder) else value.id  # a tuple's parts
        for part in parts_of(contents):
            self.handed_over(part, inner)
        return value

    def _held_elsewhere(self, value: Heap, holder: int | None) -> bool:
        """Whether names or other containers than `holder` hold a container too."""
        others = (c for i, c in self.state.heap.items() if i != holder)
        ours = {f.id for f in self.frames if f.stands_at is not None}  # they hand on and forget
        ours |= {WAITING} if holder is None else set()  # what waits may be on its way to there
        named = (v for k, v in self.state.vars.items() if k[0] not in ours)
        parts = (p for c in others for p in parts_of(c))
        return any(value in held_by(v) for v in (*named, *parts))

    def _holder(self, identity: int) -> str | None:
        """The name of the object that has a container as a field."""
        for other, contents in self.state.heap.items():
            if isinstance(contents, Instance) and Heap(identity) in dict(contents.fields).values():
                named = [k[1] for k, v in self.state.vars.items() if v == Heap(other)]
                return next((n for n in named if n.isidentifier() and n != "self"), None)
        return None

    def _replace(self, identity: int, new: Value) -> None:
        del self.state.heap[identity]
        self._substitute_all(Heap(identity), new)


__all__ = ["Identity"]
