"""torch functions that are a NumPy function under another spelling of its arguments.

One table entry per function: NumPy's function, the node's name, and torch keyword -> NumPy
keyword. The derivative is the rule of the NumPy function.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.record import apply, op_of
from s2sgrad.eager.tensor import Tensor
from s2sgrad.rules import lookup

DIM = {"dim": "axis", "keepdim": "keepdims", "dims": "axis"}


def named(source: str, node: str = "", **renames: str) -> Callable[..., Any]:
    """The function `source` ("np.diff", "scipy.special.erf") on tensors.

    renames: further torch keywords and what NumPy calls them (`dim` is `axis` everywhere).
    """
    table = {**DIM, **renames}
    found: list[Any] = []

    def call(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        if not found:
            found.append(op_of(resolved(source), f"{node}Backward0" if node else None))
        if "input" in kwargs:
            args = (kwargs.pop("input"), *args)
        kwargs = {table.get(k, k): v for k, v in kwargs.items()}
        return apply(found[0], args, kwargs)

    call.__name__ = call.__qualname__ = source.rsplit(".", 1)[-1]
    call.__doc__ = f"`{source}` on tensors."
    return call


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
    "corrcoef": ("numpy.corrcoef", "Clamp"),
    "cross": ("numpy.cross", "LinalgCross"),
    "deg2rad": ("numpy.deg2rad", "Mul"),
    "diff": ("numpy.diff", "Sub"),
    "dstack": ("numpy.dstack", "Cat"),
    "erf": ("scipy.special.erf", "Erf"),
    "erfc": ("scipy.special.erfc", "Erfc"),
    "erfinv": ("scipy.special.erfinv", "Erfinv"),
    "float_power": ("numpy.float_power", "Pow"),
    "heaviside": ("numpy.heaviside", "Heaviside"),
    "inner": ("numpy.inner", "View"),
    "lgamma": ("scipy.special.gammaln", "Lgamma"),
    "digamma": ("scipy.special.digamma", "Digamma"),
    "nan_to_num": ("numpy.nan_to_num", "NanToNum"),
    "nanmean": ("numpy.nanmean", "Div"),
    "nansum": ("numpy.nansum", "Nansum"),
    "quantile": ("numpy.quantile", "Squeeze"),
    "repeat_interleave": ("numpy.repeat", "View"),
    "rot90": ("numpy.rot90", "Rot90"),
    "searchsorted": ("numpy.searchsorted", ""),
    "tensordot": ("numpy.tensordot", "View", {"dims": "axes"}),
    "tile": ("numpy.tile", "Repeat"),
    "trapezoid": ("numpy.trapezoid", "Mul"),
    "vander": ("numpy.vander", "Flip"),
}
LINALG: dict[str, tuple[Any, ...]] = {
    "cholesky": ("numpy.linalg.cholesky", "LinalgCholeskyEx"),
    "det": ("numpy.linalg.det", "LinalgDet"),
    "eigh": ("numpy.linalg.eigh", "LinalgEigh"),
    "eigvalsh": ("numpy.linalg.eigvalsh", "LinalgEigh"),
    "inv": ("numpy.linalg.inv", "LinalgInvEx"),
    "matrix_power": ("numpy.linalg.matrix_power", "Mm"),
    "matrix_rank": ("numpy.linalg.matrix_rank", ""),
    "multi_dot": ("numpy.linalg.multi_dot", "Mm"),
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
    "i0": ("scipy.special.i0", "I0"),
    "i0e": ("scipy.special.i0e", "SpecialI0E"),
    "i1": ("scipy.special.i1", "SpecialI1"),
    "i1e": ("scipy.special.i1e", "SpecialI1E"),
    "xlogy": ("scipy.special.xlogy", "SpecialXlogy"),
    "xlog1py": ("scipy.special.xlog1py", "SpecialXlog1Py"),
    "logit": ("scipy.special.logit", "Logit"),
    "entr": ("scipy.special.entr", "SpecialEntr"),
    "log_ndtr": ("scipy.special.log_ndtr", "SpecialLogNdtr"),
}
FFT: dict[str, tuple[Any, ...]] = {
    name: (f"numpy.fft.{name}", "FftR2C" if name.startswith("r") else "FftC2C")
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
    "angle", "corrcoef", "cov", "diff", "digamma", "erf", "erfc", "erfinv", "float_power",
    "inner", "lgamma", "nan_to_num", "nanmean", "nansum", "quantile", "repeat_interleave",
):  # fmt: skip
    setattr(Tensor, _name, FUNCTIONS[_name])
_LINALG = known(LINALG)
for _name, _target in (("det", "det"), ("inverse", "inv"), ("pinverse", "pinv"), ("svd", "svd"),
                       ("cholesky", "cholesky"), ("slogdet", "slogdet"),
                       ("matrix_power", "matrix_power"), ("qr", "qr")):  # fmt: skip
    setattr(Tensor, _name, _LINALG[_target])
    FUNCTIONS[_name] = _LINALG[_target]

__all__ = ["FFT", "FUNCTIONS", "LINALG", "SPECIAL", "known", "lookup", "np"]
