"""Floor 3: which variables depend on an input and influence the output."""

from __future__ import annotations

from functools import cached_property
from itertools import zip_longest
from typing import Any

import numpy as np

from s2sgrad.analysis.dict_keys import gives_keys
from s2sgrad.analysis.effects import Effects, root
from s2sgrad.analysis.infer import COMPLEX_BY_VALUE
from s2sgrad.analysis.known_results import COMPLEX_ALWAYS
from s2sgrad.analysis.maybe_real import may_be_real, may_be_whole
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.nodes import Block, Expr
from s2sgrad.ir.types import Type, carries, is_float_dtype
from s2sgrad.rules.declare import Rule, lookup
from s2sgrad.rules.methods import EQUIVALENTS
from s2sgrad.rules.slicing import has_imaginary
from s2sgrad.rules.ufuncs import INVERSE

PASSES = (float, complex, list, dict, "list+", "list*", "attribute", "and", "or")


def rule_of(function: Any) -> Rule | None:
    """The rule of a called function, Python's own names of it included."""
    try:
        equivalent = EQUIVALENTS.get(function)
    except TypeError:
        return lookup(function)
    return lookup(function) or (lookup(equivalent) if equivalent is not None else None)


def rule_of_call(call: nodes.Call) -> Rule | None:
    """The rule of what a call computes: that of its function, or a shorter one for `1 / x`."""
    match call:
        case nodes.Call(function=np.divide, args=(nodes.Const(value=1), _)):
            return INVERSE
    return rule_of(call.function)


def works_by_entries(function: Any) -> bool:
    """Whether a function broadcasts its arguments and has one result, entry by entry."""
    if isinstance(function, np.ufunc):
        return function.signature is None and function.nout == 1
    rule = rule_of(function)
    return rule is not None and rule.kind == "elementwise"


def operands(expr: Expr) -> list[Expr]:
    """What takes part in the shape of an elementwise expression."""
    if isinstance(expr, nodes.Call) and works_by_entries(expr.function):
        return [expr, *(leaf for a in nodes.children(expr) for leaf in operands(a))]
    return [expr]


def _is_complex(kind: Type) -> bool:
    dtype = getattr(kind, "dtype", None)
    return dtype is not None and is_complex_dtype(dtype)


def _makes_complex(expr: Expr) -> bool:
    """Whether a call gives complex numbers for real ones, whatever is known of its type, or a
    complex cotangent."""
    if not isinstance(expr, nodes.Call):
        return False
    name = getattr(expr.function, "__name__", "")
    if name in COMPLEX_ALWAYS or name in COMPLEX_BY_VALUE:
        return True
    rule = rule_of(expr.function)
    declaration = rule.declaration if rule is not None and rule.kind == "elementwise" else None
    return declaration is not None and has_imaginary(declaration)


def _flat(rule: Rule, args: tuple[Expr, ...]) -> bool:
    """Whether the function is flat for these arguments because they are real."""
    return rule.flat_if_real and not any(
        is_complex_dtype(getattr(a.type, "dtype", None)) for a in args
    )


def differentiable_parts(expr: Expr) -> tuple[Expr, ...]:
    """The subexpressions through which a derivative can pass."""
    match expr:
        case nodes.Call(function=function, args=args, kwargs=kwargs):
            if gives_keys(expr):
                return ()
            if function in PASSES:
                return args
            if function == "opaque":
                return (
                    *args,
                    *(v for _, v in kwargs),
                )  # it may depend on them: asking for its derivative is an error
            if isinstance(function, str):
                return ()
            rule = rule_of(function)
            if rule is not None and (rule.kind in ("zero", "none") or _flat(rule, args)):
                return ()
            if rule is not None and rule.shape_only:
                args = tuple(
                    a
                    for a, name in zip_longest(args, rule.parameters[: len(args)])
                    if name not in rule.shape_only
                )
            return (*args, *(v for _, v in kwargs))
        case nodes.Index(base=base):
            return (base,)
        case nodes.Sequence(items=items):
            return items
        case nodes.Mapping(values=values):
            return values
        case nodes.Choice(then=then, orelse=orelse):
            return (then, orelse)
    return ()


class Activity:
    """varied and useful variables of a block; `active(expr)` asks for an expression."""

    def __init__(
        self,
        block: Block,
        types: dict[str, Type],
        effects: Effects,
        inputs: set[str],
        outputs: set[str],
    ) -> None:
        self.types, self.effects, self.outputs = types, effects, frozenset(outputs)
        self.body, self.block = block, tuple(nodes.walk_block(block))
        self.varied = self._spread(set(inputs), self._forward, self.block)
        self.useful = self._spread(set(outputs), self._backward, tuple(reversed(self.block)))
        self.variables = frozenset(self.varied & self.useful)

    @cached_property
    def has_complex(self) -> bool:
        """Whether complex numbers occur: then a value of unknown dtype may be one."""
        exprs = (
            e for stmt in self.block for part in nodes.expressions(stmt) for e in nodes.walk(part)
        )
        return any(_is_complex(e.type) or _makes_complex(e) for e in exprs) or any(
            map(_is_complex, self.types.values())
        )

    @cached_property
    def may_be_real(self) -> bool:
        """Whether what has a complex type may turn out real when the code runs."""
        return may_be_real(self.block, self.types)

    @cached_property
    def may_be_whole(self) -> bool:
        """Whether values of a type of floats may turn out integers when the code runs."""
        return may_be_whole(self.block, self.types)

    def may_be_narrow(self, dtype: str | None) -> bool:
        """Whether numbers of a dtype, by their type, may have a narrower one when the code runs."""
        if dtype is None or not is_float_dtype(dtype):
            return False
        return self.may_be_real if is_complex_dtype(dtype) else self.may_be_whole

    @property
    def mixes_dtypes(self) -> bool:
        """Whether arrays may have another dtype when the code runs than their type says."""
        return self.may_be_real or self.may_be_whole

    def active(self, expr: Expr) -> bool:
        """Whether a derivative passes through the value of an expression."""
        return self.depends(expr, self.variables)

    def depends(self, expr: Expr, names: Any) -> bool:
        """Whether an expression depends on what is differentiated by."""
        if isinstance(expr, nodes.Var):
            return expr.name in names
        if not isinstance(expr, nodes.Slice) and not carries(expr.type) and not _container(expr):
            return False
        return any(self.depends(part, names) for part in differentiable_parts(expr))

    def _spread(self, names: set[str], step: Any, block: Block) -> set[str]:
        size = -1
        while len(names) != size:
            size = len(names)
            for stmt in block:
                step(stmt, names)
            for name in list(names):
                if self.effects.is_written(name) or self.effects.find(name) in self.effects.resized:
                    names |= {n for n in self.effects.members(name) if carries(self._type(n))}
        return {n for n in names if carries(self._type(n))}

    def _type(self, name: str) -> Type:
        return self.types[name]

    def _forward(self, stmt: nodes.Stmt, names: set[str]) -> None:
        for target, value in flows(stmt):
            if target not in names and carries(self._type(target)) and self.depends(value, names):
                names.add(target)

    def _backward(self, stmt: nodes.Stmt, names: set[str]) -> None:
        for target, value in flows(stmt):
            if target in names:
                self._collect(value, names)

    def _collect(self, expr: Expr, names: set[str]) -> None:
        if isinstance(expr, nodes.Var):
            names.add(expr.name)
            return
        for part in differentiable_parts(expr):
            self._collect(part, names)


def _container(expr: Expr) -> bool:
    """Whether a value may be a list or dict that gets its numbers later on."""
    return isinstance(expr, nodes.Mapping | nodes.Sequence | nodes.Choice)


def flows(stmt: nodes.Stmt) -> list[tuple[str, Expr]]:
    """(variable, expression whose value flows into it)."""
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            return list(zip(targets, values, strict=True))
        case nodes.Unpack(targets=targets, value=value):
            return [(t, value) for t in targets]
        case nodes.For(targets=targets, sources=sources):
            return list(zip(targets, sources, strict=True))
        case nodes.Store(base=base, value=value):
            name = root(base)
            return [(name, value)] if name else []
        case nodes.Mutate(base=base, args=args, target=target):
            name = root(base)
            if name is None:
                return []
            found = [(name, a) for a in args]
            return [*found, (target, base)] if target else found
        case nodes.Do(value=nodes.Call(function="opaque", form="method", args=(base, *args))):
            name = root(base)  # it may put them into what it is a method of
            return [(name, a) for a in args] if name else []
    return []
