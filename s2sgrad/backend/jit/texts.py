"""Floor 6: texts that Numba would write otherwise than Python."""

from __future__ import annotations

from s2sgrad.analysis.texts import only_texts
from s2sgrad.backend.jit.errors import NotCompiled
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call
from s2sgrad.ir.types import Array, Known, Opaque, Scalar, Type, is_number

_ALIKE = ("int", "bool")


def other_text(part: nodes.Expr) -> bool:
    """Whether the text of a value is another one in compiled code: Numba writes whole numbers and
    texts as Python does, and `<object type:float64>` for a float, a list, a tuple or None."""
    match part:
        case nodes.Text(template=template, parts=parts):
            return any("!" in t for t in template[1:]) or not all(_alike(p.type) for p in parts)
        case nodes.Call(function=function, args=args) if function in (str, repr, format):
            return function is not str or not all(_alike(a.type) for a in args)
    return False


def refuse_arrays_of_texts(block: Block) -> None:
    """Refuse comparisons of arrays with texts, and questions whether a text is in one: for Numba
    no such array is equal to a text, and none is in it."""
    for stmt in nodes.walk_block(block):
        parts = (part for expr in nodes.expressions(stmt) for part in nodes.walk(expr))
        if any(isinstance(p, Call) and _compares_texts(p) for p in parts):
            raise NotCompiled(
                "Numba can't compare an array of texts", stmt.span, "it finds none of them equal"
            )


def _compares_texts(call: Call) -> bool:
    if call.form != "operator":
        return False
    if call.text == "in":
        held = call.args[-1].type
        return held == Opaque("ndarray") or (isinstance(held, Array) and only_texts(held))
    signed = call.text in ("==", "!=") and isinstance(call.type, Array)
    return signed and not all(is_number(a.type) for a in call.args)


def _alike(kind: Type) -> bool:
    if isinstance(kind, Known):
        return isinstance(kind.value, str)
    if isinstance(kind, Scalar):
        return kind.dtype.startswith(_ALIKE)
    return kind == Opaque("str")
