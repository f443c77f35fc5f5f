"""Floor 4: whether an expression that gave no statement has changed something all the same.

Containers of known make are taken apart while compiling: `a.pop()` only changes what is known of
them. Where a run decides whether that is come to, it has to stand in a branch.
"""

from __future__ import annotations

from s2sgrad.frontend.state import State


def changed(before: State, now: State) -> bool:
    """Whether names of the user's, or containers that were there, hold something else now."""
    own = {k: v for k, v in now.vars.items() if not k[1].startswith("<")}
    return any(v != before.vars.get(k) for k, v in own.items()) or any(
        now.heap.get(i) != contents for i, contents in before.heap.items()
    )


__all__ = ["changed"]
