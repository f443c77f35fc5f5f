"""Floor 4: `with s2sgrad.cotangent(x) as x_bar:`, code of the user's for the reverse sweep."""

from __future__ import annotations

import ast

from s2sgrad.analysis.effects import shared_with
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import NEVER, exit_kind
from s2sgrad.frontend.freeze import freeze
from s2sgrad.frontend.state import Key, State
from s2sgrad.frontend.values import Dyn, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.sizes import known
from s2sgrad.ir.types import Type, forget, shape_of
from s2sgrad_runtime import as_cotangent


class CotangentBlocks(Base):
    """Lowering of blocks that are about a cotangent."""

    def cotangent_of(self, stmt: ast.With) -> ast.Call | None:
        """The call of `s2sgrad.cotangent`, if this is a block for the reverse sweep."""
        call = stmt.items[0].context_expr
        if not isinstance(call, ast.Call):
            return None
        marked = getattr(self.known_function(call.func), "__s2sgrad_splice__", False)
        return call if marked else None

    def splice(self, stmt: ast.With, call: ast.Call) -> None:
        """Lower the body on its own: it binds nothing in the forward sweep."""
        name = stmt.items[0].optional_vars
        if len(stmt.items) != 1 or len(call.args) != 1 or not isinstance(name, ast.Name):
            raise self.refuse(
                "expected `with s2sgrad.cotangent(x) as x_bar:`",
                stmt,
                "the block is code of the reverse sweep, about one cotangent",
                "write one `with` for each cotangent, with a name for it",
            )
        if exit_kind(stmt.body) != NEVER:
            raise self.refuse(
                "a cotangent block can't be left early",
                stmt,
                "it runs in the reverse sweep",
                "leave the loop or function behind the block",
            )
        value = self.expr(call.args[0])
        if not self._has_one(value, call):
            return  # no number, or a constant
        assert isinstance(value, Dyn)
        before, span = self.state.copy(), self.span(stmt)
        bar = self.builder.fresh(name.id, forget(value.type))
        self.builder.blocks.append([])
        self.set(self.frame, name.id, Dyn(bar))
        self.run_block(stmt.body)
        after = self.get(self.frame, name.id)
        result = self.residual(after if after is not None else Dyn(bar), stmt)
        if result != bar and not _surely_fits(result.type, value.type):
            args = (result, value.expr)
            result = nodes.Call(as_cotangent, "as_cotangent", args, type=bar.type, span=span)
        body = freeze(self.builder.blocks.pop())
        changed = _changed(body, bar.name) or _rebound(before, self.state, (self.frame.id, name.id))
        if changed:
            raise self.refuse(
                f"a cotangent block changes '{changed}'", stmt,
                "it runs in the reverse sweep, when the function's own statements have run",
                "change the cotangent only; what else it computes needs names of its own",
            )  # fmt: skip
        self.state = before
        self.builder.emit(nodes.Splice(value.expr, bar.name, body, result, span=span))

    def _has_one(self, value: Value, call: ast.Call) -> bool:
        """Whether a value has a cotangent; refused where that is not one thing with a name."""
        if self.contents(value) is not None:
            raise self.refuse(
                "cotangent() of a container", call, "each array in it has a cotangent of its own",
                "give the array a name, and write the block for that name",
            )  # fmt: skip
        if not isinstance(value, Dyn) or isinstance(value.expr, nodes.Const):
            return False
        if not isinstance(value.expr, nodes.Var):
            raise self.refuse(
                "cotangent() of an expression", call, "only a variable has a cotangent of its own",
                "give the expression a name, and use that name from here on",
            )  # fmt: skip
        return True


def _surely_fits(bar: Type, value: Type) -> bool:
    """Whether a cotangent is proven to have the shape and kind of its value."""
    shapes = shape_of(bar), shape_of(value)
    if not all(map(known, shapes)) or shapes[0] != shapes[1]:
        return False
    return getattr(bar, "dtype", None) in (getattr(value, "dtype", None), "float64", "float")


def _changed(body: nodes.Block, bar: str) -> str:
    """An array or a container of the function that the body may write into; '' for none."""
    inside = list(nodes.walk_block(body))
    own = {bar, *(t for s in inside for t in nodes.targets_of(s))}
    views: dict[str, list[str]] = {}
    for stmt in inside:
        if isinstance(stmt, nodes.Assign):
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                views[target] = views.get(target, []) + shared_with(value)
    for stmt in inside:
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            todo, seen = shared_with(stmt.base), set[str]()
            while todo:
                name = todo.pop()
                if name not in own:
                    return name
                todo += [v for v in views.get(name, ()) if v not in seen]
                seen.update(views.get(name, ()))
    return ""


def _rebound(before: State, after: State, bar: Key) -> str:
    """A name of the function that holds something else after the body; '' for none."""
    for key, value in before.vars.items():
        now = after.vars.get(key)
        other = isinstance(now, Dyn | Static) and isinstance(value, Dyn | Static) and now != value
        if key != bar and (type(now) is not type(value) or other):
            return key[1]
    changed = [i for i, contents in before.heap.items() if after.heap.get(i) != contents]
    names = [key[1] for key, value in before.vars.items() if getattr(value, "id", None) in changed]
    return next(iter(names), "a container" if changed else "")
