"""Programs that the compiler refuses so far, and what it says: no wrong result, an error.

A program that begins to work fails its test until it is taken off this list. They run on tensors
with the default `fallback="eager"`.
"""

from __future__ import annotations

REFUSED: dict[str, str] = {
    "branches.and_value": "no derivative passes through 'and' here",
    "branches.bound_in_one_branch_in_loop": "name 'previous' is not defined here",
    "builtins_math.list_of_array": "two names share the memory of 'x_2'",
    "builtins_math.map_filter": "objects of class filter are not supported here",
    "builtins_math.max_with_key": "max() with a key is not supported",
    "builtins_math.sorted_values": "sorted() with a key is not supported",
    "comprehensions.set_of_indices": "a set comprehension can't be differentiated",
    "containers.deque_like_window": "no derivative rule for append",
    "containers.list_of_dicts": "no derivative passes through this expression",
    "containers.list_slices": "no derivative passes through '+' here",
    "estimation.soft_dtw": "the dict has no key ... here",
    "forward_only.formats": "arrays have no method 'strip'",
    "forward_only.logs": "this value can't be held by generated code",
    "forward_only.timing": "no derivative rule for time.perf_counter",
    "forward_only.with_suppressed_warnings": "'try' can't be differentiated",
    "functions.chosen_function": "can't tell which function is called here",
    "functions.reduce_from_functools": "functools.reduce over this needs an initial value",
    "methods.in_place_operators_on_attribute": "can't follow the derivative into this subscript",
    "methods.iteration_methods": "objects of class ndenumerate are not supported here",
    "mixed.alias_in_one_branch": "two names share the memory of 'y'",
    "mixed.arrays_in_list_updated_in_place": "two names share the memory of 'parts_2'",
    "mixed.list_of_row_views": "two names share the memory of 'm'",
    "mixed.recursion_with_inplace": "the recursive 'fill' changes its 'buffer' in place",
    "numerics.adaptive_quadrature": "name 'a' is not defined here",
    "shrunk.recursion_on_a_view_written_later": "a recursion with arguments of different kinds",
    "shrunk.row_kept_after_its_loop": "two names share the memory of 'z_2'",
    "syntax.array_or_list": "can't tell what this value is",
    "syntax.conditional_call": "can't tell which function is called here",
    "syntax.dead_branch_would_fail": "'<choice>' is not the same on every path",
    "syntax.defaultdict_totals": "no derivative rule for __getitem__",
    "syntax.dict_of_lists": "arrays have no method 'append'",
    "syntax.dict_of_mixed_shapes": "can't tell what this value is",
    "syntax.itertools_products": "itertools.combinations of a sequence of unknown length",
    "syntax.list_sort_method": "list.sort is not supported",
    "syntax.list_with_text": "can't tell what this value is",
    "syntax.order_of_values": "sorted() with a key is not supported",
    "syntax.star_in_calls": "can't unpack a sequence whose length is known only at run time",
    "views.appended_alias_changes": "two names share the memory of 'y'",
    "views.conditional_alias": "two names share the memory of 'target'",
    "views.swapped_aliases_odd_trips": "two names share the memory of 'keep'",
    "views.view_chosen_by_branch": "two names share the memory of 'y'",
}

# Refused when the gradient is differentiated again, in reverse.
SECOND_ORDER: frozenset[str] = frozenset(
    {
        "closures.recursive_inner",
        "containers.dataclass_argument",
        "functions.recursion",
        "functions.recursive_helper",
        "views.reshaped_view",
        "views.swapped_in_many_steps",
    }
)

# Refused in forward mode: a user's rule without a tangent.
FORWARD: frozenset[str] = frozenset({"functions.user_rule_hides_body"})

# Numba does not take them so far.
NUMBA: frozenset[str] = frozenset(
    {
        "comprehensions.conditional_in_comprehension",
        "early_exit.continue_outer_via_else",
        "syntax.string_keys_built",
    }
)
