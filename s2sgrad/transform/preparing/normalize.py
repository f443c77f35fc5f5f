"""Floor 5: bring a lowered function into the form that the reversal takes.

Active conditional expressions become branches; values that the reverse sweep will read get names
of their own where computing them again would cost too much.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import combinations

import s2sgrad_runtime
from s2sgrad.analysis.activity import Activity, rule_of_call
from s2sgrad.analysis.costs import COMPILED, present
from s2sgrad.analysis.effects import basic_index, holds_arrays, root, shared_with
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.analysis.islands import is_island
from s2sgrad.analysis.own_lists import SameLists, made_and_read_once
from s2sgrad.analysis.shape_reads import contents_read
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.functions.specialising import UserPair
from s2sgrad.ir import nodes
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Ref, Stmt, Var
from s2sgrad.ir.types import Array, Dict, List, Number, Scalar, Tuple, Type
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_expr


class Splitter:
    """Names the values that the reverse sweep reads and that are dear to compute."""

    def __init__(self, activity: Activity, names: Names, types: dict[str, Type]) -> None:
        self.activity, self.names, self.types = activity, names, types
        self.depth = 0
        self.decisions: list[Decision] = []

    def block(self, block: Block) -> Block:
        """The statements of a block, split."""
        result: list[Stmt] = []
        for stmt in block:
            result += self._stmt(stmt)
        return tuple(result)

    def _stmt(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return [replace(stmt, then=self.block(then), orelse=self.block(orelse))]
            case nodes.For(body=body) | nodes.While(body=body):
                self.depth += 1
                new = replace(stmt, body=self.block(body))
                self.depth -= 1
                return [new]
            case nodes.Assign(targets=(name,), values=(value,)):
                return self._assigned(stmt, name, value)
            case nodes.Assign(targets=targets, values=values) if self._one_by_one(stmt):
                pairs = zip(targets, values, strict=True)
                ones = [replace(stmt, targets=(t,), values=(v,)) for t, v in pairs]
                return [new for one in ones for new in self._stmt(one)]
            case nodes.Assign(values=values):
                before: list[Stmt] = []
                new_values = tuple(self._value(v, before) for v in values)
                return [*before, replace(stmt, values=new_values)]
            case nodes.Unpack(value=Call(function=UserPair()) as call):
                return [replace(stmt, value=self._own_arguments(call))]
            case nodes.Unpack(value=value) if is_island(value):
                return [stmt]  # its arguments are names
            case nodes.Unpack(value=value):
                if not self.activity.active(value):
                    return [stmt]
                before = []
                new_value = self._expr(value, before, True)
                return [*before, replace(stmt, value=new_value)]
            case nodes.Store(base=base, index=index, value=value):
                before = []
                own = root(base)
                new_base = self._fixed_base(base, own, before)
                parts = tuple(self._fixed_index(p, own, before) for p in index)
                value = _named_alike(value, list(zip(index, parts, strict=True)))
                plain = not stmt.op and value.type == _place_type(base, index)
                new_value = (
                    self._expr(value, before, True)
                    if plain and self.activity.active(value)
                    else self._value(value, before)
                )
                if self.activity.active(value) and own not in nodes.names_in(value):
                    new_value = self._ahead(new_value, before)
                return [*before, replace(stmt, base=new_base, index=parts, value=new_value)]
            case nodes.Mutate(base=base, args=args):
                before = []
                own = root(base)
                new_args = tuple(
                    self._value(a, before)
                    if self.activity.active(a)
                    else self._fixed_index(a, own, before)
                    for a in args
                )
                base = self._fixed_base(base, own, before)
                return [*before, replace(stmt, base=base, args=new_args)]
        return [stmt]

    def _ahead(self, value: Expr, before: list[Stmt]) -> Expr:
        """An array that a step of a loop is about to write over what it is computed from, computed
        by a statement of its own: while that is undone, the old values are there once more, and
        what it needs can be computed from them. Loops of compiled code are joined again."""
        compiled = self.depth and present() is COMPILED
        if not compiled or not isinstance(value, Call) or not isinstance(value.type, Array):
            return value
        if value.type.shape is None or not value.type.shape or not present().cheap(value):
            return value
        return self._keep(value, before, force=True)

    def _one_by_one(self, stmt: nodes.Assign) -> bool:
        """Whether `a, b = x, y` in a loop is two statements as well, of which one may be run again
        without the other: in compiled code, and where one gives written memory another name."""
        if not self.depth or len(stmt.targets) != len(stmt.values):
            return False
        read = {n for v in stmt.values for n in nodes.names_in(v)}
        if present() is COMPILED and not read & set(stmt.targets):
            return True
        values = dict(zip(stmt.targets, stmt.values, strict=True))
        written = self.activity.effects.is_written
        named = any(written(t) and shared_with(v) for t, v in values.items())
        return named and not any(
            {*stmt.targets[:k]} & nodes.names_in(value) for k, value in enumerate(stmt.values)
        )

    def _may_share(self, name: str) -> bool:
        """Whether another name for what a variable holds changes nothing."""
        return not self.activity.effects.is_written(name)

    def _assigned(self, stmt: nodes.Assign, name: str, value: Expr) -> list[Stmt]:
        if not self.activity.active(value):
            return [stmt]
        before: list[Stmt] = []
        if isinstance(value, nodes.Choice):
            self._branch(value, before, name)
            return before
        value = self._expr(value, before, True)
        if name in nodes.names_in(value) and self._may_share(name):
            value = self._ahead(value, before)
        return [*before, replace(stmt, values=(value,))]

    def _own_arguments(self, call: Call) -> Call:
        """A recursive function keeps its arguments for the reverse sweep: it gets copies of
        those that are written in place."""
        changed = {c.position for c in call.function.changes}
        self._refuse_overlap(call, changed)
        args: list[Expr] = []
        for i, arg in enumerate(call.args):
            name, found = root(arg), self.activity.effects
            written = name is not None and found.is_written(name)
            held = isinstance(arg.type, Array | List | Tuple | Dict)
            shared = i in call.function.shared
            if written and shared and isinstance(arg.type, Array) and i not in changed:
                raise UnsupportedError(
                    "an array given to a recursive function is written in place",
                    call.span,
                    "the result may be (a view of) it",
                    "pass a copy",
                )
            longer = name is not None and found.changes(name)
            longer = longer and (not shared or name in self._lists_for_calls)
            if held and i not in changed and (written or longer):  # it copies those it changes
                arg = build.copied(arg)
            args.append(arg)
        return replace(call, args=tuple(args))

    @cached_property
    def _lists_for_calls(self) -> frozenset[str]:
        return made_and_read_once(self.activity.body, self.activity.outputs)

    def _refuse_overlap(self, call: Call, changed: set[int | None]) -> None:
        """A recursive function works on copies of the arguments that it changes."""
        for i, j in combinations(range(len(call.args)), 2):
            first, second = call.args[i], call.args[j]
            if not ({i, j} & changed and holds_arrays(first.type) and holds_arrays(second.type)):
                continue
            if self._may_overlap(first, second, [call.args[k] for k in {i, j} & changed]):
                raise UnsupportedError(
                    "a recursive function changes one of two arguments that may share memory",
                    call.span,
                    "it works on copies of them",
                    "pass a copy of the one that it only reads",
                )

    def _may_overlap(self, first: Expr, second: Expr, changed: list[Expr]) -> bool:
        """Whether a change of one of two arguments may be one of the other. The arrays in a list
        that is changed are not: recursive functions may not write into those."""
        one, other = root(first), root(second)
        if one is None or other is None:
            return False
        found = self.activity.effects
        if found.find(one) != found.find(other):
            return False
        if not all(isinstance(a.type, List | Dict) for a in changed):
            return True
        lists = SameLists(self.activity.block, self.activity.types)
        return lists.find(one) == lists.find(other)

    def _fixed_index(self, part: Expr, own: str | None, before: list[Stmt]) -> Expr:
        """A subscript computed from the array that is written gets a name; of a slice the ends."""
        if isinstance(part, Var | Const) or own is None:
            return part
        if isinstance(part, nodes.Slice):
            ends = (part.lower, part.upper, part.step)
            new = [None if e is None else self._fixed_index(e, own, before) for e in ends]
            return replace(part, lower=new[0], upper=new[1], step=new[2])
        effects = self.activity.effects
        read = contents_read(part) if isinstance(part.type, Scalar) else nodes.names_in(part)
        if any(effects.find(n) == effects.find(own) for n in read):
            return self._keep(part, before, force=True)
        return part

    def _fixed_base(self, base: Expr, own: str | None, before: list[Stmt]) -> Expr:
        """The same for the subscripts of what is written into: `y[np.argmax(y) :][0] = v`."""
        if not isinstance(base, nodes.Index):
            return base
        index = tuple(self._fixed_index(p, own, before) for p in base.index)
        return replace(base, base=self._fixed_base(base.base, own, before), index=index)

    def _value(self, expr: Expr, before: list[Stmt]) -> Expr:
        if not self.activity.active(expr):
            return expr
        needed = self._reads_result(expr)
        new = self._expr(expr, before, True)
        return self._keep(new, before) if needed else new

    def _reads_result(self, expr: Expr) -> bool:
        """Whether the reverse code of an operation reads its result."""
        if not isinstance(expr, Call):
            return False
        rule = rule_of_call(expr)
        if rule is None or not rule.partials:
            return False
        return any(
            "y" in p.reads for a, p in rule.partials.items() if self._active_argument(expr, a)
        )

    def _active_argument(self, call: Call, argument: str) -> bool:
        rule = rule_of_call(call)
        assert rule is not None
        try:
            bound = rule.bind(call.args, dict(call.kwargs))
        except TypeError:
            return True
        value = bound.get(argument)
        values = value if isinstance(value, tuple) else (value,)
        return any(isinstance(v, Expr) and self.activity.active(v) for v in values)

    def _expr(self, expr: Expr, before: list[Stmt], at_root: bool) -> Expr:
        """The expression with dear, needed parts replaced by names set in `before`."""
        match expr:
            case nodes.Choice() if self.activity.active(expr):
                return self._branch(expr, before)
            case Call(args=args, kwargs=kwargs):
                read = self._read_arguments(expr)
                new_args = tuple(self._part(a, i in read, before) for i, a in enumerate(args))
                new_kwargs = tuple((k, self._part(v, k in read, before)) for k, v in kwargs)
                return replace(expr, args=new_args, kwargs=new_kwargs)
            case Index(base=base):
                path = is_path(expr)
                return replace(expr, base=self._part(base, not path, before, force=not path))
            case nodes.Sequence(items=items):
                return replace(expr, items=tuple(self._value(i, before) for i in items))
            case nodes.Mapping(values=values):
                return replace(expr, values=tuple(self._value(v, before) for v in values))
        return expr

    def _part(self, expr: Expr, read: bool, before: list[Stmt], force: bool = False) -> Expr:
        active = self.activity.active(expr)
        new = self._expr(expr, before, False) if active else expr
        reads = read + (active and self._reads_result(expr))
        return self._keep(new, before, force, reads) if reads else new

    def _keep(self, expr: Expr, before: list[Stmt], force: bool = False, reads: int = 1) -> Expr:
        """A name for the value, if that is cheaper than computing it for every reader."""
        if isinstance(expr, Var | Const | Ref | nodes.Sequence | nodes.Mapping | nodes.Slice):
            return expr
        costs = present()
        price, prices = reads * costs.price(expr), costs.of(expr.type)
        if price < (prices.keep if self.depth else prices.name) and not force:
            if price:
                self.decisions.append(Decision(expr, expr.span, costs.compared(expr, reads)))
            return expr
        name = self.names.fresh(_label(expr))
        self.types[name] = expr.type
        self._adopt(name, expr)
        before.append(nodes.Assign((name,), (expr,), span=expr.span))
        return Var(name, type=expr.type, span=expr.span)

    def _adopt(self, name: str, expr: Expr) -> None:
        if self.activity.active(expr):
            self.activity.variables = self.activity.variables | {name}

    def _branch(self, expr: nodes.Choice, before: list[Stmt], name: str = "") -> Expr:
        if not name:
            name = self.names.fresh("choice")
            self.types[name] = expr.type
            self._adopt(name, expr)
        sides = []
        for side in (expr.then, expr.orelse):
            inner: list[Stmt] = []
            value = self._expr(side, inner, True) if self.activity.active(side) else side
            sides.append((*inner, nodes.Assign((name,), (value,), span=expr.span)))
        before.append(nodes.If(expr.test, sides[0], sides[1], span=expr.span))
        return Var(name, type=expr.type)

    def _read_arguments(self, call: Call) -> set[int | str]:
        """Positions and keywords of the arguments whose values the reverse code reads."""
        rule = rule_of_call(call)
        if rule is None or not rule.partials:
            return set()
        found: set[int | str] = set()
        reads = {
            r for a, p in rule.partials.items() if self._active_argument(call, a) for r in p.reads
        }
        for i in range(len(call.args)):
            name = rule.parameters[i] if i < len(rule.parameters) else rule.variadic
            if rule.variadic and i >= rule.parameters.index(rule.variadic):
                name = rule.variadic
            if name in reads:
                found.add(i)
        return found | {k for k, _ in call.kwargs if k in reads}


def _place_type(base: Expr, index: tuple[Expr, ...]) -> Type:
    return infer_index(base.type, index) if index else base.type


_LABELS = {
    "add": "sum", "subtract": "difference", "multiply": "product", "divide": "quotient",
    "matmul": "product", "negative": "negative", "power": "power", "sum": "total",
}  # fmt: skip


def label_of(expr: Expr) -> str:
    """A word for what an operation gives: 'sum', 'product', 'exp'."""
    if isinstance(expr, Call):
        name = getattr(expr.function, "__name__", str(expr.function))
        if expr.form == "operator" or name in ("sum",):
            return _LABELS.get(name, name)
        if name == expr.text:  # a variable of that name would hide the function
            return f"{name.strip('_')}_value"
        return name if name.isidentifier() and not hasattr(s2sgrad_runtime, name) else "value"
    if isinstance(expr, Index):
        base = root(expr)
        return f"{base}_part" if base else "part"
    return "value"


def is_path(expr: Expr) -> bool:
    """A chain of subscripts down to a variable, without other operations."""
    while isinstance(expr, Index):
        expr = expr.base
        if isinstance(expr, Index) and _copies(expr):
            return False
    return isinstance(expr, Var)


def _copies(expr: Index) -> bool:
    """Whether a subscript gives a copy: an index array of an array, a slice of a list."""
    if isinstance(expr.base.type, Array | Number):
        return not basic_index(expr.index)
    return isinstance(expr.base.type, List | Tuple) and nodes.is_slice(expr.index[0])


def _label(expr: Expr) -> str:
    word = label_of(expr)
    if (
        isinstance(expr, Call)
        and len(expr.args) >= 1
        and expr.form != "operator"
        and isinstance(expr.args[0], Var)
    ):
        longer = f"{word}_{expr.args[0].name}"
        if len(longer) <= 16 and not any(c.isdigit() for c in expr.args[0].name):
            return longer
    return word


def _named_alike(value: Expr, named: list[tuple[Expr, Expr]]) -> Expr:
    """`np.sqrt(y[y > 1])` with the mask by the name that it has got as a subscript: the same
    statement asks for it twice."""
    named = [(was, var) for was, var in named if was is not var and isinstance(was, Call)]
    if not named:
        return value
    return map_expr(value, lambda e: next((var for was, var in named if was == e), e))
