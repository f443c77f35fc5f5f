"""torch functions that are a NumPy function under another spelling of its arguments.

One table entry per function: NumPy's function, the node's name, and torch keyword -> NumPy
keyword. The derivative is the rule of the NumPy function.
"""

from __future__ import annotations

import importlib
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.amp import lowered, raised
from s2sgrad.eager.operations.complaints import filled
from s2sgrad.eager.operations.linalg_errors import check_matrix, worded
from s2sgrad.eager.recording.node import Node, named_as
from s2sgrad.eager.recording.record import apply, op_of, plain
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.dtypes import INTEGER, from_numpy, get_default_dtype
from s2sgrad.eager.tensors.promotion import result_type
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.rules import lookup

DIM = {"dim": "axis", "keepdim": "keepdims", "dims": "axis"}


class _Returned:
    """A `torch.return_types` tuple prints one field a line."""

    __slots__ = ()
    _fields: tuple[str, ...]

    def __repr__(self) -> str:
        rows = (f"{n}={v!r}" for n, v in zip(self._fields, self, strict=True))  # type: ignore[call-overload]
        return f"torch.return_types.{type(self).__name__}(\n" + ",\n".join(rows) + ")"


def return_type(name: str, fields: str) -> Any:
    """The tuple class of a function with several results."""
    return type(name, (_Returned, namedtuple(name, fields)), {"__slots__": ()})


RETURNED = {
    name: return_type(name, fields)
    for name, fields in (
        ("linalg_slogdet", "sign logabsdet"), ("linalg_qr", "Q R"), ("linalg_svd", "U S Vh"),
        ("linalg_eigh", "eigenvalues eigenvectors"), ("aminmax", "min max"),
        ("linalg_eig", "eigenvalues eigenvectors"), ("linalg_lu", "P L U"),
        ("slogdet", "sign logabsdet"),
    )
}  # fmt: skip


def named(source: str, node: Any = "", **renames: str) -> Callable[..., Any]:
    """The function `source` ("np.diff", "scipy.special.erf") on tensors.

    node: the name of its nodes, or a function that says it of the first tensor. renames: further
    torch keywords and what NumPy calls them (`dim` is `axis` everywhere).
    """
    table = {**DIM, **renames}
    keeps_dtype = source == "numpy.cov"  # NumPy computes in double precision otherwise
    found: list[Any] = []
    short = source.rsplit(".", 1)[-1]
    is_linalg = source.startswith("numpy.linalg.")
    to_floats = source.startswith(("scipy.special.", "numpy.fft.")) or short in _TO_FLOATS
    to_floats = to_floats and not short.endswith("shift")
    several = RETURNED.get("linalg_" + short)

    def call(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        if out is not None:
            return filled(out, short, call, *args, **kwargs)
        if not found:
            found.append(resolved(source))
        if "input" in kwargs:
            args = (kwargs.pop("input"), *args)
        kwargs = {table.get(k, k): v for k, v in kwargs.items()}
        if to_floats or keeps_dtype:
            args = in_floats(args)
        if keeps_dtype:
            kwargs["dtype"] = args[0]._array.dtype
        if STATE.autocast is not None:
            args = autocast(short, is_linalg, args)
        first = plain(args[0]) if args else None
        if is_linalg:
            check_matrix(short, first)
        try:
            name = full_name(node(args[0]) if callable(node) else node)
            result = apply(op_of(found[0], name), args, kwargs)
        except np.linalg.LinAlgError as error:
            raise worded(short, error, first) from None
        if isinstance(result, Tensor):
            return in_dtype_of(args, result)
        return several(*result) if several is not None and isinstance(result, tuple) else result

    call.__name__ = call.__qualname__ = short
    call.__doc__ = f"`{source}` on tensors."
    return call


_TO_FLOATS = ("deg2rad", "rad2deg", "angle")


def in_floats(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with floats for tensors of whole numbers, in the type of the others if any."""
    tensors = [a for a in args if isinstance(a, Tensor)]
    if not any(t._array.dtype.kind in "iub" for t in tensors):
        return args
    common: Any = result_type(*tensors)
    if common.category <= INTEGER:
        common = get_default_dtype()
    whole = [isinstance(a, Tensor) and a._array.dtype.kind in "iub" for a in args]
    return tuple(a.to(common) if w else a for a, w in zip(args, whole, strict=True))


def autocast(name: str, is_linalg: bool, args: Any) -> Any:
    """The operands as autocast wants them: products low, matrix functions in full precision."""
    if name not in _PRODUCTS and not is_linalg and name != "quantile":
        return args
    cast = lowered if name in _PRODUCTS else raised
    return tuple(type(a)(cast(*a)) if isinstance(a, (list, tuple)) else cast(a)[0] for a in args)


_PRODUCTS = ("tensordot", "multi_dot", "inner", "matrix_power", "expm")


def in_dtype_of(args: Any, result: Tensor) -> Tensor:
    """The result in the dtype of float32 inputs, where NumPy has computed in double precision."""
    if result._array.dtype != np.float64:
        return result
    if {a._array.dtype for a in args if isinstance(a, Tensor)} != {np.dtype(np.float32)}:
        return result
    name = result._node.name() if isinstance(result._node, Node) else ""
    return named_as(result.to(from_numpy(np.dtype(np.float32))), name)  # type: ignore[no-any-return, attr-defined]


def full_name(node: str) -> str | None:
    """`Mul` as MulBackward0; names that are whole stay."""
    if not node:
        return None
    return node if node == "NotImplemented" or node[-1].isdigit() else f"{node}Backward0"


def resolved(source: str) -> Any:
    """The function behind a dotted name; its package is imported when first called."""
    module, name = source.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)


def known(entries: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
    """Name -> function for a table of (source, node, renames)."""
    made = {}
    for name, (source, node, *rest) in entries.items():
        made[name] = named(source, node, **(rest[0] if rest else {}))
        made[name].__name__ = name
    return made


ENTRIES: dict[str, tuple[Any, ...]] = {
    "angle": ("numpy.angle", "Angle"),
    "bincount": ("numpy.bincount", "", {"minlength": "minlength"}),
    "column_stack": ("numpy.column_stack", "Cat"),
    "cov": ("numpy.cov", "Squeeze", {"correction": "ddof"}),
    "deg2rad": ("numpy.deg2rad", "Deg2Rad"),
    "i0": ("scipy.special.i0", "I0Backward0"),
    "rad2deg": ("numpy.rad2deg", "Rad2Deg"),
    "polygamma": ("scipy.special.polygamma", "Polygamma"),
    "mvlgamma": ("scipy.special.multigammaln", "Mvlgamma", {"p": "d"}),
    "dstack": ("numpy.dstack", "Cat"),
    "erf": ("scipy.special.erf", "Erf"),
    "erfc": ("scipy.special.erfc", "Erfc"),
    "erfinv": ("scipy.special.erfinv", "Erfinv"),
    "inner": ("numpy.inner", "View"),
    "lgamma": ("scipy.special.gammaln", "Lgamma"),
    "digamma": ("scipy.special.digamma", "Digamma"),
    "nan_to_num": ("numpy.nan_to_num", "NanToNum"),
    "nanquantile": ("numpy.nanquantile", "SqueezeBackward4"),
    "quantile": ("numpy.quantile", "SqueezeBackward4"),
    "repeat_interleave": ("numpy.repeat", "View"),
    "rot90": ("numpy.rot90", "Rot90Backward0"),
    "searchsorted": ("numpy.searchsorted", ""),
    "tensordot": ("numpy.tensordot", "View", {"dims": "axes"}),
    "tile": ("numpy.tile", "Repeat"),
    "trapezoid": ("numpy.trapezoid", "MulBackward1"),
    "trapz": ("numpy.trapezoid", "MulBackward1"),
    "vander": ("numpy.vander", "Flip"),
}
LINALG: dict[str, tuple[Any, ...]] = {
    "cholesky": ("numpy.linalg.cholesky", "LinalgCholeskyEx"),
    "det": ("numpy.linalg.det", "LinalgDet"),
    "cond": ("numpy.linalg.cond", "SqueezeBackward1", {"p": "p"}),
    "eig": ("numpy.linalg.eig", "LinalgEig"),
    "eigh": ("numpy.linalg.eigh", "LinalgEigh"),
    "eigvals": ("numpy.linalg.eigvals", "LinalgEig"),
    "lu": ("scipy.linalg.lu", "LinalgLu"),
    "matrix_exp": ("scipy.linalg.expm", "LinalgMatrixExp"),
    "tensorinv": ("numpy.linalg.tensorinv", "View"),
    "tensorsolve": ("numpy.linalg.tensorsolve", "View", {"dims": "axes"}),
    "eigvalsh": ("numpy.linalg.eigvalsh", "LinalgEigh"),
    "inv": ("numpy.linalg.inv", "LinalgInvEx"),
    "matrix_power": ("numpy.linalg.matrix_power", "Mm"),
    "matrix_rank": ("numpy.linalg.matrix_rank", ""),
    "multi_dot": ("numpy.linalg.multi_dot", "View"),
    "pinv": ("numpy.linalg.pinv", "LinalgPinv"),
    "qr": ("numpy.linalg.qr", "LinalgQr"),
    "slogdet": ("numpy.linalg.slogdet", "LinalgSlogdet"),
    "solve": ("numpy.linalg.solve", "LinalgSolveEx"),
    "svd": ("numpy.linalg.svd", "LinalgSvd"),
    "svdvals": ("numpy.linalg.svdvals", "LinalgSvd"),
    "cross": ("numpy.linalg.cross", "LinalgCross"),
    "outer": ("numpy.outer", "Mul"),
}
SPECIAL: dict[str, tuple[Any, ...]] = {
    "erf": ("scipy.special.erf", "Erf"),
    "erfc": ("scipy.special.erfc", "Erfc"),
    "erfinv": ("scipy.special.erfinv", "Erfinv"),
    "gammaln": ("scipy.special.gammaln", "Lgamma"),
    "digamma": ("scipy.special.digamma", "Digamma"),
    "psi": ("scipy.special.psi", "Digamma"),
    "ndtr": ("scipy.special.ndtr", "Ndtr"),
    "i0": ("scipy.special.i0", "I0Backward0"),
    "i0e": ("scipy.special.i0e", "SpecialI0E"),
    "i1": ("scipy.special.i1", "SpecialI1Backward0"),
    "i1e": ("scipy.special.i1e", "SpecialI1E"),
    "xlogy": ("scipy.special.xlogy", "Xlogy"),
    "xlog1py": ("scipy.special.xlog1py", "SpecialXlog1Py"),
    "entr": ("scipy.special.entr", "SpecialEntr"),
    "erfcx": ("scipy.special.erfcx", "SpecialErfcx"),
    "polygamma": ("scipy.special.polygamma", "Polygamma"),
    "multigammaln": ("scipy.special.multigammaln", "Mvlgamma", {"p": "d"}),
    "log_ndtr": ("scipy.special.log_ndtr", "SpecialLogNdtr"),
}


def transform_name(name: str) -> Any:
    """What torch calls the nodes of a Fourier transform, which depends on what it is of."""
    if name.endswith("shift"):
        return "Roll"
    if name.startswith(("irfft", "hfft")):
        return "FftC2R"
    if name not in ("fft", "ifft", "ihfft") and not name.startswith("r"):
        return "FftC2C"
    of_real = "Conj" if name.startswith("i") else "FftR2C"
    return lambda a: "FftC2C" if a._array.dtype.kind == "c" else of_real


FFT: dict[str, tuple[Any, ...]] = {
    name: (f"numpy.fft.{name}", transform_name(name))
    for name in (
        "fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2",
        "fftn", "ifftn", "rfftn", "irfftn", "fftshift", "ifftshift",
    )
}  # fmt: skip
for _name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"):
    FFT[_name] = (*FFT[_name], {"dim": "axes"})
for _name in ("fftshift", "ifftshift"):
    FFT[_name] = (*FFT[_name], {"dim": "axes"})

FUNCTIONS = known(ENTRIES)
for _name in (
    "angle", "cov", "digamma", "erf", "erfc", "erfinv",
    "inner", "lgamma", "nan_to_num", "quantile", "repeat_interleave",
    "nanquantile",
    "i0", "rot90", "deg2rad", "rad2deg",
):  # fmt: skip
    setattr(Tensor, _name, FUNCTIONS[_name])
_LINALG = known(LINALG)
for _name, _target in (("det", "det"), ("inverse", "inv"), ("pinverse", "pinv"), ("svd", "svd"),
                       ("cholesky", "cholesky"), ("slogdet", "slogdet"),
                       ("matrix_power", "matrix_power"), ("qr", "qr"),
                       ("matrix_exp", "matrix_exp")):  # fmt: skip
    setattr(Tensor, _name, _LINALG[_target])
    FUNCTIONS[_name] = _LINALG[_target]

__all__ = ["FFT", "FUNCTIONS", "LINALG", "SPECIAL", "known", "lookup", "np"]
