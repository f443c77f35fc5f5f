"""Loops with independent iterations: compiled code saves nothing of them."""

from __future__ import annotations

import re

import programs
import pytest

import s2sgrad

PROGRAMS = {p.function.__name__: p for p in programs.load() if p.name.startswith("single_pass.")}
ONE_PASS = [
    "pair_energy",
    "weighted_curve",
    "rows_through_a_neuron",
    "field_of_sources",
    "residuals_of_a_fit",
]
TWO_PASSES = [
    "one_that_looks_back",
    "result_used_by_its_neighbour",
    "some_are_left_out",
    "left_at_the_first",
    "loss_scales_its_own_sum",
    "last_counter_is_used",
    "one_array_holds_all",
]


def saved(name):
    p = PROGRAMS[name]
    args, kwargs = p.example()
    text = s2sgrad.value_and_grad(p.function, p.wrt).source(*args, **kwargs, jit=True)
    return set(re.findall(r"\w+_saved\w*", text))


@pytest.mark.parametrize("name", ONE_PASS)
def test_nothing_is_saved_where_iterations_are_independent(name):
    assert not saved(name)


@pytest.mark.parametrize("name", TWO_PASSES)
def test_values_are_saved_where_they_are_not(name):
    assert saved(name)
