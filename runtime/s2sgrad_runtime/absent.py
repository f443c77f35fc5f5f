"""What a name holds that a run has given no value yet, where generated code keeps its old one."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["no_value"]

_USES = (
    "abs add and bool call ceil complex contains eq float floor floordiv format ge getitem gt hash "
    "iadd iand ifloordiv ilshift imatmul imod imul index int invert ior ipow irshift isub iter "
    "itruediv ixor le len lshift lt matmul mod mul ne neg next or pos pow radd rand reversed "
    "rfloordiv rlshift rmatmul rmod rmul ror round rpow rrshift rshift rsub rtruediv rxor setitem "
    "str sub truediv trunc xor array"
)


class _NoValue:
    """Whatever is done with it raises what Python raises for a name without a value."""

    __slots__ = ("__name",)
    __array_ufunc__ = None  # NumPy leaves operators to this class

    def __init__(self, name: str) -> None:
        self.__name = name

    def __fail(self, *args: Any, **kwargs: Any) -> Any:
        raise UnboundLocalError(
            f"cannot access local variable '{self.__name}' where it is not associated with a value"
        )

    def __getattr__(self, attribute: str) -> Any:
        if attribute == "_numba_type_":  # compiled code takes it as it takes None
            return sys.modules["numba"].types.none
        return self.__fail()

    for _use in _USES.split():
        locals()[f"__{_use}__"] = __fail
    del _use


def no_value(name: str) -> Any:
    """What stands for a value that a name does not have yet: it can be kept, and nothing else."""
    return _NoValue(name)
