"""What a case is, and the inputs that the tables draw from."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Function = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Case:
    """A function of a package (`np`, or `sp` for SciPy's part of it) and of arrays.

    differs: packages whose convention, or whose bug, is another (said beside the case).
    second: whether the Hessian is compared too.
    """

    function: Function
    inputs: tuple[Any, ...]
    differs: frozenset[str] = frozenset()
    second: bool = True

    @property
    def name(self) -> str:
        code = self.function.__code__
        stem = code.co_filename.rsplit("/", 1)[-1].removesuffix(".py")
        return f"{stem}:{code.co_firstlineno}"


def case(function: Function, *inputs: Any, differs: str = "", second: bool = True) -> Case:
    """A row of a table; `differs` holds the names of packages."""
    return Case(function, inputs, frozenset(differs.split()), second)


def _rng(*shape: int, salt: str = "") -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(repr((shape, salt)).encode()))


def n(*shape: int, salt: str = "") -> Any:
    """Normal numbers."""
    return _rng(*shape, salt=salt).standard_normal(shape)


def p(*shape: int, salt: str = "") -> Any:
    """Numbers between 0.5 and 2."""
    return _rng(*shape, salt="p" + salt).uniform(0.5, 2.0, shape)


def u(*shape: int, salt: str = "") -> Any:
    """Numbers between -0.9 and 0.9."""
    return _rng(*shape, salt="u" + salt).uniform(-0.9, 0.9, shape)


def c(*shape: int, salt: str = "") -> Any:
    """Complex normal numbers."""
    return n(*shape, salt="re" + salt) + 1j * n(*shape, salt="im" + salt)


def spd(size: int) -> Any:
    """A symmetric positive definite matrix."""
    a = n(size, size, salt="spd")
    return a @ a.T + size * np.eye(size)


def hermitian(size: int) -> Any:
    """A Hermitian positive definite matrix."""
    a = c(size, size, salt="herm")
    return a @ a.conj().T + size * np.eye(size)


def a(*values: Any) -> Any:
    """These numbers as an array of floats."""
    return np.array(values, dtype=complex if np.iscomplexobj(np.array(values)) else float)


def a0(value: float) -> Any:
    """This number as an array without axes."""
    return np.array(value)
