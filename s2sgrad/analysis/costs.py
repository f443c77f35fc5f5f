"""Floor 3: what operations cost, and what keeping a value costs: the cheaper of the two is done.

Every decision whether a value is kept for the reverse sweep or computed again there is made from
these tables. `python -m tests.benchmarks costs` measures them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import basic_index
from s2sgrad.analysis.memory import hashable, is_view
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Ref, Var
from s2sgrad.ir.types import Scalar, Type

FAR = 8  # places by which what np.roll turns is a neighbour


@dataclass(frozen=True)
class Prices:
    """Nanoseconds for one value.

    half: x**1.5, x**-2.5 and the like. function: a cheap function (maximum, where). dear: exp,
    sin, a power, and all that is not known. gather: reading entries by an array of places. turn:
    np.roll by a few places. name: what a value must cost to get a variable of its own outside of
    loops. keep: keeping the value of each step of a loop.
    """

    arithmetic: float
    division: float
    root: float
    half: float
    function: float
    dear: float
    gather: float
    turn: float
    name: float
    keep: float


@dataclass(frozen=True)
class Costs:
    """The prices of numbers and of arrays. unit: what is priced of an array.

    share: for how many units of an array a number in the expression is computed once.
    """

    number: Prices
    array: Prices
    unit: str
    share: float = 1.0

    def of(self, kind: Type) -> Prices:
        """The prices for values of a type; what is not known may be an array."""
        return self.number if isinstance(kind, Scalar) else self.array

    def price(self, expr: Expr) -> float:
        """What computing an expression again costs."""
        return self._own(expr) + sum(self._part(part, expr) for part in _operands(expr))

    def _part(self, part: Expr, whole: Expr) -> float:
        once = isinstance(part.type, Scalar) and not isinstance(whole.type, Scalar)
        return self.price(part) / (self.share if once else 1.0)

    def cheap(self, expr: Expr) -> bool:
        """Whether an expression inside a loop is computed again rather than kept."""
        return self.price(expr) < self.of(expr.type).keep

    def compared(self, expr: Expr, times: int = 1) -> str:
        """Both prices in words. times: how often it would be computed."""
        price, keep = times * self.price(expr), self.of(expr.type).keep
        unit = "" if isinstance(expr.type, Scalar) else self.unit
        return f"computing it costs {price:,.4g} ns{unit}, keeping it {keep:,.4g} ns"

    def _own(self, expr: Expr) -> float:
        prices = self.of(expr.type)
        match expr:
            case Var() | Const() | Ref() | nodes.Slice():
                return 0.0
            case Index(index=index):
                return 0.0 if basic_index(index) else prices.gather
            case Call(form=form) if form == "attribute" or is_view(expr):
                return 0.0
            case Call(form="operator", text=sign):
                return _operator(sign, expr, prices)
            case Call(function=np.roll, args=(_, by, *_)) if 0 < abs(_number(by)) <= FAR:
                return prices.turn
            case Call(function=function) if hashable(function):
                return self._call(function, prices)
        return prices.dear

    def _call(self, function: Any, prices: Prices) -> float:
        if function in _PLAIN:
            return self.number.arithmetic
        if function is np.sqrt:
            return prices.root
        if function in _FILLED or function is np.ix_:  # views of its arguments
            return prices.arithmetic
        return prices.function if function in _CHEAP else prices.dear


def _operands(expr: Expr) -> tuple[Expr, ...]:
    if isinstance(expr, Call):
        if not hashable(expr.function):
            return expr.args
        if expr.function is np.full:
            return expr.args[1:2]
        return () if expr.function in _FILLED or expr.function is np.arange else expr.args
    return nodes.children(expr)


def _operator(sign: str, expr: Call, prices: Prices) -> float:
    if sign == "@":
        return prices.dear
    if sign == "**":
        exponent = expr.args[1]
        power = _number(exponent)
        if power % 1 == 0.5 and power != 0.5:
            return prices.half
        return {2: prices.arithmetic, 3: prices.arithmetic, 0.5: prices.root}.get(
            power, prices.dear
        )
    return prices.division if sign in ("/", "//", "%") else prices.arithmetic


def _number(expr: Expr) -> float:
    """The number that an exponent is; 0 where it isn't known."""
    match expr:
        case Const(value=int() | float() as value):
            return value
        case Call(form="operator", text="-", args=(Const(value=int() | float() as value),)):
            return -value
    return 0.0


_PLAIN = frozenset({abs, len, int, float, np.absolute, np.shape, np.arange})
_CHEAP = frozenset(
    {np.maximum, np.minimum, np.square, np.negative, np.where, np.sign, np.add, np.subtract,
     np.multiply}
)  # fmt: skip
# Written once, as the result of a sum is.
_FILLED: frozenset[Any] = frozenset((np.zeros, np.ones, np.full, np.eye))

# A list in Python counts for more than the 80 and 2200 ns that an entry of it takes: its arrays are
# memory that would be used again at once otherwise, and every list is three more lines to read.
PYTHON = Costs(
    number=Prices(50, 60, 600, 700, 600, 700, 700, 700, name=120, keep=480),
    array=Prices(1500, 1900, 2500, 7000, 2500, 7000, 1500, 7000, name=1000, keep=4510),
    unit=" for 1000 entries",
)
# Numbers of compiled code: half of what a chain of operations takes, since neighbours overlap.
COMPILED = Costs(
    number=Prices(0.4, 3.0, 5.0, 9.0, 0.4, 20.0, 1.0, 20.0, name=1.0, keep=2.5),
    array=Prices(0.15, 0.3, 0.5, 1.0, 0.2, 15.0, 1.0, 0.4, name=0.1, keep=2.5),
    unit=" an entry",
    share=20.0,
)

_PRESENT: ContextVar[Costs] = ContextVar("costs", default=PYTHON)


@contextmanager
def priced(costs: Costs) -> Iterator[None]:
    """Code is being made that will run at these prices."""
    token = _PRESENT.set(costs)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def present() -> Costs:
    """The prices at which the code runs that is being made."""
    return _PRESENT.get()


__all__ = ["COMPILED", "PYTHON", "Costs", "Prices", "present", "priced"]
