"""Polynomials: roots, fits, divisions, and the families of np.polynomial."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from programs.registry import normal, program


@program(normal(5), second=True)
def largest_roots(p):
    p = p + np.array([2.0, 0.0, 0.0, 0.0, 3.0])
    return np.sum(np.abs(np.roots(p)) ** 2)


@program(normal(4), second=True)
def coefficients_of_roots(r):
    p = np.poly(r)
    return np.sum(p**2) + np.polyval(p, 0.3)


@program(normal(3, 3), second=True)
def characteristic_polynomial(a):
    return np.sum(np.poly(a @ a.T + np.diag([1.0, 2.0, 4.0])) ** 2)


@program(normal(6), normal(6), wrt=(0, 1))
def fitted_line(x, y):
    slope, offset = np.polyfit(x, y, 1, w=np.exp(-(y**2)))
    residual = y - (slope * x + offset)
    return np.sum(residual**2) + slope


@program(normal(6, 2), second=True)
def fitted_columns(y):
    found = np.polyfit(np.linspace(-1.0, 1.0, 6), y, 2)
    return np.sum(np.polyval(found[:, 0], y[:, 1]) * found[0, 1])


@program(normal(5), second=True)
def divided(u):
    quotient, remainder = np.polydiv(u, np.array([2.0, 0.5, -1.0]) + 0.1 * u[0])
    return np.sum(quotient**2) + np.sum(remainder**3)


@program(normal(4), normal(3), wrt=(0, 1))
def six_families(c, x):
    total = np.sum(polynomial.polyval(x, c) * chebyshev.chebval(x, c))
    total = total + np.sum(legendre.legval(x, c) * hermite.hermval(0.3 * x, c))
    total = total + hermite_e.hermeval(0.2, c) + np.sum(laguerre.lagval(x, c[:3]))
    return total + np.sum(polynomial.polyvander(x, 3) @ c)


@program(normal(3))
def complex_long_division(x):
    z = (1.0 + 0.5j) * x
    q, r = np.polydiv(z, np.array([z[0], 2.0]))
    kept = np.fromiter((v * v for v in z), float)
    return np.real((1.0 - 0.3j) * (np.sum(q**2) + np.sum(r**2))) + np.sum(kept**2)


CALIBRATION, TREND = (
    np.poly1d([1.0, -2.0, 0.5]),
    np.polynomial.Polynomial([0.5, 1.0], domain=[0, 2]),
)


@program(normal(3), second=True, jit=True)
def objects_of_numpy(x):
    p, q = np.poly1d(x), np.poly1d([x[1], 1.0])
    r = p * q + 2.0 * p - q**2 + 1
    total = r(0.3) + r.deriv()(0.2) + r.integ()(1.1) + p[1] * p.order + p(q)(0.4)
    total += (-p / 2.0)(0.2) * np.max(np.poly1d([1.0, x[0], -9.0]).r) + np.polyval(
        CALIBRATION, x[2]
    )
    return total + CALIBRATION(x[0]) * TREND(x[1]) * TREND.deriv()(x[2])


@program(normal(3), second=True, jit=True)
def objects_from_the_constant_up(x):
    polynomial = np.polynomial.Polynomial
    p, q = polynomial(x), polynomial([1.0, x[1]])
    r = p * q + 2.0 * p - q**2 + 1 - 3 * q + (1 - q)
    total = r(0.3) + r.deriv(2)(0.2) + p.integ(1, k=[x[2]])(0.5) + p.integ(lbnd=0.5)(1.0)
    t = np.array([0.0, 1.0, 2.0, 4.0, 5.0])
    fit = polynomial.fit(t, np.sin(t) * x[0] + x[1] * t, 2)
    total += fit(2.5) + fit.deriv()(1.0) * p.degree() + fit.convert().coef[0]
    return total + polynomial([-9.0 + x[0], x[1], 1.0]).roots() @ np.array([1.0, 3.0])


@program(normal(4), second=True)
def functions_from_the_constant_up(x):
    powers, t = np.polynomial.polynomial, np.array([0.1, 0.4, 0.5, 0.9])
    p = powers.polymul(powers.polyint(x, 2, k=[x[1]], lbnd=0.5), powers.polyder(x, scl=2.0))
    p = powers.polysub(powers.polyadd(p, powers.polypow(x[:2], 3)), powers.polymulx(x))
    fitted = powers.polyfit(t, x, 2) @ powers.polyfromroots(x[:2])
    roots = powers.polyroots(np.array([x[0] - 9.0, x[1], 1.0]))
    return powers.polyval(0.3, p) + fitted + roots @ np.array([1.0, 3.0])


@program(normal(4), second=True)
def fits_in_other_bases(x):
    t = np.array([0.1, 0.4, 0.5, 0.9])
    fitted = np.polynomial.chebyshev.chebfit(t, x**2, 2) + np.polynomial.legendre.legfit(t, x, 2)
    fitted = fitted * np.polynomial.polynomial.polyfit(t, x, [2, 0])
    table = np.polynomial.hermite_e.hermevander(x, 2) + np.polynomial.laguerre.lagvander(x, 2)
    return np.sum((table @ fitted) ** 2) + np.sum(np.polynomial.hermite.hermvander(x[:2], 3))


@program(normal(4), second=True)
def calculus_in_other_bases(x):
    c = chebyshev.chebint(chebyshev.chebder(x, scl=2.0), 2, [x[1], 0.5], lbnd=0.5)
    p = legendre.legint(legendre.legder(x, 2), 1, [x[1]]) + hermite_e.hermeder(x, axis=-1)
    p = p + laguerre.lagint(laguerre.lagder(x[:3]), scl=x[0]) + hermite_e.hermeint(x[:2], k=2.0)
    table = hermite.hermint(hermite.hermder(np.outer(x, x), 1, 0.5, 1), lbnd=0.3)
    return np.sum(c**2) + np.sum(p**3) + 1e-2 * np.sum(table**2)


@program(normal(4), second=True)
def surfaces_in_other_bases(x):
    t = np.array([0.1, 0.4, 0.5, 0.9])
    values = laguerre.lagval2d(t, x, np.outer(x, x)) * hermite.hermgrid2d(t, x[:1], x[:2, None]).T
    many = legendre.legval3d(t, x, t, np.ones((2, 1, 2)) * x[1])
    many = many @ chebyshev.chebvander2d(t, x, [1, 1])
    return 1e-2 * np.sum(values**2) + np.sum(many * polynomial.polygrid2d(x, t[:1], x)[0])


@program(normal(5), second=True)
def algebra_in_other_bases(z):
    x, y = z[:3], z[3:]
    p = legendre.legpow(laguerre.poly2lag(chebyshev.chebmul(x, y)), 2)
    p = hermite_e.hermemulx(hermite.hermadd(p, legendre.leg2poly(x)))
    fitted = chebyshev.chebinterpolate(lambda t, k: np.exp(k * t), 2, (y[1],))
    rooted = laguerre.lagfromroots(y) + legendre.legsub(hermite.hermline(x[0], x[1]), x)
    return 1e-2 * np.sum(p**2) + rooted @ fitted


@program(normal(5), second=True)
def quotients_in_other_bases(z):
    x, y = z[:3], z[3:]
    q, r = chebyshev.chebdiv(x, np.array([y[0], 2.0]))
    q2, r2 = polynomial.polydiv(x, np.array([2.0, y[1], 3.0]))
    roots = legendre.legroots(np.array([x[0] - 30.0, y[0], x[1], 9.0]))
    near = np.sum(np.abs(roots) ** 2) + np.sum(q2) + np.sum(r2**2) + np.sum(r**2)
    return near + hermite.hermweight(x)[0] + np.sum(q**2)


@program(normal(4), jit=True, second=True)
def entries_of_a_polynomial(x):
    p = np.poly1d(x)
    total = 0.0
    for k, c in enumerate(p * p):
        total += c * k**2
    return total + sum(p) * len(p) + p[0]


@program(normal(4), normal(3), wrt=(0, 1))
def chebyshev_series_as_objects(c, d):
    curve = np.polynomial.Chebyshev(c, domain=[0, 4])
    other = np.polynomial.Chebyshev(d, domain=[0, 4])
    area = curve.integ(lbnd=0.5)
    return (curve * other - 2.0)(1.3) + area(3.0) * curve.deriv()(0.7) + len(curve)


@program(normal(7), wrt=0)
def series_fitted_to_values(y):
    x = np.linspace(0.0, 3.0, 7)
    found = 0.0
    for kind in (np.polynomial.Legendre, np.polynomial.HermiteE, np.polynomial.Laguerre):
        found = found + kind.fit(x, y, 3)(1.1) ** 2
    basis = np.polynomial.Hermite.basis(2, [0, 3])
    return found * basis(y[0]) + np.polynomial.Laguerre(y[:3])(0.4)


@program(normal(3, 4), normal(2, 4), wrt=(0, 1), jit=True)
def curves_of_a_table_of_coefficients(p, t):
    return np.sum(np.polyval(p, t) ** 2) + np.sum(np.polyval(p, 0.5) * np.polyval(p[:2], t[0, 0]))


@program(normal(4), second=True)
def products_with_empty_polynomials(x):
    none = np.polymul(x, [])
    return np.sum(x**2) + np.sum(np.polymul([], x) * x) + np.sum(none)
