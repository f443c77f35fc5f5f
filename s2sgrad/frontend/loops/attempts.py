"""Floor 4: one attempt at a loop: its body run on the abstract state, and what that changed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.containers.plain_dicts import Reclassed, refuse_counter, with_one_class
from s2sgrad.frontend.exits import FALL, JUMP, hint
from s2sgrad.frontend.freeze import freeze
from s2sgrad.frontend.loops.carried import (
    FUNCTIONS,
    Frozen,
    Slot,
    Typed,
    alike,
    classes_covered,
    classes_seen,
    columns,
    frozen_value,
    has_objects_as_keys,
    made_inside,
    slots_of,
    type_of,
    variables,
)
from s2sgrad.frontend.loops.filling import begun_inside
from s2sgrad.frontend.loops.last_sizes import behind
from s2sgrad.frontend.loops.loop import Loop
from s2sgrad.frontend.loops.sizes import LoopSizes
from s2sgrad.frontend.options import MOST, filler, is_thing, number_of, options_of
from s2sgrad.frontend.state import (
    Clash,
    NeedsResidual,
    Path,
    State,
    Together,
    is_changeable,
    joined,
    residual,
)
from s2sgrad.frontend.values import (
    Chosen,
    Dyn,
    Heap,
    Instance,
    Mapping,
    Sequence,
    Static,
    Value,
    inside,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.nested import nested
from s2sgrad.ir.types import (
    BOTTOM,
    INT,
    Bottom,
    Dict,
    List,
    Type,
    forget,
    join,
)


class Attempt:
    """One run of a loop body from a head in which the names in `slots` are variables."""

    def __init__(
        self, lowering: Any, loop: Loop, slots: dict[Slot, list[Value]], entry: State
    ) -> None:
        self.low, self.loop, self.slots, self.entry = lowering, loop, slots, entry
        self.retyped: dict[str, Type] = {}
        self.head: State = State()
        self.phis: dict[Slot, Value] = {}
        self.merged: list[tuple[int, list[Any]]] = []  # containers of the head, and what they were
        self.body: list[nodes.Stmt] = []
        self.entered = True
        self.sizes = LoopSizes(lowering.builder)
        self.head_slots: dict[Slot, Any] = {}
        self.active: set[int] = set()  # frames that are being run

    def run(self, header: Any, target: ast.expr | None, body: Callable[[], str]) -> None:
        """Run the body once, and record the paths on which it ends."""
        low = self.low
        for slot, seen in self.slots.items():
            if slot[0] == "h":
                contents = self._phi_contents("item", [v.contents for v in seen], slot)  # type: ignore[attr-defined]
                low.state.heap[slot[1]] = self.phis[slot] = contents
            else:
                low.state.vars[slot[1], slot[2]] = self.phis[slot] = self._phi(slot[2], seen, slot)
        self._note_holders()
        self.loop.begun_inside = set(begun_inside(self.entry, self.phis, self.loop.unsure()))
        self.head = low.state.copy()
        low.loops.append(self.loop)
        depth, low.flag_depth = low.flag_depth, 0
        low.builder.blocks.append([])
        flags = low.flags()
        for name in flags:
            low.state.vars[low.frame.id, name] = Static(False)
        self.entered = header.bind(target)
        if self.entered:
            nested = getattr(header, "nested", None)
            if nested is not None:
                status = low.choose(nested, body, lambda: low.jump("break", self.loop), header.stmt)
            else:
                around = any(not o.unrolled and not o.strict for o in low.loops[:-1])
                status = low.reached(body) if around or header.is_empty() else body()
            if status != JUMP:
                self.loop.paths.append(("end", Path(low.state, low.builder.block)))
        for _, path in self.loop.paths:
            for name in flags:
                path.state.vars.pop((low.frame.id, name), None)
        self.body = low.builder.blocks.pop()
        low.flag_depth = depth
        low.loops.pop()

    def _note_holders(self) -> None:
        """A container of the head may be one that another name holds."""
        state = self.low.state
        for identity, seen in self.merged:
            others = {i for v in seen for i in v.ids}
            for key in {k for v in seen for k in v.holders}:
                others |= inside(state.vars[key], state.heap) if key in state.vars else set()
            others.discard(identity)
            state.either[identity] = state.either.get(identity, frozenset()) | others

    def _phi(self, name: str, seen: list[Value], slot: Slot) -> Value:
        """The value a slot has at the head: a variable, or a container of variables."""
        low = self.low
        present = [v for v in seen if v is not None]
        clash = next((v for v in present if isinstance(v, Clash)), None)
        if clash is not None:
            return clash
        called = [v for v in present if v != Static(None)]
        things = bool(called) and all(map(is_thing, called))
        anew = things and any(made_inside(v, self.entry, self.loop.first_frame) for v in called)
        if things and len(options_of(present)) <= MOST and not anew:
            which = low.builder.fresh(f"{hint(name)}_choice", INT)
            return Chosen(which, options_of(present))
        if any(isinstance(v, Chosen) for v in present) and not anew:
            return Clash(name, "a loop binds it to values of different make")
        if any(isinstance(v, FUNCTIONS) for v in present):
            return Clash(name, "a loop binds it to a different function", self.loop.node)
        if all(isinstance(v, Frozen) and alike(present[0], v) for v in present):
            stays = {i for v in present for i in v.ids}  # type: ignore[attr-defined]
            if len(stays) == 1 and stays <= low.state.heap.keys():
                return Heap(stays.pop())  # it has a slot of its own
            held = low.new(self._phi_contents(name, [v.contents for v in present], slot))  # type: ignore[attr-defined]
            if is_changeable(low.contents(held)):
                self.merged.append((held.id, present))
            return held
        kinds = [type_of(v, low.state) for v in present]
        if any(map(has_objects_as_keys, present)):
            return Clash(name, "a loop binds it to another container", self.loop.node)
        filling = self.loop.filling
        make = partial(low.builder.fresh, hint(name))
        begun = None if filling is None else filling.variable(slot, kinds, make)
        if begun is not None:
            return Dyn(begun)
        low.relate_versions(kinds)
        kind = nested(forget(joined(tuple(kinds))))
        if isinstance(kind, Bottom):
            return Clash(name, "it has no value yet")
        whole = any(v.whole for v in present if isinstance(v, Typed))
        var = low.builder.meeting(hint(name), self.sizes.given(kind, kinds), kinds, whole)
        low.builder.classes.meet(var.name, [classes_seen(v, low.state) for v in present])
        if filling is not None:
            filling.note(slot, kinds, var.name)
        return Dyn(var)

    def _phi_contents(self, name: str, found: list[Any], slot: Slot) -> Any:
        head = found[0]
        if isinstance(head, Sequence):
            held = (self._phi(f"{name}_{i}", c, (*slot, i)) for i, c in columns(found))
            return replace(head, items=tuple(held))
        rows = []
        for i, (key, column) in enumerate(columns(found)):
            label = key if isinstance(key, str) and key.isidentifier() else name
            rows.append((key, self._phi(label, column, (*slot, i))))
            if None in column:
                self.low.builder.partly.add(key)
        attribute = "items" if isinstance(head, Mapping) else "fields"
        return replace(head, **{attribute: tuple(rows)})

    # --- what changed ------------------------------------------------------------------------
    def changes(self) -> bool:
        """Record slots that differ between head and ends; True if the head must change."""
        grown = False
        self.head_slots, self.active = slots_of(self.head), {f.id for f in self.low.frames}
        self.retyped = self._retyped()
        if self.retyped:
            grown = True
        for _, path in self.loop.paths:
            self.sizes.next_path()
            for slot, value in slots_of(path.state).items():
                if not self._concerns(slot):
                    continue
                value = self._of_one_class(slot, value, path.state)
                grown |= self._compare(slot, value, path.state)
        return grown

    def _concerns(self, slot: Slot) -> bool:
        return slot in self.head_slots or (slot[0] == "v" and slot[1] in self.active)

    def _compare(self, slot: Slot, value: Any, state: State) -> bool:
        head = self.head_slots.get(slot)
        if slot in self.phis:
            if self._covers(self.phis[slot], value, state):
                return False
            self.slots[slot].append(self._frozen(value, state))
            return True
        if head is not None and head == value:
            return False
        if slot[0] == "h" and slot[1] not in self.entry.heap:
            return False  # it stands for what names hold: they have slots
        if (
            head is None
            and isinstance(value, Static)
            and type(value.value) not in (int, float, complex)
        ):
            return False
        if slot[0] == "h" and not alike(head, value):
            raise NeedsResidual(slot[1])
        seen = [] if head is None else [self._frozen(head, self.head)]
        self.slots[slot] = [*seen, self._frozen(value, state)]
        return True

    def _of_one_class(self, slot: Slot, value: Any, state: State) -> Any:
        """What a name holds at the end; a plain dict is a defaultdict if it holds one elsewhere."""
        head = self.head_slots.get(slot)
        if slot[0] == "h" or head is None:
            return value
        ids = self.low.builder.ids
        first, last = with_one_class([head, value], [self.head, state], ids)
        refuse_counter(slot[2], [head, value], [self.head, state])
        if first is not head:
            raise Reclassed(slot)
        if last is not None and last is not value:
            state.vars[slot[1], slot[2]] = last
        return last

    def _frozen(self, value: Any, state: State) -> Any:
        return frozen_value(value, state, self.low.builder)

    def _covers(self, phi: Any, value: Any, state: State) -> bool:
        """Whether the head's variable can hold the value that comes round."""
        if isinstance(phi, Clash):
            return not isinstance(value, Dyn | Static) or True
        if isinstance(phi, Chosen):
            return all(option in phi.options for option in options_of([value]))
        if isinstance(phi, Dyn):
            if isinstance(value, Clash):
                return False
            if not classes_covered(phi.expr, value, state, self.low.builder):
                return False
            kind = self.sizes.renewed(phi.type, type_of(value, state))
            return forget(join(phi.type, kind)) == phi.type
        if isinstance(phi, Heap):
            if not isinstance(value, Heap):
                return False
            if phi == value and phi.id in self.entry.heap:  # its contents have a slot of their own
                return True
            return self._covers(self.head.heap[phi.id], state.heap[value.id], state)
        if isinstance(phi, Sequence | Mapping | Instance):
            if not alike(phi, value):
                return False
            return all(
                v is None or (p is not None and self._covers(p, v, state))
                for _, (p, v) in columns([phi, value])
            )
        return phi == value

    def _retyped(self) -> dict[str, Type]:
        """Lists whose element type grew inside the body."""
        found: dict[str, Type] = {}
        entry = {v.name: v.type for v in variables(self.entry)}
        for _, path in self.loop.paths:
            for var in variables(path.state):
                old = entry.get(var.name)
                if isinstance(old, List | Dict) and join(old, var.type) != old:
                    found[var.name] = join(found.get(var.name, BOTTOM), join(old, var.type))
        for name, kind in self._carried():
            old = entry.get(name)
            if isinstance(old, List | Dict) and join(old, kind) != old:
                found[name] = join(found.get(name, BOTTOM), join(old, kind))
        return found

    def _carried(self) -> Iterable[tuple[str, Type]]:
        """Lists and dicts that a variable of the head may hold, and the type that covers all."""
        builder = self.low.builder
        ends = [self.entry, *(path.state for _, path in self.loop.paths)]
        for slot, phi in self.phis.items():
            var = phi.expr if isinstance(phi, Dyn) else None
            if slot[0] == "h" or not isinstance(var, nodes.Var):
                continue
            if not isinstance(var.type, List | Dict):
                continue
            for held in (state.vars.get(slot[1:]) for state in ends):
                if isinstance(held, Dyn):
                    builder.mate(var, held.expr)
            names = builder.all_mates(var.name)
            kind = joined(tuple(builder.types[n] for n in names))
            yield from ((name, kind) for name in names)

    # --- the finished loop -------------------------------------------------------------------
    def finish(self, header: Any, node: ast.AST) -> str | None:
        """Emit the loop with the moves that carry its variables round. None where numbers are
        to be begun as arrays, or can't be."""
        low = self.low
        pre: list[tuple[str, nodes.Expr]] = []
        before = slots_of(self.entry)
        for slot, phi in self.phis.items():
            held = before.get(slot)
            if held is not None:
                pre += self._moves(phi, held, self.entry)
        filling = self.loop.filling
        for name, expr in pre:
            if filling is not None and name in filling.arrays:
                low.builder.emit(nodes.Assign((name,), (filling.arrays[name],)))
            else:
                low.builder.emit(nodes.Assign((name,), (expr,), move=True))
        begun, unset = {name for name, _ in pre}, set[str]()
        if all(kind == "break" for kind, _ in self.loop.paths):  # there is no second turn
            unset = set(begun_inside(self.entry, self.phis, frozenset()))
        for kind, path in self.loop.paths:
            pairs: list[tuple[str, nodes.Expr]] = []
            after = slots_of(path.state)
            for slot, phi in self.phis.items():
                value = after.get(slot)
                if value is not None:
                    pairs += self._moves(phi, value, path.state)
            pairs = [(n, e) for n, e in pairs if not (isinstance(e, nodes.Var) and e.name == n)]
            moved = {n for _, e in pairs for n in nodes.names_in(e)}
            for name in [n for n, _ in pairs if n in moved | unset and n not in begun]:
                begun.add(name)  # an attribute, say, that this turn may not have set either
                var = nodes.Var(name, type=low.builder.types[name])
                low.builder.emit(nodes.Assign((name,), (filler(var),)))
            if pairs:
                path.add(
                    nodes.Assign(tuple(n for n, _ in pairs), tuple(e for _, e in pairs), move=True)
                )
            if kind != "end":
                path.add(nodes.Exit(kind))
        made = header.build(self.body, low.span(node))
        if filling is not None and filling.again(freeze([made])[0]):
            return None
        low.builder.emit(made)
        low.state = self._after(header)
        low.state.vars |= behind(low, header, self.loop, self.phis)
        return FALL

    def _after(self, header: Any) -> State:
        """The state behind the loop: the head's, with what the body may have added."""
        state = self.head.copy()
        for _, path in self.loop.paths:
            for slot, value in slots_of(path.state).items():
                if slot[0] == "v" and slot[1:] not in state.vars and self._concerns(slot):
                    state.vars[slot[1], slot[2]] = (
                        value
                        if isinstance(value, Static)
                        else Clash(slot[2], "it is made anew in each iteration of a loop")
                    )
                elif slot[0] == "h" and slot[1] not in state.heap:
                    state.heap[slot[1]] = path.state.heap[slot[1]]
        return state

    def _keep_together(self, name: str, value: Any, state: State) -> None:
        """A container that has other names too must not be copied into a variable."""
        held = state.shared_parts(value)
        if held:
            why = "a list meets another one here, and has other names too"
            what = f"'{name}' is not the same in every iteration"
            refusal = UnsupportedError(what, None, why, "give each its own name")
            raise Together({i for p in held for i in state.origins(p)}, refusal)

    def _moves(self, phi: Any, value: Any, state: State) -> list[tuple[str, nodes.Expr]]:
        if isinstance(phi, Dyn):
            if phi == value and isinstance(phi.expr, nodes.Const):
                return []  # it is the same in every iteration
            assert isinstance(phi.expr, nodes.Var), (phi, value)
            self._keep_together(phi.expr.name, value, state)
            return [(phi.expr.name, residual(value, state, records=True))]
        if isinstance(phi, Chosen):
            assert isinstance(phi.which, nodes.Var)
            return [(phi.which.name, number_of(value, phi.options))]
        if isinstance(phi, Heap):
            phi = self.head.heap[phi.id]
            value = state.heap[value.id]
        if isinstance(phi, Sequence | Mapping | Instance):
            pairs = (pair for _, pair in columns([phi, value]) if None not in pair)
            return [move for p, v in pairs for move in self._moves(p, v, state)]
        return []
