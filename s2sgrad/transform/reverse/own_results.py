"""Floor 5: gradients that would be arrays of the caller's are copied: `w_bar = w.copy()`.

`grad(lambda x: np.sum(x * w))(x)` is `w`, and whoever writes into a gradient must not write into
the data; nor into another gradient, as those by x and y of `np.sum(np.sin(x + y))`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import s2sgrad_runtime
from s2sgrad.analysis.effects import holds_arrays, root
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.analysis.same_arrays import arrays_behind
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.idle_copies import sharing


def own_results(
    results: Iterable[Expr], body: Block, given: frozenset[str], again: bool
) -> list[Stmt]:
    """Statements that make arrays of their own of variables in results that may be given ones, or
    share their memory with another.

    given: the function's parameters. again: the code will be differentiated, and copies that turn
    out to be needless must be known for the compiler's.
    """
    sources: dict[str, set[str]] = {}
    for stmt in nodes.walk_block(body):
        for target, found in sharing(stmt):
            sources.setdefault(target, set()).update(found)
    variables = dict.fromkeys(v for r in results for v in _arrays(r))
    made, filled = arrays_behind(body), _filled(body)
    taken: set[int | str] = set()
    copied: list[Stmt] = []
    for var in variables:
        own = made.get(var.name, frozenset({var.name}))
        reached = _reached(var.name, sources)
        lent = reached & given and (own & given or reached & filled)
        if lent or own & taken:
            copied.append(Assign((var.name,), (_copied(var, again),)))
        taken |= own
    return copied


def _arrays(expr: Expr) -> Iterator[Var]:
    """The variables that hold arrays, in a result or in the containers that it is made of."""
    match expr:
        case Var() if holds_arrays(expr.type):
            yield expr
        case nodes.Sequence(items=parts) | nodes.Mapping(values=parts):
            for part in parts:
                yield from _arrays(part)
        case Call(args=(Var() as var, *_)) if shares_memory(expr):  # in another form
            yield from _arrays(var)


def _filled(body: Block) -> set[str]:
    """The lists and dicts into which something is put, perhaps under other names too."""
    writes = (s for s in nodes.walk_block(body) if isinstance(s, nodes.Store | nodes.Mutate))
    return {root(s.base) or "" for s in writes if not isinstance(s.base.type, Array)}


def _reached(name: str, sources: dict[str, set[str]]) -> set[str]:
    """All variables whose memory a variable may be on."""
    found, new = {name}, [name]
    while new:
        for source in sources.get(new.pop(), ()):
            if source not in found:
                found.add(source)
                new.append(source)
    return found


def _copied(var: Var, again: bool) -> Call:
    if again:
        return Call(s2sgrad_runtime.copy_tree, "copy_tree", (var,), type=var.type)
    return build.copied(var)


__all__ = ["own_results"]
