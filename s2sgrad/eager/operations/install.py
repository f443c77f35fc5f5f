"""Puts the pieces together: named operators, in-place forms, the functions of the namespace."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager import random
from s2sgrad.eager.numpy_code import protocols  # noqa: F401
from s2sgrad.eager.operations import (
    compositions,
    further,
    joining,
    memory,
    misc,
    named,
    operators,
    pointwise,
    products,
    reducing,
    refusals,
    scattering,
    seldom,
    shaping,
    transposes,  # noqa: F401
    whole_numbers,
)
from s2sgrad.eager.operations.complaints import taking_tensor, taking_two
from s2sgrad.eager.passes import backward  # noqa: F401
from s2sgrad.eager.tensors import conversion, indexing, inplace, inplace_arithmetic, windows  # noqa: F401
from s2sgrad.eager.tensors.tensor import Tensor

_NAMED: dict[str, Any] = {
    "add": operators.add, "sub": operators.sub, "subtract": operators.sub,
    "mul": operators.multiply, "multiply": operators.multiply, "div": operators.divide,
    "divide": operators.divide, "true_divide": operators.divide, "pow": operators.power,
    "floor_divide": operators.floor_divide, "remainder": operators.remainder,
}  # fmt: skip
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    _full = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
             "eq": "equal", "ne": "not_equal"}[_name]  # fmt: skip
    _NAMED[_name] = operators.comparison(getattr(np, _full))

for _name, _function in _NAMED.items():
    _second = "exponent" if _name == "pow" else "other"
    setattr(Tensor, _name, taking_two(_name, _function, _second, method=True))

inplace_arithmetic.install(
    {
        **{n: f for n, f in _NAMED.items() if n not in ("eq", "ne", "lt", "le", "gt", "ge")},
        **pointwise.METHODS,
        **{
            n: misc.FUNCTIONS[n]
            for n in ("clamp", "clip", "round", "masked_fill", "lerp", "addcmul", "addcdiv",
                      "tril", "triu", "logit", "xlogy")
        },
        **{n: reducing.FUNCTIONS[n] for n in ("cumsum", "cumprod")},
    }
)  # fmt: skip

for _name in ("erf", "erfc", "erfinv", "lgamma", "digamma", "nan_to_num"):
    setattr(Tensor, f"{_name}_", inplace.from_copying(named.FUNCTIONS[_name], f"{_name}_"))
for _name, _further in (("unsqueeze", 1), ("squeeze", 3), ("transpose", 1), ("t", 1)):
    _method = inplace.reshaping(getattr(Tensor, _name), f"{_name}_", _further)
    setattr(Tensor, f"{_name}_", _method)

for _name, _method in memory.METHODS.items():
    setattr(Tensor, _name, _method)

_T: Any = Tensor
_T.swapaxes_ = _T.swapdims_ = _T.transpose_

FUNCTIONS: dict[str, Any] = {
    **pointwise.FUNCTIONS,
    **_NAMED,
    **shaping.FUNCTIONS,
    **reducing.FUNCTIONS,
    **products.FUNCTIONS,
    **joining.FUNCTIONS,
    **misc.FUNCTIONS,
    **conversion.FUNCTIONS,
    **random.FUNCTIONS,
    **named.FUNCTIONS,
    **scattering.FUNCTIONS,
    **further.FUNCTIONS,
    **windows.FUNCTIONS,
    **compositions.FUNCTIONS,
    **seldom.FUNCTIONS,
    **whole_numbers.FUNCTIONS,
}
from s2sgrad.eager.operations import other_names  # noqa: E402  (completes what is there)

FUNCTIONS.update(other_names.FUNCTIONS)
FUNCTIONS["row_stack"] = FUNCTIONS["vstack"]
_SECOND = {
    **dict.fromkeys(_NAMED, "other"), "pow": "exponent", "matmul": "other", "mm": "mat2",
    "bmm": "mat2", "dot": "tensor", "mv": "vec", "outer": "vec2", "maximum": "other",
    "minimum": "other",
}  # fmt: skip
for _name, _second in _SECOND.items():
    FUNCTIONS[_name] = taking_two(_name, FUNCTIONS[_name], _second)
for _name, _function in FUNCTIONS.items():
    _code = getattr(_function, "__code__", None)
    _checked = _name in pointwise.FUNCTIONS and _name != "square"
    _itself = _checked or _name in ("sum", "mean", *_SECOND)
    if _itself or _code is None or not _code.co_argcount:
        continue  # they say so themselves
    if _code.co_varnames[0] in ("input", "x"):
        FUNCTIONS[_name] = taking_tensor(_name, _function)
for _name in ("det", "inverse", "pinverse", "slogdet"):
    FUNCTIONS[_name] = taking_tensor(_name, FUNCTIONS[_name])
refusals.install(FUNCTIONS)
