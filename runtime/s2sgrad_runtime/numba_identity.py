"""Numba's lists told apart: whether one list is held in two places."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.cpython import listobj
from numba.extending import intrinsic, overload

from s2sgrad_runtime import trees

_LISTS = (types.List, types.ListType)


@intrinsic  # type: ignore[untyped-decorator]
def address(context: Any, of_list: Any) -> Any:
    """Where a list's entries are kept, which is the same for all names of it."""

    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        if isinstance(kind, types.List):
            place = listobj.ListInstance(target, builder, kind, args[0]).meminfo
        else:
            place = cgutils.create_struct_proxy(kind)(target, builder, value=args[0]).meminfo
        return builder.ptrtoint(place, target.get_value_type(types.uintp))

    return types.uintp(of_list), generate


def gather(tree: Any, found: Any) -> None:
    """The addresses of all lists within a list or tuple, added to a list."""
    raise NotImplementedError


@overload(gather, strict=False)
def _gather(tree: Any, found: Any) -> Any:
    if isinstance(tree, _LISTS) and isinstance(tree.dtype, (*_LISTS, types.BaseTuple)):
        if isinstance(tree.dtype, _LISTS):

            def of_lists(tree: Any, found: Any) -> None:
                for part in tree:
                    found.append(address(part))  # type: ignore[call-arg]
                    gather(part, found)

            return of_lists

        def others(tree: Any, found: Any) -> None:
            for part in tree:
                gather(part, found)

        return others
    if isinstance(tree, types.BaseTuple):
        kinds: Any = tuple(iter(tree))  # type: ignore[call-overload]
        held = [i for i, kind in enumerate(kinds) if isinstance(kind, (*_LISTS, types.BaseTuple))]
        lists = [i for i in held if isinstance(kinds[i], _LISTS)]
        lines = [f"    gather(tree[{i}], found)" for i in held]
        lines += [f"    found.append(address(tree[{i}]))" for i in lists]
        scope: dict[str, Any] = {"gather": gather, "address": address}
        exec("\n".join(["def parts(tree, found):", *lines, "    return None"]), scope)
        return scope["parts"]
    return lambda tree, found: None


@overload(trees.copy_apart, strict=False)
def copy_apart(tree: Any) -> Any:
    """With NumPy's check, by the addresses of the lists."""
    message = trees.HELD_TWICE

    def copied(tree: Any) -> Any:
        found = [np.uintp(0)]
        gather(tree, found)
        places = np.sort(np.array(found))
        for k in range(1, len(places)):
            if places[k] == places[k - 1]:
                raise ValueError(message)
        return trees.copy_tree(tree)

    return copied
