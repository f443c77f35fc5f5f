"""Floor 8: scipy.integrate's integrals over several variables, as one integral inside another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.standins.integrating import quad

Function = Callable[..., Any]
FunctionOfTwo = Callable[..., Any]
FunctionOfThree = Callable[..., Any]
Model = Callable[..., Any]


def _end(bound: Any, places: Any, args: Any) -> Any:
    """A bound, which may depend on the variables further out."""
    return bound(*places, *args) if callable(bound) else bound


def dblquad(
    func: FunctionOfTwo, a: Any, b: Any, gfun: Function, hfun: Function, args: Any = (),
    **options: Any,
) -> Any:  # fmt: skip
    """scipy.integrate.dblquad: func(y, x), y from gfun(x) to hfun(x); the error counts as 0."""
    return quad(_row, a, b, args=(func, gfun, hfun, args), **options)[0], 0.0


def _row(x: Any, func: Function, gfun: Any, hfun: Any, args: Any) -> Any:
    low, high = _end(gfun, (x,), args), _end(hfun, (x,), args)
    return quad(func, low, high, args=(x, *args))[0]


def tplquad(
    func: FunctionOfThree, a: Any, b: Any, gfun: Function, hfun: Function, qfun: FunctionOfTwo,
    rfun: FunctionOfTwo, args: Any = (), **options: Any,
) -> Any:  # fmt: skip
    """scipy.integrate.tplquad: func(z, y, x), z from qfun(x, y) to rfun(x, y)."""
    return quad(_slab, a, b, args=(func, gfun, hfun, qfun, rfun, args), **options)[0], 0.0


def _slab(x: Any, func: Function, gfun: Any, hfun: Any, qfun: Any, rfun: Any, args: Any) -> Any:
    low, high = _end(gfun, (x,), args), _end(hfun, (x,), args)
    return quad(_line, low, high, args=(x, func, qfun, rfun, args))[0]


def _line(y: Any, x: Any, func: Function, qfun: Any, rfun: Any, args: Any) -> Any:
    low, high = _end(qfun, (x, y), args), _end(rfun, (x, y), args)
    return quad(func, low, high, args=(y, x, *args))[0]


def nquad(func: Model, ranges: Any, args: Any = (), full_output: bool = False) -> Any:
    """scipy.integrate.nquad; the first variable is the innermost."""
    if full_output:
        raise NotImplementedError("nquad with full_output: leave it out")
    return _over(func, ranges, (), args), 0.0


def _over(func: Function, ranges: Any, outer: Any, args: Any) -> Any:
    """The integral over the variables of `ranges`, those further out being `outer`."""
    last = len(ranges) - 1
    between = ranges[last]
    low, high = between(*outer, *args) if callable(between) else between
    if last == 0:
        return quad(func, low, high, args=(*outer, *args))[0]
    return quad(_within, low, high, args=(func, ranges[:last], outer, args))[0]


def _within(x: Any, func: Function, ranges: Any, outer: Any, args: Any) -> Any:
    return _over(func, ranges, (x, *outer), args)


READ = ("dblquad", "nquad", "tplquad")
