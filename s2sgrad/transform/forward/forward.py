"""Floor 5: forward mode. Every statement gets a tangent statement beside it; loops, branches
and the primal statements stay as they are.

The tangent of a view is the same view of the tangent, the tangent of a store is the same store
on the tangent: memory is shared among tangents exactly as it is among the primal values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import Effects, root, shared_with
from s2sgrad.analysis.islands import is_island
from s2sgrad.analysis.new_arrays import memory_of, shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.carrying import holds_constants
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array, List, Number, Scalar, Tuple, carries, is_number
from s2sgrad.rules.methods import OPERATORS
from s2sgrad.transform.forward.tangent import Tangents, is_nothing_yet
from s2sgrad.transform.preparing.row_loops import index_loop
from s2sgrad.transform.reverse.adjoint import Facts
from s2sgrad.transform.reverse.islands import held_constant, pushed, with_fresh
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_stmt_exprs

POSITIONS = {"insert": (0,), "pop": (0, 1), "setdefault": (0,), "get": (0,)}  # not values


class ForwardSweep:
    """Writes a block with its tangents. dots: variable -> the name of its tangent."""

    def __init__(self, facts: Facts, effects: Effects, dots: dict[str, str]) -> None:
        self.facts, self.effects, self.dots = facts, effects, dots

    def active(self, name: str) -> bool:
        """Whether a variable has a tangent."""
        return name in self.facts.activity.variables

    def dot(self, name: str) -> Var:
        """The tangent of a variable."""
        return Tangents(self.facts, self.dots).variable(name)

    def block(self, block: Block) -> list[Stmt]:
        """The statements of a block with those of their tangents."""
        return [new for stmt in block for new in self.stmt(stmt)]

    def stmt(self, stmt: Stmt) -> list[Stmt]:
        """A statement with that of its tangent."""
        match stmt:
            case nodes.Assign(targets=targets, values=values):
                return self._assign(stmt, targets, values)
            case nodes.Unpack():
                return self._unpack(stmt)
            case nodes.Store():
                return self._store(stmt)
            case nodes.Mutate():
                return self._mutate(stmt)
            case nodes.If(then=then, orelse=orelse):
                return [
                    replace(stmt, then=tuple(self.block(then)), orelse=tuple(self.block(orelse)))
                ]
            case nodes.While(body=body):
                return [replace(stmt, body=tuple(self.block(body)))]
            case nodes.For():
                return self._for(stmt)
            case nodes.Splice():
                return []  # it is about the reverse sweep only
        return [stmt]

    # --- bindings ----------------------------------------------------------------------------
    def _assign(
        self, stmt: nodes.Assign, targets: tuple[str, ...], values: tuple[Expr, ...]
    ) -> list[Stmt]:
        tangents = Tangents(self.facts, self.dots)
        names, dots, results = [], [], {}
        for target, value in zip(targets, values, strict=True):
            if not self.active(target):
                continue
            result = _placeholder(target, self.facts.types[target])
            results[result.name] = target
            tangents.results[id(value)] = result
            made = tangents.full(value, result)
            if made is None:
                made = tangents.zero(value if is_nothing_yet(value) else result)
            made = self._owned(self._kept_array(made, target), value, (target,))
            names.append(self.dot(target).name)
            dots.append(self._laid_out(made, value, target, result))
        if not names:
            return [stmt]
        own = nodes.Assign(tuple(names), tuple(dots), stmt.move)
        return self._placed(stmt, [*tangents.temps, own], results)

    def _kept_array(self, dot: Expr, target: str) -> Expr:
        """NumPy's functions give numbers for arrays without axes; what is written stays one."""
        kind = self.facts.types[target]
        plain = isinstance(dot, Call) and not shares_memory(dot)
        if (
            plain
            and isinstance(kind, Array)
            and kind.shape == ()
            and self.effects.is_written(target)
        ):
            return Call(np.asarray, "np.asarray", (dot,), type=kind)
        return dot

    def _owned(self, dot: Expr, value: Expr, targets: Iterable[str]) -> Expr:
        """A tangent that shares memory its value does not share, and that may change, is copied."""
        if isinstance(dot, nodes.Sequence) and isinstance(value, nodes.Sequence):
            pairs = zip(dot.items, value.items, strict=True)
            return replace(dot, items=tuple(self._owned(d, v, targets) for d, v in pairs))
        calls = isinstance(dot, Call) and isinstance(value, Call) and dot.function is value.function
        if calls and dot.function in (list, tuple, dict) and dot.args:  # type: ignore[attr-defined]
            first = self._owned(dot.args[0], value.args[0], targets)  # type: ignore[attr-defined]
            return replace(dot, args=(first, *dot.args[1:]))  # type: ignore[attr-defined, call-arg]
        if (
            isinstance(dot.type, Scalar)
            or not shares_memory(dot)
            or isinstance(dot, nodes.Sequence)
        ):
            return dot
        if set(shared_with(value)):
            return dot
        primal = {d: n for n, d in self.dots.items()}
        held = [primal[n] for n in nodes.names_in(dot) if n in primal]
        if any(
            self.effects.is_written(n) or self.effects.find(n) in self.effects.resized
            for n in (*held, *targets)
        ):
            return Call(s2sgrad_runtime.copy_tree, "copy_tree", (dot,), type=dot.type)
        return dot

    def _parts_owned(self, dots: Expr, value: Expr, targets: Iterable[str]) -> Expr:
        """The same for the parts that a call gives: `np.split(x_dot.copy(), places)`."""
        if (
            isinstance(dots, Call)
            and isinstance(value, Call)
            and dots.function is value.function
            and not set(shared_with(value))
        ):
            first = self._owned(dots.args[0], value.args[0], targets)
            return replace(dots, args=(first, *dots.args[1:]))
        return dots

    def _laid_out(self, dot: Expr, value: Expr, target: str, result: Var) -> Expr:
        """A new tangent, laid out in memory as its array where that decides what is a view."""
        kind = self.facts.types[target]
        if target not in self.facts.layouts or not isinstance(kind, Array | Number | List):
            return dot
        if shared_with(value) or is_nothing_yet(dot):
            return dot
        args = (dot, result, nodes.Const("K"))
        return Call(s2sgrad_runtime.laid_as, "laid_as", args, type=dot.type)

    def _placed(self, stmt: Stmt, added: list[Stmt], results: dict[str, str]) -> list[Stmt]:
        """The tangent before the statement that changes what it reads, or after it to read its
        result; where it needs both, the result gets a name of its own first."""
        read: frozenset[str] = frozenset()
        for extra in added:
            for expr in nodes.expressions(extra):
                read |= nodes.names_in(expr)
        old, new = read & set(nodes.targets_of(stmt)), read & set(results)
        if not new:
            return [*added, stmt]
        if not old:
            return [stmt, *_renamed(added, results)]
        fresh = {t: self.facts.names.fresh(f"{t}_next") for t in nodes.targets_of(stmt)}
        for target, name in fresh.items():
            self.facts.types[name] = self.facts.types[target]
        first = replace(stmt, targets=tuple(fresh[t] for t in nodes.targets_of(stmt)))  # type: ignore[call-arg]
        back = tuple(Var(fresh[t], type=self.facts.types[t]) for t in nodes.targets_of(stmt))
        moved = nodes.Assign(nodes.targets_of(stmt), back, True)
        return [first, *_renamed(added, {p: fresh[t] for p, t in results.items()}), moved]

    def _recursive(self, stmt: nodes.Unpack, call: Call) -> list[Stmt]:
        """A call of a recursive function: its forward mode gives value and tangent together."""
        tangents = Tangents(self.facts, self.dots)
        parameters = call.function.lowered.function.parameters
        wanted = pushed_parameters(call.function)
        dots = [tangents.item(a) for p, a in zip(parameters, call.args, strict=True) if p in wanted]
        result = stmt.targets[0]
        dot = self.dot(result).name if self.active(result) else self._unused()
        new = replace(call, text=f"{call.function.name}_jvp", args=(*call.args, *dots))
        return [*tangents.temps, nodes.Unpack((result, dot), new, span=stmt.span)]

    def _unpack(self, stmt: nodes.Unpack) -> list[Stmt]:
        if isinstance(stmt.value, Call) and hasattr(stmt.value.function, "lowered"):
            return self._recursive(stmt, stmt.value)
        if is_island(stmt.value):
            return self._island(stmt)
        active = [t for t in stmt.targets if self.active(t)]
        if not active:
            return [stmt]
        tangents = Tangents(self.facts, self.dots)
        holders = tuple(_placeholder(t, self.facts.types[t]) for t in stmt.targets)
        results = {h.name: t for h, t in zip(holders, stmt.targets, strict=True)}
        tangents.results[id(stmt.value)] = nodes.Sequence(
            "tuple", holders, type=Tuple(tuple(h.type for h in holders))
        )
        value = tangents.dot(stmt.value)
        own: Stmt
        if value is None:
            zeros = tuple(tangents.zero(h) for h in holders if results[h.name] in active)
            own = nodes.Assign(tuple(self.dot(t).name for t in active), zeros)
        elif isinstance(value, nodes.Sequence) and len(value.items) == len(stmt.targets):
            pairs = [
                (self.dot(t).name, self._owned(v, stmt.value, (t,)))
                for t, v in zip(stmt.targets, value.items, strict=True)
                if t in active
            ]
            own = nodes.Assign(tuple(n for n, _ in pairs), tuple(v for _, v in pairs))
        else:
            own = nodes.Unpack(
                tuple(self.dot(t).name if t in active else self._unused() for t in stmt.targets),
                self._parts_owned(value, stmt.value, active),
            )
        return self._placed(stmt, [*tangents.temps, own], results)

    def _island(self, stmt: nodes.Unpack) -> list[Stmt]:
        """A call that runs on tensors: value and tangent together."""
        assert isinstance(stmt.value, Call)
        result = stmt.targets[0]
        call = with_fresh(stmt.value, result, self.effects)
        if not self.active(result):
            return [replace(stmt, value=held_constant(call))]
        tangents = Tangents(self.facts, self.dots)
        new = pushed(tangents, call)
        return [*tangents.temps, replace(stmt, targets=(result, self.dot(result).name), value=new)]

    def _unused(self) -> str:
        name = self.facts.names.fresh("unused")
        self.facts.types[name] = Scalar("float")
        return name

    # --- changes in place --------------------------------------------------------------------
    def _store(self, stmt: nodes.Store) -> list[Stmt]:
        name = root(stmt.base)
        if name is None or not self.active(name) or holds_constants(stmt.base.type):
            return [stmt]
        tangents = Tangents(self.facts, self.dots)
        active = tangents.active(stmt.value)
        base = tangents.place(stmt.base) if active else tangents.dot(stmt.base)
        if base is None:
            return [stmt]
        if stmt.op in ("", "=", "+", "-", "+at", "-at"):
            value = tangents.dot(stmt.value)
            if value is None:
                if stmt.op not in ("", "="):
                    return [stmt]
                value = self._zero_for(stmt, tangents)
            elif not is_number(stmt.value.type):
                value = self._owned(value, stmt.value, (name,))
            elif stmt.op == "" and not is_number(base.type):
                value = tangents.full(stmt.value)
                value = (
                    self._owned(value, stmt.value, (name,))
                    if value is not None
                    else tangents.zero(stmt.value)
                )
            return [
                *tangents.temps,
                *_increments(
                    nodes.Store(base, stmt.index, value, stmt.op),
                    self._sharing(name, tangents.temps),
                ),
                stmt,
            ]
        return self._update(stmt, base, name)

    def _sharing(self, name: str, temps: list[Stmt]) -> set[str]:
        """The tangents that may share memory with the tangent of a variable, and names for parts
        of them."""
        group = self.effects.find(name)
        found = {dot for n, dot in self.dots.items() if self.effects.find(n) == group}
        for stmt in temps:
            if isinstance(stmt, nodes.Assign) and any(memory_of(v) & found for v in stmt.values):
                found |= set(stmt.targets)
        return found

    def _zero_for(self, stmt: nodes.Store, tangents: Tangents) -> Expr:
        """What a store of a constant writes into the tangent."""
        if is_number(stmt.base.type):
            return build.number(0.0)
        return tangents.zero(stmt.value)

    def _update(self, stmt: nodes.Store, base: Expr, name: str) -> list[Stmt]:
        """base[index] *= value and its kin: the operator's rule, before the old value is gone."""
        place = build.index(stmt.base, *stmt.index) if stmt.index else stmt.base
        call = Call(
            OPERATORS[stmt.op], stmt.op, (place, stmt.value), form="operator", type=place.type
        )
        tangents = Tangents(self.facts, self.dots)
        result = _placeholder(name, place.type)
        tangents.results[id(call)] = result
        value = tangents.dot(call) or build.number(0.0)  # a floor is flat
        own: Stmt = nodes.Store(base, stmt.index, value)
        added = [*tangents.temps, own]
        if result.name not in {
            n for s in added for e in nodes.expressions(s) for n in nodes.names_in(e)
        }:
            return [*added, stmt]

        def again(expr: Expr) -> Expr:
            return call if isinstance(expr, Var) and expr.name == result.name else expr

        return [*(map_stmt_exprs(s, again) for s in added), stmt]

    def _mutate(self, stmt: nodes.Mutate) -> list[Stmt]:
        name = root(stmt.base)
        if name is None or not self.active(name) or holds_constants(stmt.base.type):
            return [stmt]
        tangents = Tangents(self.facts, self.dots)
        base = tangents.place(stmt.base)
        assert base is not None
        args = []
        for i, arg in enumerate(stmt.args):
            if i in POSITIONS.get(stmt.method, ()):
                args.append(arg)
                continue
            dot = tangents.full(arg)
            args.append(tangents.zero(arg) if dot is None else self._owned(dot, arg, (name,)))
        target = self.dot(stmt.target).name if stmt.target and self.active(stmt.target) else None
        return [*tangents.temps, nodes.Mutate(base, stmt.method, tuple(args), target), stmt]

    # --- loops -------------------------------------------------------------------------------
    def _for(self, stmt: nodes.For) -> list[Stmt]:
        active = [i for i, t in enumerate(stmt.targets) if self.active(t)]
        if active and stmt.backwards:
            return self._for(index_loop(stmt, self.facts.names, self.facts.types))
        tangents = Tangents(self.facts, self.dots)
        targets, sources, start = list(stmt.targets), list(stmt.sources), []
        for i in active:
            dot = self.dot(stmt.targets[i])
            source = tangents.full(stmt.sources[i])
            if source is None:
                value = Var(stmt.targets[i], type=self.facts.types[stmt.targets[i]])
                start.append(nodes.Assign((dot.name,), (tangents.zero(value),)))
            else:
                targets.append(dot.name)
                sources.append(source)
        body = (*start, *self.block(stmt.body))
        return [
            *tangents.temps,
            replace(stmt, targets=tuple(targets), sources=tuple(sources), body=body),
        ]


def pushed_parameters(pair: Any) -> tuple[str, ...]:
    """The parameters of a recursive function that have tangents."""
    function = pair.lowered.function
    return tuple(p for p in function.parameters if carries(function.types[p]))


def _increments(store: nodes.Store, own: set[str]) -> list[Stmt]:
    """`a += b + c` of arrays as two statements, which needs less memory at a time.

    own: names of what the first statement would change.
    """
    value = store.value
    plain = (
        isinstance(value, Call)
        and value.form == "operator"
        and value.text in ("+", "-")
        and len(value.args) == 2
    )
    if store.op not in ("+", "-") or not plain or not isinstance(value.type, Array):
        return [store]
    first, second = value.args  # type: ignore[attr-defined]
    if not build.same_shape(first.type, second.type) or own & nodes.names_in(value):
        return [store]
    op = store.op if value.text == "+" else "-" if store.op == "+" else "+"  # type: ignore[attr-defined]
    return [
        *_increments(replace(store, value=first), own),
        *_increments(replace(store, value=second, op=op), own),
    ]


def _placeholder(name: str, kind: object) -> Var:
    """Stands for what a statement gives, until it is known where its tangent goes."""
    return Var(f"<{name}>", type=kind)  # type: ignore[arg-type]


def _renamed(stmts: list[Stmt], names: dict[str, str]) -> list[Stmt]:
    def on_expr(expr: Expr) -> Expr:
        return (
            replace(expr, name=names[expr.name])
            if isinstance(expr, Var) and expr.name in names
            else expr
        )

    rename: Callable[[Stmt], Stmt] = lambda s: map_stmt_exprs(s, on_expr)  # noqa: E731
    return [rename(s) for s in stmts]
