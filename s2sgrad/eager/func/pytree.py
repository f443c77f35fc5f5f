"""Nests of tuples, lists and dicts: taken apart into leaves, and put together again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any


class TreeSpec:
    """The shape of a nest. `kind`: the container type, None for a leaf; `keys`: of a dict."""

    __slots__ = ("children", "keys", "kind")

    def __init__(self, kind: Any, keys: Any = None, children: Sequence[TreeSpec] = ()) -> None:
        self.kind, self.keys, self.children = kind, keys, list(children)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TreeSpec)
            and self.kind is other.kind
            and self.keys == other.keys
            and self.children == other.children
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def num_leaves(self) -> int:
        """How many leaves the nest has."""
        return 1 if self.kind is None else sum(c.num_leaves for c in self.children)

    def __repr__(self) -> str:
        if self.kind is None:
            return "*"
        inner = ",\n  ".join(repr(c).replace("\n", "\n  ") for c in self.children)
        return f"TreeSpec({self.kind.__name__}, {self.keys}, [{inner}])"

    def short(self) -> str:
        """`(*, *)`, `{'a': *}`: the nest with stars for leaves."""
        if self.kind is None:
            return "*"
        parts = [c.short() for c in self.children]
        if self.keys is not None:
            pairs = zip(self.keys, parts, strict=True)
            return "{" + ", ".join(f"{k!r}: {p}" for k, p in pairs) + "}"
        if self.kind is list:
            return f"[{', '.join(parts)}]"
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


LEAF_SPEC = TreeSpec(None)


def tree_flatten(tree: Any) -> tuple[list[Any], TreeSpec]:
    """(leaves, spec). Everything but tuples, lists and dicts is a leaf, None too."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves)


def _flatten(tree: Any, leaves: list[Any]) -> TreeSpec:
    kind = type(tree)
    if kind in (dict, OrderedDict):
        children = [_flatten(value, leaves) for value in tree.values()]
        return TreeSpec(kind, list(tree), children)
    if kind in (tuple, list) or (isinstance(tree, tuple) and hasattr(tree, "_fields")):
        return TreeSpec(kind, None, [_flatten(value, leaves) for value in tree])
    leaves.append(tree)
    return LEAF_SPEC


def tree_unflatten(leaves: Sequence[Any], spec: TreeSpec) -> Any:
    """The nest of a spec with these leaves."""
    supply = iter(leaves)
    return _unflatten(supply, spec)


def _unflatten(supply: Any, spec: TreeSpec) -> Any:
    if spec.kind is None:
        return next(supply)
    children = [_unflatten(supply, child) for child in spec.children]
    if spec.keys is not None:
        return spec.kind(zip(spec.keys, children, strict=True))
    if hasattr(spec.kind, "_fields"):
        return spec.kind(*children)
    return spec.kind(children)


def tree_map(function: Callable[..., Any], tree: Any) -> Any:
    """The nest with `function` applied to every leaf."""
    leaves, spec = tree_flatten(tree)
    return tree_unflatten([function(leaf) for leaf in leaves], spec)


def tree_leaves(tree: Any) -> list[Any]:
    """The leaves of a nest."""
    return tree_flatten(tree)[0]


def broadcast_prefix(prefix: Any, spec: TreeSpec) -> list[Any] | None:
    """One value per leaf of `spec` from a nest that may stop early; None where it does not fit."""
    if spec.kind is None:
        is_nest = isinstance(prefix, (tuple, list, dict))
        return None if is_nest else [prefix]
    if not isinstance(prefix, (tuple, list, dict)):
        return [prefix] * spec.num_leaves
    if isinstance(prefix, dict):
        if spec.keys is None or list(prefix) != list(spec.keys):
            return None
        entries: Sequence[Any] = list(prefix.values())
    else:
        if spec.keys is not None or not isinstance(prefix, spec.kind):
            return None
        entries = prefix
    if len(entries) != len(spec.children):
        return None
    found: list[Any] = []
    for entry, child in zip(entries, spec.children, strict=True):
        part = broadcast_prefix(entry, child)
        if part is None:
            return None
        found += part
    return found
