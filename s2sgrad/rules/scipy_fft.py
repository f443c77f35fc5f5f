"""Floor 2: rules of scipy.fft. Every transform is linear; its cotangent is its adjoint."""

from __future__ import annotations

from typing import Any

from s2sgrad.rules.declare import structural
from s2sgrad_runtime import (
    cosine_n_pullback,
    cosine_pullback,
    fft_pullback,
    fftn_pullback,
    hfft_pullback,
    ihfft_pullback,
    irfft_pullback,
    irfftn_pullback,
    rfft_pullback,
    rfftn_pullback,
)


@structural("scipy.fft.fft", holomorphic=False, linear=("x",))
def fft_(
    y_bar: Any,
    y: Any,
    x: Any,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.fft."""
    return fft_pullback(y_bar, x, axis, norm)


@structural("scipy.fft.ifft", holomorphic=False, linear=("x",))
def ifft_(
    y_bar: Any,
    y: Any,
    x: Any,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.ifft."""
    return fft_pullback(y_bar, x, axis, norm, True)


@structural("scipy.fft.rfft", holomorphic=False, linear=("x",))
def rfft_(
    y_bar: Any,
    y: Any,
    x: Any,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.rfft."""
    return rfft_pullback(y_bar, x, n, axis, norm)


@structural("scipy.fft.irfft", holomorphic=False, linear=("x",))
def irfft_(
    y_bar: Any,
    y: Any,
    x: Any,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.irfft."""
    return irfft_pullback(y_bar, x, axis, norm)


@structural("scipy.fft.hfft", holomorphic=False, linear=("x",))
def hfft_(
    y_bar: Any,
    y: Any,
    x: Any,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.hfft."""
    return hfft_pullback(y_bar, x, axis, norm)


@structural("scipy.fft.ihfft", holomorphic=False, linear=("x",))
def ihfft_(
    y_bar: Any,
    y: Any,
    x: Any,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.ihfft."""
    return ihfft_pullback(y_bar, x, n, axis, norm)


@structural("scipy.fft.fftn", holomorphic=False, linear=("x",))
def fftn_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.fftn."""
    return fftn_pullback(y_bar, x, s, axes, norm)


@structural("scipy.fft.ifftn", holomorphic=False, linear=("x",))
def ifftn_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.ifftn."""
    return fftn_pullback(y_bar, x, s, axes, norm, True)


@structural("scipy.fft.rfftn", holomorphic=False, linear=("x",))
def rfftn_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.rfftn."""
    return rfftn_pullback(y_bar, x, s, axes, norm)


@structural("scipy.fft.irfftn", holomorphic=False, linear=("x",))
def irfftn_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.irfftn."""
    return irfftn_pullback(y_bar, x, s, axes, norm)


@structural("scipy.fft.fft2", holomorphic=False, linear=("x",))
def fft2_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.fft2."""
    return fftn_pullback(y_bar, x, s, axes, norm)


@structural("scipy.fft.ifft2", holomorphic=False, linear=("x",))
def ifft2_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.ifft2."""
    return fftn_pullback(y_bar, x, s, axes, norm, True)


@structural("scipy.fft.rfft2", holomorphic=False, linear=("x",))
def rfft2_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.rfft2."""
    return rfftn_pullback(y_bar, x, s, axes, norm)


@structural("scipy.fft.irfft2", holomorphic=False, linear=("x",))
def irfft2_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """As np.fft.irfft2."""
    return irfftn_pullback(y_bar, x, s, axes, norm)


@structural("scipy.fft.dct", linear=("x",))
def dct_(
    y_bar: Any,
    y: Any,
    x: Any,
    type: Any = 2,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Any:
    """The transpose of a real transform is one too."""
    return cosine_pullback(y_bar, x, type, axis, norm, False, False, orthogonalize)


@structural("scipy.fft.dctn", linear=("x",))
def dctn_(
    y_bar: Any,
    y: Any,
    x: Any,
    type: Any = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Any:
    """dct over several axes."""
    return cosine_n_pullback(y_bar, x, type, s, axes, norm, False, False, orthogonalize)


@structural("scipy.fft.idct", linear=("x",))
def idct_(
    y_bar: Any,
    y: Any,
    x: Any,
    type: Any = 2,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Any:
    """The transpose of a real transform is one too."""
    return cosine_pullback(y_bar, x, type, axis, norm, True, False, orthogonalize)


@structural("scipy.fft.idctn", linear=("x",))
def idctn_(
    y_bar: Any,
    y: Any,
    x: Any,
    type: Any = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Any:
    """idct over several axes."""
    return cosine_n_pullback(y_bar, x, type, s, axes, norm, True, False, orthogonalize)


@structural("scipy.fft.dst", linear=("x",))
def dst_(
    y_bar: Any,
    y: Any,
    x: Any,
    type: Any = 2,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Any:
    """The transpose of a real transform is one too."""
    return cosine_pullback(y_bar, x, type, axis, norm, False, True, orthogonalize)


@structural("scipy.fft.dstn", linear=("x",))
def dstn_(
    y_bar: Any,
    y: Any,
    x: Any,
    type: Any = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Any:
    """dst over several axes."""
    return cosine_n_pullback(y_bar, x, type, s, axes, norm, False, True, orthogonalize)


@structural("scipy.fft.idst", linear=("x",))
def idst_(
    y_bar: Any,
    y: Any,
    x: Any,
    type: Any = 2,
    n: Any = None,
    axis: Any = -1,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Any:
    """The transpose of a real transform is one too."""
    return cosine_pullback(y_bar, x, type, axis, norm, True, True, orthogonalize)


@structural("scipy.fft.idstn", linear=("x",))
def idstn_(
    y_bar: Any,
    y: Any,
    x: Any,
    type: Any = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Any:
    """idst over several axes."""
    return cosine_n_pullback(y_bar, x, type, s, axes, norm, True, True, orthogonalize)
