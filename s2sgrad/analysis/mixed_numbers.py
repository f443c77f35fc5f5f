"""Floor 3: functions that tell the integers among floats apart: compiled code has floats for them.

`items = [[3, w], [4, v]]` has numbers of one type in compiled code, and so has `best`, which is 0
until it is a float. Python's own text of such a number, or a product that needs all digits of an
integer, is another one than that of the float.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sgrad.analysis.whole import made_whole, may_be_whole, mixes
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import List, Type

TOLD_APART = "it tells the integers among floats apart"
_LARGE = 2**20  # a factor that may take integers to where floats have gaps
_TEXTS = (str, repr, format, ascii)
_OF_BITS = ("<<", ">>", "&", "|", "^")
_EXACT = ("*", "**", "%", "//")


def tells_integers(body: Block, types: Mapping[str, Type]) -> bool:
    """Whether code asks for what only an integer among floats gives. What is printed, or said by an
    error, does not count. types: of variables."""
    stmts = [s for s in nodes.walk_block(body) if not isinstance(s, nodes.Do)]
    parts = [e for s in stmts for whole in nodes.expressions(s) for e in nodes.walk(whole)]
    asking = [part for part in parts if _asked(part)]
    if not asking:
        return False
    names = _of_both(types, stmts)
    return any(may_be_whole(value, names) for part in asking for value in _asked(part))


def _asked(expr: Expr) -> tuple[Expr, ...]:
    """The numbers of which a text is made, or a product with a large integer."""
    match expr:
        case nodes.Text(parts=parts):
            return parts
        case Call(function=function, args=args) if function in _TEXTS:
            return args
        case Call(text="format", form="method", args=(_, *args)):
            return tuple(args)
        case Call(text=sign, form="operator", args=args) if sign in _OF_BITS:
            return args
        case Call(text=sign, form="operator", args=args) if sign in _EXACT:
            return args if any(map(_is_large, args)) else ()
    return ()


def _is_large(expr: Expr) -> bool:
    return isinstance(expr, Const) and type(expr.value) is int and abs(expr.value) >= _LARGE


def _of_both(types: Mapping[str, Type], stmts: list[Stmt]) -> frozenset[str]:
    """The variables of floats that may hold integers, or lists and dicts of both."""
    names = {name for stmt in stmts for name in _given_integers(stmt, types)}
    while True:
        more = {name for stmt in stmts for name in made_whole(stmt, names)} - names
        if not more:
            return frozenset(names)
        names |= more


def _given_integers(stmt: Stmt, types: Mapping[str, Type]) -> Iterator[str]:
    """The variables, and lists, of floats that a statement gives an integer."""
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            for target, value in zip(targets, values, strict=True):
                held = [value.type]
                if isinstance(value, nodes.Sequence) and value.kind == "list":
                    held += [List(item.type) for item in value.items]
                if target in types and any(mixes((kind, types[target])) for kind in held):
                    yield target
        case nodes.Mutate(base=Var(name=name), args=(*_, item)) if isinstance(stmt.base.type, List):
            if mixes((item.type, stmt.base.type.item)):
                yield name


__all__ = ["TOLD_APART", "tells_integers"]
