"""Floor 5: where the cotangents of a statement's results go, once they are used up.

    y = x + z[:2]           x_bar = y_bar           with the memory of y_bar
                            z_bar[:2] += y_bar

A cotangent that only one other goes on with stays owned: what is added to that is added in place.
"""

from __future__ import annotations

from collections import Counter

import s2sgrad_runtime
from s2sgrad.analysis.new_arrays import parted, shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Expr, Stmt, Var
from s2sgrad.ir.types import Dict, List, Tuple
from s2sgrad.transform.reverse.adjoint import Add, Adjoint, Facts, combined
from s2sgrad.transform.reverse.bars import OWNED, SET, Bars
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_expr


class HandingOn:
    """The part of the reversal that adds what a statement gives to the cotangents before it."""

    facts: Facts
    bars: Bars

    def given_on(self, adjoint: Adjoint, consumed: dict[str, str]) -> list[Stmt]:
        """What a statement adds to cotangents, once those of its targets are used up."""
        self.bars.dying = frozenset(self.bars.variable(n).name for n in consumed)
        added = self._additions(adjoint, consumed)
        self.bars.dying = frozenset()
        return [*adjoint.temps, *added]

    def _additions(self, adjoint: Adjoint, consumed: dict[str, str]) -> list[Stmt]:
        """Emit additions; those to the cotangents just used up come last, all at once."""
        adds = combined(adjoint.adds)
        result: list[Stmt] = []
        again: dict[str, list[Expr]] = {}
        for add in adds:
            place = self.bars.resolved(add.place)
            if isinstance(place, Var) and place.name in consumed:
                again.setdefault(place.name, []).append(add.value)
        partial = [a for a in adds if not self._is_whole(a.place, consumed)]
        if any(self.bars.owner(a.place) in consumed for a in partial):
            return self._own_parts(adjoint.adds, consumed)
        giver = {self.bars.variable(n).name: n for n in consumed}
        state = {bar: consumed[n] for bar, n in giver.items()} | _new_temporaries(adjoint)
        held = [a.value for a in adds if self.bars.goes_on_with(a.place, a.value)]
        held += [v for temp in adjoint.temps for v in nodes.expressions(temp) if shares_memory(v)]
        named = Counter(n for value in held for n in nodes.names_in(value))
        once = {bar for bar in state if named[bar] == 1}
        lasting: dict[str, str] = {}
        late: list[Add] = []  # when nobody reads the cotangents just used up any more
        for add in partial:
            handed = parted(add.value)
            if isinstance(handed, Var) and handed.name in once:
                lasting |= self._hand_over(add, giver.get(handed.name), state[handed.name], result)
                continue
            owner = self.bars.owner(add.place)
            if owner in lasting and not again and not nodes.names_in(add.value) & set(state):
                late.append(add)
            else:
                lasting.pop(owner, None)
                result += self.bars.add(add.place, add.value)
        self.bars.state |= lasting
        for add in late:
            result += self.bars.add(add.place, add.value)
        own = {bar for bar in once if state[bar] == OWNED}
        return [*result, *self._carried(again, own)]

    def _is_whole(self, place: Expr, consumed: dict[str, str]) -> bool:
        found = self.bars.resolved(place)
        return isinstance(found, Var) and found.name in consumed

    def _hand_over(
        self, add: Add, giver: str | None, state: str, result: list[Stmt]
    ) -> dict[str, str]:
        """`x = y`, `x = np.stack(y)`: the cotangent moves on with its memory. The state of the
        one that has it then. giver: the variable whose cotangent it was; state: how it was held."""
        place = self.bars.resolved(add.place)
        fresh = isinstance(place, Var) and not self.bars.is_set(place.name)
        result += self.bars.add(add.place, add.value)
        if not (fresh and isinstance(place, Var)):
            return {}
        made = result[-1].values[0] if isinstance(result[-1], nodes.Assign) else None
        if made is None or not shares_memory(made):
            state = OWNED
        elif made is not parted(made) and giver in self.facts.shadows:
            state = SET
        elif self.bars.may_be_real(self.facts.types[place.name]):
            state = SET  # its memory may be too narrow for what is still added
        elif not isinstance(parted(made), Var) or place.name in self.bars.lazy:
            state = SET  # a view of it, which may be read-only; or smaller than the value
        return {place.name: state}

    def _carried(self, again: dict[str, list[Expr]], own: set[str]) -> list[Stmt]:
        """New values of cotangents that were just consumed, assigned together. own: those that
        `u, v = v, w` hands on with their memory."""
        targets, values = [], []
        for name, parts in again.items():
            total = parts[0]
            for part in parts[1:]:
                total = _plus(total, part)
            (*_, assign) = self.bars.add(Var(name, type=self.facts.types[name]), total)
            assert isinstance(assign, nodes.Assign)
            targets.append(assign.targets[0])
            values.append(assign.values[0])
            kind, made = self.facts.types[name], values[-1]
            same = isinstance(made, Var) and made.name in own and made.type == kind
            if same and name not in self.bars.lazy and not self.bars.may_be_real(kind):
                self.bars.state[name] = OWNED
        return [nodes.Assign(tuple(targets), tuple(values))] if targets else []

    def _own_parts(self, adds: list[Add], consumed: dict[str, str]) -> list[Stmt]:
        """`x = f(x[1:])`: the old cotangent is kept aside while the new one is built."""
        result: list[Stmt] = []
        held: dict[str, Var] = {}
        for name in consumed:
            bar = self.bars.variable(name)
            fresh = self.facts.names.fresh(f"{name}_next_bar")
            self.facts.types[fresh] = bar.type
            held[bar.name] = Var(fresh, type=bar.type)
            result.append(nodes.Assign((fresh,), (bar,)))

        def moved(expr: Expr) -> Expr:
            return held.get(expr.name, expr) if isinstance(expr, Var) else expr

        for add in combined(adds):
            result += self.bars.add(add.place, map_expr(add.value, moved))
        return result


def _plus(first: Expr, second: Expr) -> Expr:
    """Two contributions to one cotangent: those to a list item by item."""
    if isinstance(first.type, List | Tuple | Dict):
        pair = (first, second)
        return nodes.Call(s2sgrad_runtime.accumulate, "accumulate", pair, type=first.type)
    return build.binary("+", first, second)


def _new_temporaries(adjoint: Adjoint) -> dict[str, str]:
    """The temporaries that are new arrays, which nobody but the statement's additions takes."""
    assigned = (t for t in adjoint.temps if isinstance(t, nodes.Assign) and len(t.targets) == 1)
    return {t.targets[0]: OWNED for t in assigned if not shares_memory(t.values[0])}


__all__ = ["HandingOn"]
