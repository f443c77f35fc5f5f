"""Floor 6: texts that Numba would write otherwise than Python."""

from __future__ import annotations

from s2sgrad.ir import nodes
from s2sgrad.ir.types import Known, Opaque, Scalar, Type

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


def _alike(kind: Type) -> bool:
    if isinstance(kind, Known):
        return isinstance(kind.value, str)
    if isinstance(kind, Scalar):
        return kind.dtype.startswith(_ALIKE)
    return kind == Opaque("str")
