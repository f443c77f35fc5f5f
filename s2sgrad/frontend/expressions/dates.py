"""Floor 4: dates, and the days between them: what a run has for a calendar.

They carry no derivative; the numbers that are read from them are plain ones. Generated code holds
them as they are: `(b - a).days / 365` is what it was.
"""

from __future__ import annotations

import ast
import datetime

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Dyn, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import FLOAT, INT, STR, Opaque, Type, carries

_SPAN = datetime.timedelta
DATES: tuple[type, ...] = (datetime.date, datetime.datetime, datetime.time, _SPAN)
_FIELDS = frozenset(
    {
        "year", "month", "day", "hour", "minute", "second", "microsecond", "days", "seconds",
        "microseconds",
    }
)  # fmt: skip
_GIVEN: dict[str, Type] = {
    "total_seconds": FLOAT, "timestamp": FLOAT, "weekday": INT, "isoweekday": INT,
    "toordinal": INT, "isoformat": STR, "strftime": STR, "ctime": STR, "__str__": STR,
}  # fmt: skip
_MAKERS = frozenset(
    {"today", "now", "utcnow", "fromisoformat", "fromordinal", "fromtimestamp", "strptime"}
)


def date_type(cls: type) -> Opaque:
    """The type of the values of one of these classes."""
    return Opaque(cls.__name__, cls)


def made_date(function: object) -> Type | None:
    """What a class, or a class method that makes dates, gives."""
    if isinstance(function, type):
        return date_type(function) if function in DATES else None
    owner = getattr(function, "__self__", None)
    made = isinstance(owner, type) and getattr(function, "__name__", "") in _MAKERS
    return date_type(owner) if made and owner in DATES else None  # type: ignore[arg-type]


class Dates(Base):
    """Lowering of what is done with dates."""

    def date_class(self, value: Value) -> type | None:
        """Which kind of date a value is; None for others."""
        if isinstance(value, Static):
            return type(value.value) if type(value.value) in DATES else None
        kind = value.type if isinstance(value, Dyn) else None
        names = {cls.__name__: cls for cls in DATES}
        return names.get(kind.what) if isinstance(kind, Opaque) else None

    def of_dates(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """An operator of dates and the times between them; None for other values."""
        kinds = self.date_class(left), self.date_class(right)
        if kinds == (None, None):
            return None
        points = [k for k in kinds if k not in (None, _SPAN)]
        if sign in ("+", "-") and None not in kinds and len(points) < 2:
            kind: Type = date_type(points[0] if points else _SPAN)  # type: ignore[arg-type]
        elif sign == "-" and len(points) == 2:
            kind = date_type(_SPAN)
        elif sign in ("/", "//") and kinds == (_SPAN, _SPAN):
            kind = FLOAT if sign == "/" else INT
        elif sign in ("*", "/", "//", "%") and not points:
            kind = date_type(_SPAN)
        else:
            return None
        args = (self.residual(left, node), self.residual(right, node))
        made = nodes.Call(sign, sign, args, form="operator", type=kind, span=self.span(node))
        if any(carries(a.type) and not isinstance(a, nodes.Const) for a in args):
            raise self.refuse(
                f"'{sign}' of a number and a time between dates", node,
                "a time carries no derivative, and the number may vary",
                "compute with the number of days: v * (b - a).days",
            )  # fmt: skip
        return Dyn(made)

    def date_attribute(self, owner: Value, name: str) -> Value | None:
        """`(b - a).days`, `d.month`; None for other values."""
        if name not in _FIELDS or not isinstance(owner, Dyn) or self.date_class(owner) is None:
            return None
        return Dyn(nodes.Call("attribute", name, (owner.expr,), form="attribute", type=INT))

    def date_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """`d.weekday()`, `d.replace(day=1)`; None for other values."""
        cls = self.date_class(owner)
        kind = date_type(cls) if cls is not None and name == "replace" else _GIVEN.get(name)
        if cls is None or kind is None:
            return None
        exprs = tuple(self.residual(v, node) for v in (owner, *args))
        named = tuple((k, self.residual(v, node)) for k, v in kwargs.items())
        span = self.span(node)
        call = nodes.Call("opaque", name, exprs, named, "method", type=kind, span=span)
        return Dyn(self.builder.bind(name.strip("_"), call, span))


__all__ = ["Dates", "made_date"]
