"""Floor 6: array code as explicit loops: which passes, and in what order."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.again import computed_again
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.apart import Apart
from s2sgrad.backend.loops.bounds_once import with_bounds_once
from s2sgrad.backend.loops.checkpoints import with_checkpoints
from s2sgrad.backend.loops.contraction import contracted
from s2sgrad.backend.loops.dead import (
    without_dead_stores,
    without_unread_pops,
    without_unused_views,
)
from s2sgrad.backend.loops.distribute import Distribution
from s2sgrad.backend.loops.flags_ahead import with_flags_ahead
from s2sgrad.backend.loops.forms import in_loop_forms
from s2sgrad.backend.loops.forwards import forwards
from s2sgrad.backend.loops.fusion import merged
from s2sgrad.backend.loops.gather import Gathering
from s2sgrad.backend.loops.given_lengths import with_given_lengths
from s2sgrad.backend.loops.growing import stored_in_growing_arrays
from s2sgrad.backend.loops.idle_cotangents import without_idle_cotangents
from s2sgrad.backend.loops.idle_stores import without_idle_stores
from s2sgrad.backend.loops.inside import with_counted
from s2sgrad.backend.loops.interchange import interchanged
from s2sgrad.backend.loops.joined_sweeps import with_joined_sweeps
from s2sgrad.backend.loops.joined_totals import with_joined_totals
from s2sgrad.backend.loops.layout import laid_out
from s2sgrad.backend.loops.lower import Lowerer
from s2sgrad.backend.loops.names import RESERVED, rebound_in_place, without_second_names
from s2sgrad.backend.loops.nests import expanded
from s2sgrad.backend.loops.one_by_one import one_by_one
from s2sgrad.backend.loops.own_results import without_copied_results
from s2sgrad.backend.loops.read_ahead import with_values_named
from s2sgrad.backend.loops.registers import Registers
from s2sgrad.backend.loops.restored import read_where_saved
from s2sgrad.backend.loops.rows import Tools, along_rows
from s2sgrad.backend.loops.same_values import with_same_values
from s2sgrad.backend.loops.schedule import scheduled
from s2sgrad.backend.loops.stacks import with_stacks
from s2sgrad.backend.loops.storage import Lengths, stored_in_arrays
from s2sgrad.backend.loops.types import retyped
from s2sgrad.backend.loops.unread import without_unread_arrays
from s2sgrad.backend.loops.vectors import on_rows
from s2sgrad.backend.loops.wraps import without_wraps
from s2sgrad.backend.loops.zeros import with_zeros
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Function
from s2sgrad.transform.preparing.versions import versioned


def loops(function: Function, outer: Function | None = None, checks: bool = False) -> Function:
    """The function with array statements as loop nests where that is surely the same.

    outer: the function that it is a piece of, and that goes on to use the arrays it takes.
    checks: lengths that must be equal for that may be compared when the code runs.
    """
    names = Names(set(function.types) | set(function.parameters) | set(RESERVED))
    function = versioned(one_by_one(function, names), names)
    function = without_second_names(retyped(function))
    function = in_loop_forms(with_stacks(function, names, checks), names, checks)
    function = without_dead_stores(without_unread_pops(function), outer)
    function = computed_again(with_joined_sweeps(function, names, outer), names, outer)
    function, stores = stored_in_arrays(function)
    function = without_idle_cotangents(with_flags_ahead(function, names, stores))
    function = read_where_saved(function, stores, outer)
    function = rebound_in_place(stored_in_growing_arrays(function, names), outer)
    types = dict(function.types)
    lowerer = Lowerer(names, types, Groups(function, outer), checks, stores)
    lowerer.note_writes((*(outer.body if outer else ()), *function.body))
    lowerer.nests.moment.changing = lambda name: lowerer.groups.of(name) in lowerer.written
    body = lowerer.block(function.body)
    body = without_unread_arrays(with_given_lengths(without_unused_views(body), function))
    groups = Groups(replace(function, body=body), outer)  # nests bind no arrays
    body = contracted(merged(scheduled(body, groups), groups), groups, types)
    split = Distribution(body, groups, names, types, function.parameters).block(body)
    # Loops of the user's may have joined ours: `a[i - 1]` may count from the end in them.
    counters = frozenset(lowerer.nests.indices) if split == body else frozenset()
    turned = interchanged(split, groups)
    body = split if turned == split else contracted(merged(turned, groups), groups, types)
    body = laid_out(with_joined_totals(body, groups), types)
    lengths = Lengths(function, nodes.bound_in(function.body))
    body = along_rows(without_idle_stores(body, groups), Tools(groups, names, types, lengths))
    body = Registers(groups, names, types).block(without_wraps(body, names, types))
    body = Gathering(groups, names, types, lengths).block(on_rows(body, groups))
    body = Apart(body, groups, names, types, stores).block(body)
    body = with_values_named(body, groups, names, types)
    body = without_unused_views(with_same_values(with_bounds_once(expanded(with_zeros(body)))))
    lowered = with_counted(replace(function, body=body, types=types, counters=counters))
    lowered = with_checkpoints(lowered, stores, groups, names, lengths)
    return without_copied_results(forwards(lowered, groups))


__all__ = ["loops"]
