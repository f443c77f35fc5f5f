"""scipy.special: every rule on a table of samples, real and (where it is defined) complex."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_rule

import s2sgrad

special = pytest.importorskip("scipy.special")


def words(text: str) -> list[str]:
    return text.split()


X = np.array([0.3, 0.7, 1.4, 2.6])
UNIT = np.array([0.1, 0.35, 0.6, 0.9])
BOTH = np.array([-1.7, -0.4, 0.6, 2.2])
Z = np.array([0.4 + 0.3j, 1.2 - 0.7j, 2.1 + 1.1j])
COLUMN = np.array([[0.8], [1.9]])
N = np.array([[3], [5]])

SAMPLES: list[tuple[str, tuple[Any, ...]]] = [
    *[(name, (X,)) for name in words("gamma gammaln loggamma rgamma psi factorial")],
    *[(name, (Z,)) for name in words("gamma loggamma rgamma")],
    ("rgamma", (np.array([-2.0, 0.0, 3.0]),)),
    ("gamma", (BOTH,)),
    ("polygamma", (2, X)),
    *[(name, (X, COLUMN)) for name in words("beta betaln poch")],
    ("multigammaln", (np.array([3.1, 4.2]), 3)),
    ("binom", (X + 3.0, COLUMN)),
    ("comb", (X + 3.0, COLUMN)),
    ("perm", (X + 3.0, COLUMN)),
    *[(name, (N, X)) for name in words("gammainc gammaincc")],
    *[(name, (COLUMN, UNIT)) for name in words("gammaincinv gammainccinv")],
    *[(n, (1.3, COLUMN, UNIT)) for n in words("betainc betaincc betaincinv betainccinv")],
    ("zeta", (COLUMN + 1.0, X)),
    *[(name, (BOTH,)) for name in words("erf erfc erfcx erfi dawsn ndtr log_ndtr expit log_expit")],
    *[
        (name, (BOTH,))
        for name in words("softplus exp2 exp10 expm1 cosm1 cbrt sindg cosdg exprel expi")
    ],
    *[(name, (Z,)) for name in words("erf erfi dawsn wofz exp1 spence lambertw wrightomega")],
    *[(name, (UNIT,)) for name in words("erfinv ndtri logit")],
    ("erfcinv", (UNIT * 1.8,)),
    ("ndtri_exp", (np.log(UNIT),)),
    *[
        (name, (X,))
        for name in words("exp1 log1p spence lambertw wrightomega entr tandg cotdg expi")
    ],
    ("exprel", (np.array([-0.005, 0.0, 0.003, 0.02]),)),
    ("spence", (np.array([1.0]),)),
    ("voigt_profile", (BOTH, 0.8, COLUMN)),
    ("owens_t", (X, COLUMN)),
    *[("expn", (n, X)) for n in (0, 1, 2, 4)],
    *[(n, (X, COLUMN)) for n in words("xlogy xlog1py rel_entr kl_div powm1 boxcox boxcox1p")],
    ("boxcox", (X, np.array([[0.0], [0.004], [-0.3]]))),
    ("inv_boxcox", (X, COLUMN)),
    ("inv_boxcox1p", (X, COLUMN)),
    ("huber", (COLUMN, BOTH)),
    ("pseudo_huber", (COLUMN, BOTH)),
    ("radian", (X, COLUMN, 3.0)),
    ("diric", (np.array([0.0, 0.4, 2.0, 2 * np.pi]), 5)),
    *[(n, (X,)) for n in words("j0 j1 y0 y1 k0 k1 k0e k1e itstruve0 it2struve0 itmodstruve0")],
    *[(n, (BOTH,)) for n in words("j0 j1 i0 i1 i0e i1e")],
    *[(n, (BOTH * 0.15,)) for n in words("j0 j1 i0 i1")],
    *[(n, (X,)) for n in words("ber bei ker kei berp beip kerp keip")],
    *[(n, (COLUMN, X)) for n in words("jv jve yv yve iv ive kv kve")],
    *[(n, (COLUMN, Z)) for n in words("jv jve yv yve iv ive kv kve")],
    *[(n, (COLUMN, Z)) for n in words("hankel1 hankel2 hankel1e hankel2e")],
    *[(n, (N, X)) for n in words("yn kn jn")],
    *[(n, (1.5, X, 2)) for n in words("jvp yvp kvp ivp h1vp h2vp")],
    *[(f"spherical_{n}", (2, X)) for n in ("jn", "yn", "in", "kn")],
    *[(f"spherical_{n}", (2, X, True)) for n in ("jn", "yn", "in", "kn")],
    *[(n, (COLUMN, X)) for n in words("struve modstruve")],
    *[(n, (0.6, 1.2, X)) for n in words("wright_bessel log_wright_bessel")],
    ("hyp0f1", (1.3, X)),
    ("hyp0f1", (1.3, Z)),
    ("hyp1f1", (0.7, 1.3, BOTH)),
    ("hyp1f1", (0.7, 1.3, Z)),
    ("hyp2f1", (0.7, 1.3, 2.1, UNIT * 0.8)),
    ("hyp2f1", (0.7, 1.3, 2.1, Z * 0.2)),
    ("hyperu", (0.7, 1.3, X)),
    *[
        (f"eval_{n}", (degree, UNIT))
        for n in words("legendre chebyt chebyu chebyc chebys hermite hermitenorm laguerre")
        for degree in (0, 1, 4)
    ],
    *[
        (f"eval_sh_{n}", (degree, UNIT))
        for n in ("legendre", "chebyt", "chebyu")
        for degree in (0, 1, 4)
    ],
    *[(f"eval_{n}", (d, 0.7, UNIT)) for n in ("gegenbauer", "genlaguerre") for d in (0, 1, 4)],
    *[("eval_jacobi", (d, 0.7, 1.2, UNIT)) for d in (0, 1, 4)],
    *[("eval_sh_jacobi", (d, 1.7, 1.2, UNIT)) for d in (0, 1, 4)],
    ("lpmv", (1, 3, UNIT)),
    *[(n, (np.array([-1.3, 0.0, 1e-5, 0.008, 0.4]),)) for n in ("ellipk", "ellipe")],
    ("ellipkm1", (UNIT,)),
    *[(n, (X * 0.5, np.array([[0.0], [0.4]]))) for n in ("ellipkinc", "ellipeinc")],
    *[(n, (X, COLUMN, 1.1)) for n in ("elliprf", "elliprg")],
    ("elliprc", (X, COLUMN)),
    ("elliprd", (X, COLUMN, 1.1)),
    ("agm", (X, COLUMN + 2.0)),
    *[(n, (2, 6, UNIT)) for n in words("bdtr bdtrc bdtri nbdtr nbdtrc nbdtri")],
    *[(n, (2.0, UNIT)) for n in words("pdtr pdtrc pdtri chdtr chdtrc chdtri stdtr stdtrit")],
    ("chndtr", (X, 3.0, COLUMN)),
    ("gdtr", (X, 1.7, COLUMN)),
    ("gdtrc", (X, 1.7, COLUMN)),
    ("gdtrix", (X, 1.7, 0.4)),
    ("gdtria", (UNIT, 1.7, COLUMN)),
    *[(n, (3.0, 4.0, UNIT)) for n in words("fdtr fdtrc fdtri")],
    ("tklmbda", (UNIT, 0.5)),
    ("nrdtrimn", (UNIT, COLUMN, 0.4)),
    ("nrdtrisd", (0.3, np.array([0.2, 0.3]), COLUMN * -1)),
    ("airy", (BOTH,)),
    ("airy", (Z,)),
    ("airye", (X,)),
    *[(n, (X,)) for n in words("fresnel shichi sici modfresnelp modfresnelm itj0y0 it2j0y0")],
    *[(n, (X,)) for n in words("iti0k0 it2i0k0 itairy kelvin")],
    ("fresnel", (Z,)),
    ("pbdv", (1.3, BOTH)),
    ("pbvv", (1.3, BOTH)),
    ("pbwa", (0.6, BOTH)),
    ("ellipj", (X, np.array([[0.2], [0.5]]))),
    ("elliprj", (X, COLUMN, 1.1, 0.6)),
    ("elliprj", (X, 0.2, 1.1, X)),
    ("elliprj", (Z, 0.5 * Z[::-1], 1.1 + 0.2j, 0.6 - 0.1j)),
    ("besselpoly", (X, 1.2, 1.4)),
    *[(f"mathieu_{n}", (2, 1.3, 20.0 * BOTH)) for n in words("cem sem")],
    *[(f"mathieu_{n}", (2, 1.3, X)) for n in words("modcem1 modcem2 modsem1 modsem2")],
    *[(n, (1, 3, 1.3, UNIT)) for n in words("pro_ang1 obl_ang1 obl_rad1 obl_rad2")],
    ("pro_ang1_cv", (1, 3, 1.3, special.pro_cv(1, 3, 1.3), UNIT)),
    ("obl_ang1_cv", (1, 3, 1.3, special.obl_cv(1, 3, 1.3), UNIT)),
    *[(n, (1, 3, 1.3, X + 2.0)) for n in words("pro_rad1 pro_rad2")],
    *[
        (n, (1, 3, 1.3, special.pro_cv(1, 3, 1.3), X + 2.0))
        for n in words("pro_rad1_cv pro_rad2_cv")
    ],
    *[(n, (1, 3, 1.3, special.obl_cv(1, 3, 1.3), X)) for n in words("obl_rad1_cv obl_rad2_cv")],
    ("ncfdtr", (3.0, 4.5, X, COLUMN)),
    *[(n, (3.0, 4.5, 0.8, UNIT * 0.8)) for n in words("ncfdtri")],
    ("ncfdtrinc", (3.0, 4.5, UNIT[:3] * 0.3, 0.9)),
    ("nctdtr", (3.5, X, COLUMN)),
    ("nctdtrit", (3.5, 0.7, UNIT)),
    ("nctdtrinc", (3.5, UNIT, 0.9)),
    ("chndtrix", (UNIT, 3.0, COLUMN)),
    ("chndtrinc", (X + 1.0, 3.0, 0.1)),
    *[(n, (N, UNIT + 0.03)) for n in words("smirnov smirnovi")],  # no j / n ends there
    ("btdtria", (UNIT, 1.7, 0.6)),
    ("btdtrib", (1.7, UNIT, 0.6)),
    ("bdtrik", (UNIT, 9.5, 0.4)),
    ("bdtrin", (3.0, UNIT, 0.4)),
    ("nbdtrik", (UNIT, 4.5, 0.4)),
    ("nbdtrin", (3.0, UNIT, 0.4)),
    ("fdtridfd", (3.0, np.array([0.55, 0.6]), 1.3)),
    ("gdtrib", (1.3, UNIT, 2.0)),
    ("chdtriv", (UNIT, 2.0)),
    ("pdtrik", (np.array([0.35, 0.6, 0.9]), 3.0)),
    ("stdtridf", (np.array([0.8, 0.85]), 1.3)),
]
ITERATED = {
    "log_wright_bessel": 1e-6,
    "gdtria": 1e-6,
    "itairy": 1e-5,
    "bdtri": 1e-6,
    "nbdtri": 1e-6,
    "h1vp": 1e-6,
    "ncfdtrinc": 1e-3,
    "nctdtrinc": 1e-5,
    **dict.fromkeys(words("pro_rad2 pro_rad2_cv obl_rad2 obl_rad2_cv"), 1e-5),
}


@pytest.mark.parametrize("case", range(len(SAMPLES)), ids=lambda i: f"{SAMPLES[i][0]}-{i}")
def test_rule(case: int) -> None:
    name, args = SAMPLES[case]
    assert_rule(getattr(special, name), *args, tolerance=ITERATED.get(name, 1e-7), step=1e-4)


A = np.array([[0.3, -1.2, 2.0], [0.5, 0.1, -0.7]])
B = np.array([[0.4, 1.2, 0.6], [2.5, 1.1, 0.7]])


@pytest.mark.parametrize(
    "kwargs", [{}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}]
)
def test_logsumexp(kwargs: Any) -> None:
    assert_rule(special.logsumexp, A, **kwargs)
    assert_rule(special.logsumexp, A, b=B, **kwargs)
    assert_rule(special.logsumexp, A, b=B - 1.0, return_sign=True, **kwargs)
    assert_rule(special.logsumexp, A + 1j * B, **kwargs)


def test_logsumexp_leaves_out_terms_of_no_weight() -> None:
    """Even one that is infinite: exp(900) is."""
    a, kept = np.array([1.0, 900.0, 3.0]), np.array([1.0, 0.0, 2.0])
    slope = s2sgrad.grad(lambda a: special.logsumexp(a, b=kept))
    expected = np.array([np.exp(1.0), 0.0, 2.0 * np.exp(3.0)])
    expected /= np.sum(expected)
    np.testing.assert_allclose(slope(a), expected)
    np.testing.assert_allclose(
        s2sgrad.jvp(lambda a: special.logsumexp(a, b=kept), (a,), (a,))[1], expected @ a
    )
    assert np.all(np.isfinite(s2sgrad.hvp(lambda a: special.logsumexp(a, b=kept))(a, np.ones(3))))


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
def test_softmax(name: str, axis: Any) -> None:
    assert_rule(getattr(special, name), A, axis=axis)


@pytest.mark.parametrize("diff_n", [0, 1, 2])
def test_legendre_functions(diff_n: int) -> None:
    degrees, orders = np.array([[0], [3], [5]]), np.array([1, -2, 0, 3])
    for z in (UNIT, UNIT - 0.3 + 0.4j, 0.3):
        if not np.iscomplexobj(z):
            assert_rule(special.legendre_p, degrees, z, diff_n=diff_n)
            assert_rule(special.sph_legendre_p, degrees, 2, z, diff_n=diff_n)
        assert_rule(special.assoc_legendre_p, degrees, -2, z, diff_n=diff_n)
        assert_rule(special.assoc_legendre_p, degrees, 3, z, norm=True, diff_n=diff_n)
    beside = 5.0 * UNIT - 0.6  # SciPy's are even in sin(theta)
    assert_rule(special.sph_legendre_p, degrees, orders, beside, diff_n=diff_n)
    assert_rule(special.assoc_legendre_p, 4, 1, UNIT + 0.4j, branch_cut=3, diff_n=diff_n)
    assert_rule(special.legendre_p, 3, np.array([-1.0, 1.0, 1.5]), diff_n=diff_n, step=1e-4)
    assert_rule(special.legendre_p, 3, np.zeros((0, 2)), diff_n=diff_n)


def test_legendre_functions_at_the_ends() -> None:
    """P(3, -2) is x (1 - x^2) / 8; SciPy's own second derivative of it is -1/4 at both ends."""
    slope = s2sgrad.grad(lambda x: special.assoc_legendre_p(3, -2, x)[0])
    bend = s2sgrad.grad(lambda x: slope(x))
    third = s2sgrad.grad(lambda x: bend(x))
    for x in (-1.0, 1.0, 0.3):
        expected = (0.125 - 0.375 * x * x, -0.75 * x, -0.75)
        assert (slope(x), bend(x), third(x)) == pytest.approx(expected, rel=1e-12)
    steep = s2sgrad.grad(lambda x: special.assoc_legendre_p(1, 1, x)[0])  # -sqrt(1 - x^2)
    with np.errstate(divide="ignore"):
        assert (steep(-1.0), steep(1.0)) == (-np.inf, np.inf)


def test_slopes_at_small_arguments_and_poles() -> None:
    """Where the formula in books subtracts numbers that are nearly equal, or multiplies by inf."""
    slopes = {
        s2sgrad.grad(lambda x: np.sinc(x))(1e-8): -(np.pi**2) / 3e8,
        s2sgrad.grad(lambda x: np.i0(x))(1e-20): 5e-21,
        s2sgrad.grad(lambda x: special.xlog1py(1.0, x) + special.xlog1py(x, 1e-10))(0.0): 1 + 1e-10,
        s2sgrad.grad(lambda x: special.xlog1py(x, 1e-10))(2.0): np.log1p(1e-10),
        s2sgrad.grad(lambda x: special.ellipkm1(x))(1e-20): -5e19,
        s2sgrad.grad(lambda x: special.agm(x, 1.5))(1e8): 0.0767895769925922,
        s2sgrad.grad(lambda x: special.binom(x, 2.5))(0.5): -4.0 / 15.0,
        s2sgrad.grad(lambda x: special.comb(x, 5.0) + x)(3.0): 1.0,
    }
    assert list(slopes) == pytest.approx(list(slopes.values()), rel=1e-11, abs=0.0)


@pytest.mark.parametrize("name", ["xlogy", "xlog1py"])
def test_mixed_slope_where_the_factor_is_zero(name: str) -> None:
    """x log(y) is 0 at x = 0, and so is its slope in y, but not the slope of that in x."""
    function = getattr(special, name)
    at = (np.array([0.0, 0.0]), np.array([0.5, 2.0]))
    mixed = 1.0 / (at[1] + (name == "xlog1py"))
    by_second = s2sgrad.grad(lambda x, y: np.sum(function(x, y)), 1)
    by_both = s2sgrad.grad(lambda x, y: np.sum(by_second(x, y)))
    np.testing.assert_allclose(by_both(*at), mixed)
    np.testing.assert_allclose(s2sgrad.jvp(by_second, at, (np.ones(2), np.zeros(2)))[1], mixed)
    assert s2sgrad.grad(lambda y: function(0.0, y))(-1.0 * (name == "xlog1py")) == 0.0


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_polygammas_of_many(order: int, jit: bool) -> None:
    """Blocks of steps, a series and reflection, in place of SciPy's zeta, give SciPy's numbers."""
    ends = np.array([np.inf, np.nan, -3.0, 0.0, 1e-3, -7.3, 1e9, 1e200, -45.2])
    wide = np.append(np.linspace(0.01, 60.0, 6000).reshape(-1, 1), ends)
    for x in (wide, wide[:90], np.tile(ends, 9)):
        slope = s2sgrad.grad(lambda x: np.sum(special.polygamma(order, x)), jit=jit)(x)
        np.testing.assert_allclose(slope, special.polygamma(order + 1, x), 2e-13)


def test_polygammas_between_poles() -> None:
    """Halfway between whole numbers the reflection adds nothing: psi''(1 - x) is psi''(x)."""
    x = np.repeat(np.arange(-40.5, 0.0), 3)
    slope = s2sgrad.grad(lambda x: np.sum(special.polygamma(1, x)))
    np.testing.assert_allclose(slope(x), slope(1.0 - x), 2e-14)


def test_tails_where_textbook_forms_lose_digits() -> None:
    """By their asymptotic series (DLMF 7.12.1); three orders."""
    first = s2sgrad.grad(lambda x: special.log_ndtr(x))
    second = s2sgrad.grad(lambda x: first(x))
    third = s2sgrad.grad(lambda x: second(x))
    x = -1e4
    series = (-x + 1.0 / -x, -1.0 + 1.0 / x**2, 2.0 / -(x**3))
    assert (first(x), second(x), third(x)) == pytest.approx(series, rel=2e-7)
    assert second(-1e5) == pytest.approx(-1.0 + 1e-10, rel=1e-13)
    slope = s2sgrad.grad(lambda x: special.erfcx(x))
    bend = s2sgrad.grad(lambda x: slope(x))
    for x in (1e2, 1e4, 1e8):
        u = 1.0 / x**2
        expected = -0.5641895835477563 * u * (1.0 - 1.5 * u + 3.75 * u * u)
        assert slope(x) == pytest.approx(expected, rel=1e-11)
        expected = 1.1283791670955126 * u / x * (1.0 - 3.0 * u + 11.25 * u * u)
        assert bend(x) == pytest.approx(expected, rel=1e-10)


def test_densities_at_the_ends_of_their_supports() -> None:
    slopes = {
        s2sgrad.grad(lambda x: special.gammainc(1.0, x))(0.0): 1.0,
        s2sgrad.grad(lambda x: special.gammaincc(1.0, x))(0.0): -1.0,
        s2sgrad.grad(lambda x: special.betainc(1.0, 2.0, x))(0.0): 2.0,
        s2sgrad.grad(lambda x: special.betainc(3.0, 1.0, x))(1.0): 3.0,
        s2sgrad.grad(lambda p: special.bdtr(0, 4, p))(0.0): -4.0,
    }
    assert list(slopes) == pytest.approx(list(slopes.values()), rel=1e-12)


@pytest.mark.parametrize(
    "found",
    [
        lambda theta, phi: special.sph_harm_y(3, 2, theta, phi, diff_n=1),
        lambda theta, phi: special.sph_harm_y(3, -1, theta, phi, diff_n=2),
        lambda theta, phi: special.sph_harm_y_all(3, 2, theta, phi, diff_n=2),
    ],
)
def test_spherical_harmonics_beside_their_derivatives(found: Any) -> None:
    """By diff_n, as SciPy lays them, at a pole and on the other side of it too."""
    theta, phi = np.array([0.3, 1.7, -0.4, 0.0]), np.array([0.2, -1.1, 2.0, 0.6])

    def total(theta: Any, phi: Any) -> Any:
        return sum(np.sum(np.abs(part + 0.3) ** 2) for part in found(theta, phi))

    value, _ = s2sgrad.vjp(found, theta, phi, fallback="error")
    for own, expected in zip(value, found(theta, phi), strict=True):
        np.testing.assert_allclose(own, expected, rtol=0, atol=1e-13)
    slopes = s2sgrad.grad(total, (0, 1), fallback="error")(theta[:3], phi[:3])
    d = np.array([0.7, -0.2, 0.4])
    for k, slope in enumerate(slopes):
        ends = [
            total(theta[:3] + step * d * (k == 0), phi[:3] + step * d * (k == 1))
            for step in (1e-5, -1e-5)
        ]
        assert np.sum(slope * d) == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-7)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("pdtrik", (0.01, 3.0)), ("bdtrik", (0.1, 5.0, 0.3)), ("nbdtrik", (0.001, 5.0, 0.3)),
        ("stdtridf", (0.9, 0.3)), ("fdtridfd", (3.0, 0.99, 1.2)),
    ],
)  # fmt: skip
def test_no_slope_at_the_bounds_of_a_search(name: str, args: tuple[float, ...]) -> None:
    """SciPy gives a bound where no parameter fits: the value stays, whatever the others do."""
    function = getattr(special, name)
    gradient = s2sgrad.grad(lambda given: function(*given), fallback="error")(args)
    assert np.all(np.asarray(gradient) == 0.0)
