"""Floor 1: names are chosen once, in order, and repeat exactly: `h`, `h_2`, `h_3`."""

from __future__ import annotations

import builtins
import keyword

import s2sgrad_runtime

GENERATED = "<s2sgrad "  # how the names of files begin that only hold generated code


class Names:
    """Gives out names that are not taken yet."""

    def __init__(self, taken: set[str] | None = None) -> None:
        self._taken = set(taken or ()) | RESERVED
        self._next: dict[str, int] = {}

    def fresh(self, base: str) -> str:
        """`base` if free, else `base_2`, `base_3`... `value` for what is no name, as `==`."""
        base = base if base.isidentifier() else "value"
        if base not in self._taken:
            self._taken.add(base)
            return base
        number = self._next.get(base, 2)
        while f"{base}_{number}" in self._taken:
            number += 1
        self._next[base] = number + 1
        self._taken.add(f"{base}_{number}")
        return f"{base}_{number}"

    def reserve(self, name: str) -> None:
        """Mark a name as taken."""
        self._taken.add(name)

    def __deepcopy__(self, memo: dict[int, object]) -> Names:
        """A copy without a look at each of the names: there are a thousand reserved ones."""
        copied = Names.__new__(Names)
        copied._taken, copied._next = set(self._taken), dict(self._next)
        return copied

    def release(self, name: str) -> None:
        """Mark a name as free again."""
        self._taken.discard(name)


_USED_BUILTINS = {
    "range", "len", "reversed", "zip", "enumerate", "list", "tuple", "dict", "float", "int",
    "abs", "min", "max", "sum", "print", "sorted", "bool", "round", "isinstance", "True",
}  # fmt: skip
_HELPERS = frozenset(s2sgrad_runtime.__all__)
RESERVED = (
    frozenset(keyword.kwlist) | _HELPERS | frozenset({"np"}) | (_USED_BUILTINS & set(dir(builtins)))
)
