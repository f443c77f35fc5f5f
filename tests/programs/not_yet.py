"""Programs that the compiler refuses so far, and what it says: no wrong result, an error.

A program that begins to work fails its test until it is taken off this list. They run on tensors
with the default `fallback="eager"`.
"""

from __future__ import annotations

REFUSED: dict[str, str] = {
    "methods.in_place_operators_on_attribute": "can't follow the derivative into this subscript",
    "mixed.alias_in_one_branch": "two names share the memory of 'y'",
    "mixed.arrays_in_list_updated_in_place": "two names share the memory of 'parts_2'",
    "mixed.list_of_row_views": "two names share the memory of 'm'",
    "mixed.recursion_with_inplace": "the recursive 'fill' changes its 'buffer' in place",
    "shrunk.recursion_on_a_view_written_later": "a recursion with arguments of different kinds",
    "shrunk.row_kept_after_its_loop": "two names share the memory of 'z_2'",
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
        "numerics.adaptive_quadrature",
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
