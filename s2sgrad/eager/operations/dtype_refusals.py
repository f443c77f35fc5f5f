"""The dtypes that functions refuse before they compute anything, in torch's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.eager.tensors.promotion import result_type
from s2sgrad.eager.tensors.tensor import Tensor

Check = Callable[..., None]


def kind(t: Any) -> str:
    """The letter of a tensor's dtype: f, c, i, u, b."""
    letter: str = t._array.dtype.kind
    return "f" if letter == "V" else letter


def name_of(t: Tensor) -> str:
    """`Float`, as errors name a dtype."""
    return t.dtype.type_name


def of_kinds(kinds: str, text: str, error: Any = RuntimeError) -> Check:
    """An input of these kinds; `{}` stands for its dtype."""

    def check(input: Tensor, *_: Any, **__: Any) -> None:
        if kind(input) not in kinds:
            raise error(text.format(name_of(input)))

    return check


def of_one_dtype(text: str) -> Check:
    """Two tensors of one dtype; `{}` and `{}` stand for theirs."""

    def check(input: Tensor, other: Any, *_: Any, **__: Any) -> None:
        if isinstance(other, Tensor) and input._array.dtype != other._array.dtype:
            raise RuntimeError(text.format(name_of(input), name_of(other)))

    return check


def of_common_kinds(kinds: str, name: str) -> Check:
    """Operands whose common dtype is of these kinds; `name` is what the error calls it."""

    def check(input: Any, other: Any = None, *_: Any, **__: Any) -> None:
        common = result_type(input) if other is None else result_type(input, other)
        letter = "f" if common.np.kind == "V" else common.np.kind
        if letter not in kinds:
            raise NotImplementedError(f"\"{name}\" not implemented for '{common.type_name}'")

    return check


def of_source(text: str, place: int) -> Check:
    """A source (the argument at this place) with the dtype of what it is stored in."""

    def check(*args: Any, **kwargs: Any) -> None:
        source = args[place] if len(args) > place else kwargs.get("src", kwargs.get("source"))
        if isinstance(source, Tensor) and source._array.dtype != args[0]._array.dtype:
            raise RuntimeError(text.format(name_of(args[0]), name_of(source)))

    return check


def lerp(input: Tensor, end: Any, weight: Any) -> None:
    if isinstance(end, Tensor) and end._array.dtype != input._array.dtype:
        raise RuntimeError(
            f"expected dtype {input.dtype.c_name} for `end` but got dtype {end.dtype.c_name}"
        )
    if kind(input) not in "fc":
        raise NotImplementedError(f"\"lerp_kernel_scalar\" not implemented for '{name_of(input)}'")


CHECKS: dict[str, Check] = {
    **{
        name: of_common_kinds(kinds, f"{word}_cpu")
        for kinds, words in (
            ("f", "hypot nextafter"), ("fc", "logaddexp logaddexp2"), ("fiu", "fmod"),
            ("fiub", "logit atan2 arctan2 xlogy copysign median nanmedian mode aminmax"),
            ("iu", "gcd lcm"),
        )
        for name, word in ((n, {"arctan2": "atan2", "nanmedian": "median"}.get(n, n))
                           for n in words.split())
    },
    **{
        name: of_common_kinds("fiub", f"{name}_vml_cpu")
        for name in ("erf", "erfc", "erfinv", "lgamma", "i0")
    },
    "digamma": of_common_kinds("fiub", "digamma"),
    "frac": of_common_kinds("f", "frac_cpu"),
    "round": of_common_kinds("fiu", "round_vml_cpu"),
    "unique": of_common_kinds("fiub", "unique"),
    "logcumsumexp": of_common_kinds("fc", "logcumsumexp_out_cpu"),
    "sign": of_kinds("fiub", "Unlike NumPy, torch.sign is not intended to support complex numbers. "
                             "Please use torch.sgn instead.", NotImplementedError),
    "deg2rad": of_kinds("fiub", "deg2rad is not supported for complex tensors."),
    "rad2deg": of_kinds("fiub", "rad2deg is not supported for complex tensors."),
    "signbit": of_kinds("fiub", "signbit is not implemented for complex tensors.",
                        NotImplementedError),
    "nansum": of_kinds("fiub", "nansum on CPU does not support complex inputs"),
    "argmax": of_kinds("fiuc", "argmax(): does not support bool input"),
    "argmin": of_kinds("fiuc", "argmin(): does not support bool input"),
    "topk": of_kinds("fiu", "topk does not support bool dtypes on CPU"),
    "msort": of_kinds("fiub", " Sort does not support complex dtypes on CPU"),
    "cov": of_kinds("fiuc", "cov(): bool dtype is not supported for input"),
    "corrcoef": of_kinds("fiuc", "cov(): bool dtype is not supported for input"),
    "trapezoid": of_kinds("fiuc", "trapezoid: received a bool input for `y`, but bool is not "
                                  "supported"),
    "cdist": of_kinds("f", "cdist only supports floating-point dtypes, X1 got: {}"),
    **{
        name: of_kinds("fc", f"linalg.{word}: Expected a floating point or complex tensor as "
                             "input. Got {}")
        for name, word in (("inverse", "inv"), ("det", "det"), ("matrix_exp", "matrix_exp"))
    },
    "lerp": lerp, "lerp_": lerp,
    "tensordot": of_one_dtype("both inputs should have same dtype"),
    **{
        f"{name}{end}": of_source(text, place)
        for end in ("", "_")
        for name, place, text in (
            ("scatter", 3, "scatter(): Expected self.dtype to be equal to src.dtype"),
            ("scatter_add", 3, "scatter(): Expected self.dtype to be equal to src.dtype"),
            ("index_add", 3, "index_add_(): self ({}) and source ({}) must have the same scalar "
                             "type"),
            ("index_copy", 3, "index_copy_(): self and source expected to have the same dtype, but "
                              "got (self) {} and (source) {}"),
            ("masked_scatter", 2, "masked_scatter: expected self and source to have same dtypes "
                                  "but got{} and {}"),
            ("put", 2, "put_(): self and source expected to have the same dtype, but got "
                       "self.dtype = {} and source.dtype = {}"),
        )
    },
}  # fmt: skip
