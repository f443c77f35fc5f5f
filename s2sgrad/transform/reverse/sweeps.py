"""Floor 5: the forward and the reverse sweep of a function, before they are put together."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.costs import COMPILED, present
from s2sgrad.analysis.dict_entries import entries_written
from s2sgrad.analysis.effects import Effects, effects
from s2sgrad.analysis.masking import Masking
from s2sgrad.analysis.tree_types import is_linked
from s2sgrad.analysis.unclear import refuse_unclear, refuse_unfollowed
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.nodes import Block, Expr, Stmt, Var
from s2sgrad.ir.types import Scalar, Type
from s2sgrad.transform.preparing.aliases import find_sharing
from s2sgrad.transform.preparing.detached import detached
from s2sgrad.transform.preparing.held_entries import with_held_entries
from s2sgrad.transform.preparing.last_taken import with_last_taken
from s2sgrad.transform.preparing.new_values import new_values
from s2sgrad.transform.preparing.normalize import Splitter
from s2sgrad.transform.preparing.partners import Partners
from s2sgrad.transform.preparing.primal import Primal, copy_written_inputs
from s2sgrad.transform.preparing.row_loops import index_loops
from s2sgrad.transform.preparing.searches_apart import with_searches_apart
from s2sgrad.transform.preparing.shared_values import with_shared_values
from s2sgrad.transform.preparing.steady_places import with_steady_places
from s2sgrad.transform.reverse.adjoint import Facts
from s2sgrad.transform.reverse.apart import held_apart
from s2sgrad.transform.reverse.bar_values import bar_type
from s2sgrad.transform.reverse.bars import OWNED, SET
from s2sgrad.transform.reverse.reverse import Reversal
from s2sgrad.transform.reverse.shadow_kinds import tangled_names
from s2sgrad.transform.reverse.shadows import Shadows
from s2sgrad.transform.saving.saving import Plan
from s2sgrad.transform.writing.expand import Sizes
from s2sgrad.transform.writing.found_values import with_found_values

Seeds = dict[str, Expr | None]  # result variable -> its cotangent


@dataclass
class Sweeps:
    """The two halves of a gradient, before they are put together."""

    primal: Primal
    forward: list[Stmt]
    reverse: list[Stmt]
    reversal: Reversal
    wanted: set[str]
    decisions: tuple[Decision, ...] = ()

    @property
    def types(self) -> dict[str, Type]:
        """The types of all variables, cotangents too."""
        return self.reversal.facts.types


def sweeps(primal: Primal, wanted: set[str], seeds: Seeds, taped: bool = True) -> Sweeps:
    """Reverse a function. wanted: the input variables to differentiate by.

    seeds: result variable -> its cotangent; None for the literal 1. taped: whether recursive
    functions keep what their reverse sweeps need.
    """
    before = copy.copy(vars(primal)), copy.deepcopy(primal.names)
    try:
        return _sweeps(primal, wanted, seeds, taped, frozenset())
    except _Rebound as found:
        vars(primal).update(before[0], names=before[1])
        return _sweeps(primal, wanted, seeds, taped, found.names)


class _Rebound(Exception):
    """Start again: these inputs have shadows, and their names go to other arrays."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__(names)
        self.names = names


def _sweeps(
    primal: Primal,
    wanted: set[str],
    seeds: Seeds,
    taped: bool,
    rebound: frozenset[str],
) -> Sweeps:
    """rebound: inputs that the function works on copies of, under other names."""
    copy_written_inputs(primal, effects(primal.function.body), rebound)
    seeds = {primal.leaves.get(name, name): bar for name, bar in seeds.items()}
    body = index_loops(primal.function.body, primal.names, primal.function.types)
    types = dict(primal.function.types)
    new_name = partial(_new_name, primal, types)
    live, given = frozenset(primal.seeds), _given(primal)
    body = with_steady_places(body, types, live, new_name)
    body, shared, activity, found = _searched(body, primal, types, wanted, set(seeds))
    splitter = Splitter(activity, primal.names, types)
    body = _split(splitter, new_values(body, shared, activity, given))
    body = held_apart(body, effects(body))
    shared = effects(body)
    sharing = find_sharing(body, shared, types, live, given)

    def fresh(base: str, kind: Type) -> str:
        name = new_name(base, kind)
        activity.variables = activity.variables | {name}
        return name

    apart = detached(body, shared, sharing.tangled, live, fresh)
    if apart != body:
        body, shared = apart, effects(apart)
        sharing = find_sharing(body, shared, types, live, given)
    partners = Partners(shared, frozenset(activity.variables))
    body = partners.join(body, frozenset())
    lasting = {n for n in types if shared.find(n) in sharing.moved | set(sharing.tangled)}
    lasting -= set(sharing.paths)
    tangled = tangled_names(shared, sharing.tangled, activity)
    body, shadows = _shadowed(body, tangled, activity, primal)
    if shadows.of:
        shared = effects(body)
        lasting |= {*shadows.of, *shadows.of.values()}
    ends = sharing.paths, live, given, frozenset(lasting), types, primal.filled
    sizes, makers = Sizes(primal.origin), shadows.makers
    first = Facts(
        activity, sharing.paths, types, sizes, primal.names, shadows.of, makers, taped=taped
    )
    body, shared, plan, facts = _planned(body, shared, first, partners, ends, seeds)
    facts = replace(facts, types=types, names=primal.names)
    forward, reverse, reversal = _run(body, facts, shared, plan, seeds)
    forward = with_found_values(partners.apart(forward), reverse, found)
    return Sweeps(
        primal, forward, reverse, reversal, wanted, (*splitter.decisions, *plan.decisions)
    )


def _planned(
    body: Block, shared: Effects, first: Facts, partners: Partners, ends: Any, seeds: Seeds
) -> tuple[Block, Effects, Plan, Facts]:
    """What to save, by a run that only collects what is read; a second one where what loops keep
    serves partners too, which are one statement then."""
    facts = replace(
        first,
        types=dict(first.types),
        names=copy.deepcopy(first.names),
        masking=Masking(body),
        entries=entries_written(body, shared),
        partners=frozenset(partners.names),
    )
    plan = Plan(body, shared, *ends)
    _run(body, facts, shared, plan, seeds)
    plan.decide()
    if partners.asked and not partners.found and not facts.shadows:
        joined = partners.join(body, plan.kept_names())
        if partners.found:
            return _planned(joined, effects(joined), first, partners, ends, seeds)
    return body, shared, plan, facts


def _searched(
    body: Block, primal: Primal, types: dict[str, Type], wanted: set[str], seeds: set[str]
) -> tuple[Block, Effects, Activity, dict[tuple[str, str], str]]:
    """The body with searches apart from the derivative of what they found, what shares memory in
    it, what carries derivatives, and where the searches keep what they found."""
    new_name = partial(_new_name, primal, types)
    body = with_held_entries(body, effects(body), new_name)
    shared, given = effects(body), body
    activity = Activity(body, types, shared, wanted, seeds)
    refuse_unfollowed(activity)
    refuse_unclear(activity, seeds)
    if present() is COMPILED:
        body = with_searches_apart(body, shared, activity.variables)
    ends = frozenset(primal.seeds), _given(primal)
    sought, found = with_last_taken(body, activity.variables, types, *ends, new_name)
    if sought is not given:
        body, shared = sought, effects(sought)
        activity = Activity(body, types, shared, wanted, seeds)
    return body, shared, activity, found


def _split(splitter: Splitter, body: Block) -> Block:
    """The body with names for what the reverse sweep reads; one for values that are computed twice,
    but in compiled code, which computes them where they are used."""
    before = set(splitter.types)
    body = splitter.block(body)
    if present() is COMPILED:
        return body
    return with_shared_values(body, splitter.types.keys() - before, splitter.activity.variables)


def _new_name(primal: Primal, types: dict[str, Type], base: str, kind: Type) -> str:
    """A name for a variable that the transformation adds."""
    name = primal.names.fresh(base)
    types[name], primal.bases[name] = kind, base
    return name


def _given(primal: Primal) -> frozenset[str]:
    """The names that have values before the code runs."""
    function = primal.function
    return frozenset(
        [*function.parameters, *primal.inputs, *primal.leaves.values(), *primal.outside]
    )


def _shadowed(
    body: Block,
    names: dict[str, UnsupportedError],
    activity: Activity,
    primal: Primal,
) -> tuple[Block, Shadows]:
    """The body with shadows of what is tangled in it."""
    for name, refusal in names.items():
        if is_linked(activity.types[name]):
            raise refusal
    given = frozenset([*primal.function.parameters, *primal.inputs])
    rebound = frozenset(names.keys() & given & nodes.bound_in(body))
    if rebound:  # the gradient is the first shadow, and not that of another array
        raise _Rebound(rebound)
    shadows = Shadows(names, activity, primal.names, activity.types, primal.bases)
    return (shadows.whole(body, given) if names else body), shadows


def _run(
    body: Block, facts: Facts, shared: Effects, plan: Plan, seeds: Seeds
) -> tuple[list[Stmt], list[Stmt], Reversal]:
    sweep = Reversal(facts, shared, plan)
    changed = [n for n in facts.types if shared.is_written(n) or shared.find(n) in shared.resized]
    for name, bar in seeds.items():  # a parameter of the reverse code is a buffer as well
        if isinstance(bar, Var) and name not in facts.aliases:
            sweep.bars.variables[name] = bar.name
            facts.types.setdefault(bar.name, bar_type(facts.types[name]))
    bars = [sweep.bars.variable(n).name for n in changed if n in facts.activity.variables]
    sweep.bars.buffers = frozenset([*changed, *bars, *facts.shadows.values()])
    start = [stmt for name, bar in seeds.items() for stmt in _seed(sweep, name, bar)]
    forward, reverse = sweep.block(body)
    start = [s for s in start if not set(nodes.targets_of(s)) & sweep.spent]
    return [*sweep.first, *forward], [*start, *reverse], sweep


def _seed(sweep: Reversal, name: str, value: Expr | None) -> list[Stmt]:
    """Set the cotangent of a result; 1 where none is given."""
    facts = sweep.facts
    if name not in facts.activity.variables:
        return []
    if name in facts.shadows:  # zeros that other names share
        value = nodes.Const(1.0, type=Scalar("float", None, 1.0)) if value is None else value
        return sweep.bars.add(Var(name, type=facts.types[name]), value)
    if value is not None and (name in facts.aliases or sweep.bars.is_set(name)):
        return sweep.bars.add(Var(name, type=facts.types[name]), value)
    if isinstance(value, Var):  # a parameter of the reverse code takes the cotangent's place
        sweep.bars.variables[name] = value.name
        facts.types[value.name] = bar_type(facts.types[name])
        sweep.bars.state[name] = SET
        return []
    bar = sweep.bars.variable(name)
    if value is None:
        value = nodes.Const(1.0, type=Scalar("float", None, 1.0))
        facts.types[bar.name] = facts.types[name]
        sweep.bars.constants[name] = value
    sweep.bars.state[name] = OWNED if isinstance(value, nodes.Const) else SET
    return [nodes.Assign((bar.name,), (value,))]
