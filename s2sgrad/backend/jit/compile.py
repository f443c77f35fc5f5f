"""Floor 6: run generated functions under Numba.

Numba sees a plain function of numbers, arrays and lists: the leaves of the caller's arguments. A
small Python function around it takes the arguments apart and puts the gradient together. What
Numba can't hold stays in Python, between compiled pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from s2sgrad.backend.jit.attempt import Attempt
from s2sgrad.backend.jit.options import Jit
from s2sgrad.backend.jit.reports import Report
from s2sgrad.backend.jit.tied import writes_given
from s2sgrad.backend.module import Compiled
from s2sgrad.ir.assumptions import Assumptions
from s2sgrad.ir.nodes import Function


@dataclass(frozen=True)
class JitCompiled(Compiled):
    """Generated functions under Numba, and what became of them so far."""

    report: Report = field(default_factory=Report, repr=False)

    def note(self, error: BaseException) -> None:
        """Add the user's own line to an error raised inside the generated code."""
        self.report.note(error)


def jitted(product: Any, jit: Jit) -> Any:
    """The same product with its functions compiled by Numba, each at its first call."""
    _teach_numba(product.compiled.references)
    report = Report()
    plain = product.compiled
    others: dict[str, Any] = {}
    known = product.lowered.assumptions
    known = known and known.without_counters()
    attempts = tuple(
        Attempt(
            part, jit, report, others, known=known, in_order=_in_order(part, plain.parts, known),
            checks=again, again=again, outer=_both(part, plain.parts),
        )
        for part in plain.parts
        for again in (_runs_again(part, plain.parts),)
    )  # fmt: skip
    others.update({a.__name__: a for a in attempts})
    for attempt in attempts:
        attempt.prepare()
    compiled = JitCompiled(
        attempts[0],
        "\n\n".join(a.text for a in attempts),
        plain.filename,
        plain.references,
        plain.origin,
        attempts,
        plain.parts,
        plain.near,
        report,
    )
    return replace(product, compiled=compiled)


def _runs_again(part: Function, parts: tuple[Function, ...]) -> bool:
    """Whether a call that fails may be tried otherwise: no other function, and nothing that the
    caller holds, has changed by then."""
    return len(parts) == 1 or (len(parts) == 2 and not writes_given(part))


def _both(part: Function, parts: tuple[Function, ...]) -> Function | None:
    """A forward function and the backward one, one after the other: what is saved may be one array
    under two names, and what the second writes may be a view that the first makes. None for others.
    """
    ends = ("forward", "backward")
    stem = part.name.removesuffix("forward").removesuffix("backward")
    if stem == part.name or not stem.endswith("_"):
        return None
    found = [p for end in ends for p in parts if p.name == stem + end]
    body = tuple(stmt for p in found for stmt in p.body)
    return replace(part, body=body) if len(found) == len(ends) else None


def _in_order(part: Function, parts: tuple[Function, ...], known: Assumptions | None) -> bool:
    """Whether what a function is given counts as in C order: the caller's arrays where they do,
    those of recursive calls never. What backward functions take was settled in the forward ones."""
    if part is parts[0]:
        return known is None or known.in_order
    return part.name.endswith("_backward")


def _teach_numba(names: dict[str, Any]) -> None:
    """Load Numba, and its versions of our runtime helpers; names: what the code refers to."""
    try:
        import numba  # noqa: F401
    except ImportError as error:
        raise ImportError("jit=True needs Numba: pip install 's2sgrad[numba]'") from error
    import s2sgrad_runtime.numba_axes
    import s2sgrad_runtime.numba_convolutions
    import s2sgrad_runtime.numba_curves
    import s2sgrad_runtime.numba_helpers
    import s2sgrad_runtime.numba_identity
    import s2sgrad_runtime.numba_iterators
    import s2sgrad_runtime.numba_kinds
    import s2sgrad_runtime.numba_lists
    import s2sgrad_runtime.numba_numpy
    import s2sgrad_runtime.numba_orders
    import s2sgrad_runtime.numba_places
    import s2sgrad_runtime.numba_ranks
    import s2sgrad_runtime.numba_slices
    import s2sgrad_runtime.numba_trees  # noqa: F401
    from s2sgrad_runtime import numba_special

    if numba_special.used_by(names):
        numba_special.teach()


__all__ = ["JitCompiled", "jitted"]
