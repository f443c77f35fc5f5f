"""SciPy's functions for generated code; SciPy is imported at the first call.

`scipy_digamma` is `scipy.special.digamma`; each wrapper's `path` says what it stands for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache, reduce
from typing import Any

import numpy as np

__all__ = [
    "lazy",
    "scipy_agm",
    "scipy_airy",
    "scipy_bei",
    "scipy_beip",
    "scipy_ber",
    "scipy_berp",
    "scipy_beta",
    "scipy_betainc",
    "scipy_betaln",
    "scipy_block_diag",
    "scipy_boxcox",
    "scipy_chdtr",
    "scipy_chdtrc",
    "scipy_chndtr",
    "scipy_cho_solve",
    "scipy_circulant",
    "scipy_companion",
    "scipy_convolution_matrix",
    "scipy_convolve1d",
    "scipy_convolve2d",
    "scipy_correlate1d",
    "scipy_correlate2d",
    "scipy_coshm",
    "scipy_cosm",
    "scipy_cumulative_simpson",
    "scipy_cumulative_trapezoid",
    "scipy_dct",
    "scipy_decimate",
    "scipy_detrend",
    "scipy_digamma",
    "scipy_dst",
    "scipy_eigh",
    "scipy_ellipe",
    "scipy_ellipeinc",
    "scipy_ellipk",
    "scipy_ellipkinc",
    "scipy_ellipkm1",
    "scipy_elliprd",
    "scipy_elliprf",
    "scipy_entr",
    "scipy_erf",
    "scipy_erfc",
    "scipy_erfcx",
    "scipy_eval_chebyu",
    "scipy_eval_gegenbauer",
    "scipy_eval_genlaguerre",
    "scipy_eval_hermite",
    "scipy_eval_hermitenorm",
    "scipy_eval_jacobi",
    "scipy_eval_laguerre",
    "scipy_eval_legendre",
    "scipy_eval_sh_jacobi",
    "scipy_exp1",
    "scipy_expit",
    "scipy_expm",
    "scipy_expm_multiply",
    "scipy_expn",
    "scipy_exprel",
    "scipy_fdtrc",
    "scipy_fftconvolve",
    "scipy_fht",
    "scipy_filtfilt",
    "scipy_fractional_matrix_power",
    "scipy_gamma",
    "scipy_gammaln",
    "scipy_gaussian_filter",
    "scipy_gaussian_filter1d",
    "scipy_h1vp",
    "scipy_h2vp",
    "scipy_hankel",
    "scipy_hankel1",
    "scipy_hankel1e",
    "scipy_hankel2",
    "scipy_hankel2e",
    "scipy_hilbert",
    "scipy_hyp0f1",
    "scipy_hyp1f1",
    "scipy_hyp2f1",
    "scipy_hyperu",
    "scipy_i0",
    "scipy_i0e",
    "scipy_i1",
    "scipy_i1e",
    "scipy_idct",
    "scipy_idst",
    "scipy_ifht",
    "scipy_iv",
    "scipy_ive",
    "scipy_ivp",
    "scipy_j0",
    "scipy_j1",
    "scipy_jv",
    "scipy_jve",
    "scipy_jvp",
    "scipy_k0",
    "scipy_k0e",
    "scipy_k1",
    "scipy_k1e",
    "scipy_kei",
    "scipy_keip",
    "scipy_ker",
    "scipy_kerp",
    "scipy_khatri_rao",
    "scipy_kn",
    "scipy_kv",
    "scipy_kve",
    "scipy_kvp",
    "scipy_leslie",
    "scipy_lfilter",
    "scipy_log_ndtr",
    "scipy_loggamma",
    "scipy_logm",
    "scipy_logsumexp",
    "scipy_lpmv",
    "scipy_lu",
    "scipy_lu_solve",
    "scipy_modstruve",
    "scipy_ndimage_convolve",
    "scipy_ndimage_correlate",
    "scipy_ndtr",
    "scipy_polar",
    "scipy_polygamma",
    "scipy_prewitt",
    "scipy_resample",
    "scipy_resample_poly",
    "scipy_rgamma",
    "scipy_romb",
    "scipy_rosen_der",
    "scipy_rosen_hess_prod",
    "scipy_savgol_filter",
    "scipy_signal_convolve",
    "scipy_signal_correlate",
    "scipy_simpson",
    "scipy_sinhm",
    "scipy_sinm",
    "scipy_sobel",
    "scipy_softmax",
    "scipy_softplus",
    "scipy_solve_banded",
    "scipy_solve_continuous_lyapunov",
    "scipy_solve_discrete_lyapunov",
    "scipy_solve_sylvester",
    "scipy_solve_toeplitz",
    "scipy_solve_triangular",
    "scipy_solveh_banded",
    "scipy_sosfilt",
    "scipy_sosfiltfilt",
    "scipy_sph_harm_y",
    "scipy_sph_legendre_p",
    "scipy_spherical_in",
    "scipy_spherical_jn",
    "scipy_spherical_kn",
    "scipy_spherical_yn",
    "scipy_spsolve",
    "scipy_sqrtm",
    "scipy_stdtr",
    "scipy_struve",
    "scipy_tanhm",
    "scipy_tanm",
    "scipy_toeplitz",
    "scipy_trapezoid",
    "scipy_uniform_filter",
    "scipy_uniform_filter1d",
    "scipy_upfirdn",
    "scipy_wofz",
    "scipy_wright_bessel",
    "scipy_xlog1py",
    "scipy_xlogy",
    "scipy_y0",
    "scipy_y1",
    "scipy_yn",
    "scipy_yv",
    "scipy_yve",
    "scipy_yvp",
    "scipy_zeta",
]


def lazy(path: str) -> Callable[..., Any]:
    """A function that imports and calls `path`, a dotted name of SciPy.

    SciPy's Python functions turn their arguments into arrays; an argument that has NumPy's
    function protocol (an eager tensor) is asked first.
    """
    package, topic, *chain = path.split(".")

    @cache
    def named() -> Any:
        return reduce(getattr, chain, importlib.import_module(f"{package}.{topic}"))

    def call(*args: Any, **kwargs: Any) -> Any:
        function = named()
        for value in (*args, *kwargs.values()):
            if type(value) is np.ndarray:
                continue
            answer = getattr(value, "__array_function__", None)
            if answer is not None and not issubclass(type(value), np.ndarray | np.generic):
                return answer(function, (type(value),), args, kwargs)
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = "_".join([package, *chain])
    call.__doc__ = f"`{path}`."
    call.path = path  # type: ignore[attr-defined]
    return call


scipy_agm = lazy("scipy.special.agm")
scipy_airy = lazy("scipy.special.airy")
scipy_bei = lazy("scipy.special.bei")
scipy_beip = lazy("scipy.special.beip")
scipy_ber = lazy("scipy.special.ber")
scipy_berp = lazy("scipy.special.berp")
scipy_beta = lazy("scipy.special.beta")
scipy_betainc = lazy("scipy.special.betainc")
scipy_boxcox = lazy("scipy.special.boxcox")
scipy_chdtr = lazy("scipy.special.chdtr")
scipy_chndtr = lazy("scipy.special.chndtr")
scipy_digamma = lazy("scipy.special.digamma")
scipy_ellipe = lazy("scipy.special.ellipe")
scipy_ellipeinc = lazy("scipy.special.ellipeinc")
scipy_ellipk = lazy("scipy.special.ellipk")
scipy_ellipkinc = lazy("scipy.special.ellipkinc")
scipy_ellipkm1 = lazy("scipy.special.ellipkm1")
scipy_elliprd = lazy("scipy.special.elliprd")
scipy_elliprf = lazy("scipy.special.elliprf")
scipy_stdtr = lazy("scipy.special.stdtr")
scipy_fdtrc = lazy("scipy.special.fdtrc")
scipy_chdtrc = lazy("scipy.special.chdtrc")
scipy_logsumexp = lazy("scipy.special.logsumexp")
scipy_entr = lazy("scipy.special.entr")
scipy_erf = lazy("scipy.special.erf")
scipy_erfc = lazy("scipy.special.erfc")
scipy_erfcx = lazy("scipy.special.erfcx")
scipy_eval_chebyu = lazy("scipy.special.eval_chebyu")
scipy_eval_gegenbauer = lazy("scipy.special.eval_gegenbauer")
scipy_eval_genlaguerre = lazy("scipy.special.eval_genlaguerre")
scipy_exprel = lazy("scipy.special.exprel")
scipy_eval_hermite = lazy("scipy.special.eval_hermite")
scipy_eval_hermitenorm = lazy("scipy.special.eval_hermitenorm")
scipy_eval_jacobi = lazy("scipy.special.eval_jacobi")
scipy_eval_laguerre = lazy("scipy.special.eval_laguerre")
scipy_eval_legendre = lazy("scipy.special.eval_legendre")
scipy_eval_sh_jacobi = lazy("scipy.special.eval_sh_jacobi")
scipy_exp1 = lazy("scipy.special.exp1")
scipy_expit = lazy("scipy.special.expit")
scipy_expn = lazy("scipy.special.expn")
scipy_gamma = lazy("scipy.special.gamma")
scipy_gammaln = lazy("scipy.special.gammaln")
scipy_h1vp = lazy("scipy.special.h1vp")
scipy_h2vp = lazy("scipy.special.h2vp")
scipy_hankel1 = lazy("scipy.special.hankel1")
scipy_hankel1e = lazy("scipy.special.hankel1e")
scipy_hankel2 = lazy("scipy.special.hankel2")
scipy_hankel2e = lazy("scipy.special.hankel2e")
scipy_hyp0f1 = lazy("scipy.special.hyp0f1")
scipy_hyp1f1 = lazy("scipy.special.hyp1f1")
scipy_hyp2f1 = lazy("scipy.special.hyp2f1")
scipy_hyperu = lazy("scipy.special.hyperu")
scipy_i0 = lazy("scipy.special.i0")
scipy_i0e = lazy("scipy.special.i0e")
scipy_i1 = lazy("scipy.special.i1")
scipy_i1e = lazy("scipy.special.i1e")
scipy_iv = lazy("scipy.special.iv")
scipy_ive = lazy("scipy.special.ive")
scipy_ivp = lazy("scipy.special.ivp")
scipy_j0 = lazy("scipy.special.j0")
scipy_j1 = lazy("scipy.special.j1")
scipy_jv = lazy("scipy.special.jv")
scipy_jve = lazy("scipy.special.jve")
scipy_jvp = lazy("scipy.special.jvp")
scipy_k0 = lazy("scipy.special.k0")
scipy_k0e = lazy("scipy.special.k0e")
scipy_k1 = lazy("scipy.special.k1")
scipy_k1e = lazy("scipy.special.k1e")
scipy_kei = lazy("scipy.special.kei")
scipy_keip = lazy("scipy.special.keip")
scipy_ker = lazy("scipy.special.ker")
scipy_kerp = lazy("scipy.special.kerp")
scipy_kn = lazy("scipy.special.kn")
scipy_kv = lazy("scipy.special.kv")
scipy_kve = lazy("scipy.special.kve")
scipy_kvp = lazy("scipy.special.kvp")
scipy_log_ndtr = lazy("scipy.special.log_ndtr")
scipy_loggamma = lazy("scipy.special.loggamma")
scipy_lpmv = lazy("scipy.special.lpmv")
scipy_modstruve = lazy("scipy.special.modstruve")
scipy_ndtr = lazy("scipy.special.ndtr")
scipy_polygamma = lazy("scipy.special.polygamma")
scipy_rgamma = lazy("scipy.special.rgamma")
scipy_softmax = lazy("scipy.special.softmax")
scipy_softplus = lazy("scipy.special.softplus")
scipy_spherical_in = lazy("scipy.special.spherical_in")
scipy_spherical_jn = lazy("scipy.special.spherical_jn")
scipy_spherical_kn = lazy("scipy.special.spherical_kn")
scipy_spherical_yn = lazy("scipy.special.spherical_yn")
scipy_struve = lazy("scipy.special.struve")
scipy_wofz = lazy("scipy.special.wofz")
scipy_wright_bessel = lazy("scipy.special.wright_bessel")
scipy_xlog1py = lazy("scipy.special.xlog1py")
scipy_xlogy = lazy("scipy.special.xlogy")
scipy_y0 = lazy("scipy.special.y0")
scipy_y1 = lazy("scipy.special.y1")
scipy_yn = lazy("scipy.special.yn")
scipy_yv = lazy("scipy.special.yv")
scipy_yve = lazy("scipy.special.yve")
scipy_yvp = lazy("scipy.special.yvp")
scipy_zeta = lazy("scipy.special.zeta")
scipy_betaln = lazy("scipy.special.betaln")
scipy_block_diag = lazy("scipy.linalg.block_diag")
scipy_cho_solve = lazy("scipy.linalg.cho_solve")
scipy_circulant = lazy("scipy.linalg.circulant")
scipy_companion = lazy("scipy.linalg.companion")
scipy_convolution_matrix = lazy("scipy.linalg.convolution_matrix")
scipy_coshm = lazy("scipy.linalg.coshm")
scipy_cosm = lazy("scipy.linalg.cosm")
scipy_expm = lazy("scipy.linalg.expm")
scipy_fractional_matrix_power = lazy("scipy.linalg.fractional_matrix_power")
scipy_hankel = lazy("scipy.linalg.hankel")
scipy_khatri_rao = lazy("scipy.linalg.khatri_rao")
scipy_leslie = lazy("scipy.linalg.leslie")
scipy_logm = lazy("scipy.linalg.logm")
scipy_lu = lazy("scipy.linalg.lu")
scipy_lu_solve = lazy("scipy.linalg.lu_solve")
scipy_sinhm = lazy("scipy.linalg.sinhm")
scipy_sinm = lazy("scipy.linalg.sinm")
scipy_solve_continuous_lyapunov = lazy("scipy.linalg.solve_continuous_lyapunov")
scipy_solve_discrete_lyapunov = lazy("scipy.linalg.solve_discrete_lyapunov")
scipy_solve_sylvester = lazy("scipy.linalg.solve_sylvester")
scipy_solve_triangular = lazy("scipy.linalg.solve_triangular")
scipy_polar = lazy("scipy.linalg.polar")
scipy_sqrtm = lazy("scipy.linalg.sqrtm")
scipy_tanhm = lazy("scipy.linalg.tanhm")
scipy_tanm = lazy("scipy.linalg.tanm")
scipy_toeplitz = lazy("scipy.linalg.toeplitz")
scipy_dct = lazy("scipy.fft.dct")
scipy_dst = lazy("scipy.fft.dst")
scipy_idct = lazy("scipy.fft.idct")
scipy_idst = lazy("scipy.fft.idst")
scipy_simpson = lazy("scipy.integrate.simpson")
scipy_romb = lazy("scipy.integrate.romb")
scipy_cumulative_simpson = lazy("scipy.integrate.cumulative_simpson")
scipy_cumulative_trapezoid = lazy("scipy.integrate.cumulative_trapezoid")
scipy_trapezoid = lazy("scipy.integrate.trapezoid")
scipy_signal_convolve = lazy("scipy.signal.convolve")
scipy_fftconvolve = lazy("scipy.signal.fftconvolve")
scipy_signal_correlate = lazy("scipy.signal.correlate")
scipy_lfilter = lazy("scipy.signal.lfilter")
scipy_convolve2d = lazy("scipy.signal.convolve2d")
scipy_correlate2d = lazy("scipy.signal.correlate2d")
scipy_hilbert = lazy("scipy.signal.hilbert")
scipy_detrend = lazy("scipy.signal.detrend")
scipy_ndimage_correlate = lazy("scipy.ndimage.correlate")
scipy_ndimage_convolve = lazy("scipy.ndimage.convolve")
scipy_correlate1d = lazy("scipy.ndimage.correlate1d")
scipy_convolve1d = lazy("scipy.ndimage.convolve1d")
scipy_gaussian_filter1d = lazy("scipy.ndimage.gaussian_filter1d")
scipy_gaussian_filter = lazy("scipy.ndimage.gaussian_filter")
scipy_uniform_filter = lazy("scipy.ndimage.uniform_filter")
scipy_uniform_filter1d = lazy("scipy.ndimage.uniform_filter1d")
scipy_sobel = lazy("scipy.ndimage.sobel")
scipy_prewitt = lazy("scipy.ndimage.prewitt")
scipy_solve_banded = lazy("scipy.linalg.solve_banded")
scipy_solveh_banded = lazy("scipy.linalg.solveh_banded")
scipy_rosen_der = lazy("scipy.optimize.rosen_der")
scipy_rosen_hess_prod = lazy("scipy.optimize.rosen_hess_prod")
scipy_sph_harm_y = lazy("scipy.special.sph_harm_y")
scipy_sph_legendre_p = lazy("scipy.special.sph_legendre_p")
scipy_savgol_filter = lazy("scipy.signal.savgol_filter")
scipy_resample = lazy("scipy.signal.resample")
scipy_resample_poly = lazy("scipy.signal.resample_poly")
scipy_filtfilt = lazy("scipy.signal.filtfilt")
scipy_sosfilt = lazy("scipy.signal.sosfilt")
scipy_sosfiltfilt = lazy("scipy.signal.sosfiltfilt")
scipy_decimate = lazy("scipy.signal.decimate")
scipy_upfirdn = lazy("scipy.signal.upfirdn")
scipy_fht = lazy("scipy.fft.fht")
scipy_ifht = lazy("scipy.fft.ifht")
scipy_spsolve = lazy("scipy.sparse.linalg.spsolve")
scipy_expm_multiply = lazy("scipy.sparse.linalg.expm_multiply")
scipy_eigh = lazy("scipy.linalg.eigh")
scipy_solve_toeplitz = lazy("scipy.linalg.solve_toeplitz")
