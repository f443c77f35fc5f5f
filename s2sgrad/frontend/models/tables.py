"""Floor 4: methods of dicts whose keys only a run knows, written out in plain Python."""

from __future__ import annotations

from typing import Any


def dict_items(table: Any) -> Any:
    """dict.items."""
    return ((key, table[key]) for key in table)


def dict_values(table: Any) -> Any:
    """dict.values."""
    return (table[key] for key in table)


def dict_get(table: Any, key: Any, default: Any = None) -> Any:
    """dict.get."""
    return table[key] if key in table else default  # noqa: SIM401


def dict_setdefault(table: Any, key: Any, default: Any = None) -> Any:
    """dict.setdefault."""
    if key not in table:
        table[key] = default
    return table[key]


def dict_update(table: Any, other: Any = (), **named: Any) -> None:
    """dict.update."""
    if hasattr(other, "keys"):
        for key in other:
            table[key] = other[key]
    else:
        for key, value in other:
            table[key] = value
    for key, value in named.items():
        table[key] = value


def dict_clear(table: Any) -> None:
    """dict.clear."""
    for key in list(table):
        table.pop(key)


def dict_pop(table: Any, key: Any, default: Any) -> Any:
    """dict.pop with a default."""
    return table.pop(key) if key in table else default


def dict_popitem(table: Any, last: bool = True) -> Any:
    """dict.popitem, and that of OrderedDict."""
    key = list(table)[-1 if last else 0]
    return key, table.pop(key)


def dict_move_to_end(table: Any, key: Any, last: bool = True) -> None:
    """OrderedDict.move_to_end."""
    others = [] if last else [k for k in table if k != key]
    table[key] = table.pop(key)
    for k in others:
        table[k] = table.pop(k)


def put_list(place: Any, new: Any) -> None:
    """Other items in the same list."""
    place.clear()
    place.extend(new)


def put_into_list(place: Any, new: Any, put: Any) -> None:
    """Other items in the lists or dicts that a list holds, which stay the same ones."""
    while len(place) > len(new):
        place.pop()
    for k in range(len(place)):
        if place[k] is None or new[k] is None:
            place[k] = new[k]
        else:
            put(place[k], new[k])
    place.extend(new[len(place) :])


def put_into_dict(place: Any, new: Any, put: Any) -> None:
    """Other items in the lists or dicts that a dict holds, which stay the same ones."""
    for key in new:
        if key in place and place[key] is not None and new[key] is not None:
            put(place[key], new[key])
        else:
            place[key] = new[key]
