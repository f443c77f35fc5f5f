"""Floor 2: rules of scipy.stats' distributions, written from one table.

A continuous distribution has a standard density f(z; shapes) with z = (x - loc) / scale. From
the derivative of log f by z and by its shapes follow the rules of `logpdf` and `pdf`; from the
density itself those of `cdf`, `sf`, their logarithms and their inverses. Where the derivative of
a distribution function by a shape has no closed form, that shape must not be active.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.rules import declare
from s2sgrad.rules.scipy_stats_table import CONTINUOUS, DISCRETE, Distribution
from s2sgrad_runtime import (
    density_over,
    mills_share,
    mills_whole,
    scipy_i0e,
    scipy_i1e,
    scipy_vonmises_pdf,
    skew_ratio,
    vonmises_bend,
    vonmises_slope,
)

DENSITIES = """
@elementwise("scipy.stats.{name}.logpdf", optional=("loc", "scale"))
def {name}_logpdf(y_bar, y, x, {shapes}loc=0, scale=1):
    "The derivative of log f by z is the slope; the scale also divides the density."
    z = (x - loc) / scale
    slope = {slope}
    x_bar = y_bar * slope / scale
    return x_bar, {shape_bars}-x_bar, -y_bar / scale - z * x_bar


@elementwise("scipy.stats.{name}.pdf", optional=("loc", "scale"))
def {name}_pdf(y_bar, y, x, {shapes}loc=0, scale=1):
    "The density times the derivative of its logarithm; 0 where there is none."
    z = (x - loc) / scale
    slope = np.where(y > 0.0, y * ({slope}), 0.0)
    x_bar = y_bar * slope / scale
    return x_bar, {shape_bars_pdf}-x_bar, -y_bar * y / scale - z * x_bar
"""
CUMULATIVE = """
@elementwise("scipy.stats.{name}.{method}", optional=("loc", "scale"))
def {name}_{method}(y_bar, y, x, {shapes}loc=0, scale=1):
    "Its derivative is the density, up to sign and logarithm."
    z = (x - loc) / scale
    density = {density}
    return y_bar * density, {shape_bars_cdf}-y_bar * density, -y_bar * {by_scale} * density
"""
INVERSE = """
@elementwise("scipy.stats.{name}.{method}", optional=("loc", "scale"))
def {name}_{method}(y_bar, y, q, {shapes}loc=0, scale=1):
    "One over the density at the result."
    z = (y - loc) / scale
    density = {sign}{at_result}
    return y_bar / density, {shape_bars_inverse}y_bar, y_bar * (y - loc) / scale
"""
PROBABILITIES = """
@elementwise("scipy.stats.{name}.logpmf")
def {name}_logpmf(y_bar, y, k, {shapes}loc=0):
    "The derivative of the log probability by the parameters; none in k."
    m = k - loc
    return None, {shape_bars}


@elementwise("scipy.stats.{name}.pmf")
def {name}_pmf(y_bar, y, k, {shapes}loc=0):
    "The probability times the derivative of its logarithm; none in k."
    m = k - loc
    return None, {shape_bars_pdf}
"""
DISCRETE_CUMULATIVE = """
@elementwise("scipy.stats.{name}.{method}")
def {name}_{method}(y_bar, y, k, {shapes}loc=0):
    "The distribution function's derivative by the parameters; none in k."
    m = np.floor(k - loc)
    return None, {shape_bars_cdf}
"""
SIGNS = {
    "cdf": ("", ""),
    "sf": ("-", ""),
    "logcdf": ("", " * np.exp(-y)"),
    "logsf": ("-", " * np.exp(-y)"),
}
DENSITY = "{sign}scipy_{name}_pdf(x, {shapes}loc, scale)"
STANDARD = "{sign}scipy_{name}_pdf(z, {shapes}) / scale"
AT_RESULT = "scipy_{name}_pdf(y, {shapes}loc, scale)"
OF_LOGARITHM = "{sign}density_over(scipy_{name}_logpdf(x, {shapes}loc, scale), y)"


@dataclass(frozen=True)
class Entries:
    """The returned cotangents of the shapes, as text that ends in a comma."""

    item: Distribution

    def of_logarithm(self) -> str:
        slopes = (s for _, s, _ in self.item.shapes)
        return "".join("None, " if s is None else f"y_bar * ({s}), " for s in slopes)

    def of_density(self) -> str:
        slopes = (s for _, s, _ in self.item.shapes)
        pattern = "y_bar * np.where(y > 0.0, y * ({}), 0.0), "
        return "".join("None, " if s is None else pattern.format(s) for s in slopes)

    def cumulative(self, pattern: str) -> str:
        slopes = (c for _, _, c in self.item.shapes)
        return "".join("None, " if c is None else f"{pattern.format(c)}, " for c in slopes)


@declare.elementwise(density_over)
def density_over_(y_bar: Any, y: Any, log_density: Any, log_whole: Any) -> Any:
    """An exponential of the difference."""
    return y_bar * y, -y_bar * y


@declare.elementwise(mills_share)
def mills_share_(y_bar: Any, y: Any, x: Any, other: Any) -> Any:
    """The logarithm of Mills' ratio has the slope x less the density over the tail."""
    common = y_bar * y * (1.0 - y)
    return common * (x - skew_ratio(-x)), -common * (other - skew_ratio(-other))


@declare.elementwise(mills_whole)
def mills_whole_(y_bar: Any, y: Any, x: Any, other: Any) -> Any:
    """Mills' ratio itself has the slope of x times it, less 1."""
    return (
        -y_bar * y * (x * mills_share(x, other) - y),
        -y_bar * y * (other * mills_share(other, x) - y),
    )


@declare.elementwise(vonmises_slope)
def vonmises_slope_(y_bar: Any, y: Any, kappa: Any, z: Any) -> Any:
    """The density's derivative by kappa in z."""
    slope = np.cos(z) - scipy_i1e(kappa) / scipy_i0e(kappa)
    return y_bar * vonmises_bend(kappa, z), y_bar * scipy_vonmises_pdf(z, kappa) * slope


def enter(text: str, name: str) -> None:
    """Declare the rules in `text`; linecache keeps it, so that a rule can be read and sliced."""
    filename = f"<rules of scipy.stats.{name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"elementwise": declare.elementwise, "np": np, "__name__": __name__}
    exec(compile(text, filename, "exec"), scope)


def enter_continuous(item: Distribution) -> None:
    """logpdf, pdf, cdf, sf, logcdf, logsf, ppf and isf of one distribution."""
    entries = Entries(item)
    facts = {
        "name": item.name,
        "slope": item.slope,
        "shapes": "".join(f"{s}, " for s, _, _ in item.shapes),
        "shape_bars": entries.of_logarithm(),
        "shape_bars_pdf": entries.of_density(),
        "shape_bars_inverse": entries.cumulative("-y_bar * scale * ({})"),
        "by_scale": "z",
    }
    facts["at_result"] = (STANDARD if item.moved else AT_RESULT).format(**facts, sign="")
    text = "" if item.slope is None else DENSITIES.format(**facts)
    bars = entries.cumulative("y_bar * np.where(density == 0.0, 0.0, density * scale * ({}))")
    for method, (sign, log) in SIGNS.items():
        pattern = OF_LOGARITHM if log else STANDARD if item.moved and sign else DENSITY
        density = pattern.format(**facts, sign=sign)
        moved = {"by_scale": f"(z + {item.moved})"} if item.moved and method == "cdf" else {}
        given = {**facts, **moved, "density": density, "shape_bars_cdf": bars}
        text += CUMULATIVE.format(**given, method=method)
    for method, sign in (("ppf", ""), ("isf", "-")):
        text += INVERSE.format(**facts, method=method, sign=sign)
    enter(text, item.name)


def enter_discrete(item: Distribution) -> None:
    """logpmf, pmf, cdf, sf, logcdf and logsf of one distribution."""
    entries = Entries(item)
    facts = {"name": item.name, "shapes": "".join(f"{s}, " for s, _, _ in item.shapes)}
    text = PROBABILITIES.format(
        **facts, shape_bars=discrete_bars(item, True), shape_bars_pdf=discrete_bars(item, False)
    )
    known = any(slope is not None for _, _, slope in item.shapes)
    for method, (sign, log) in SIGNS.items() if known else ():
        bars = entries.cumulative("y_bar * (" + sign + "({}))" + log)
        text += DISCRETE_CUMULATIVE.format(**facts, method=method, shape_bars_cdf=bars)
    enter(text, item.name)


def discrete_bars(item: Distribution, logarithm: bool) -> str:
    """Cotangents of the parameters of a probability or its logarithm; None for whole numbers."""
    bars = []
    for name, slope, _ in item.shapes:
        ends = [] if logarithm else [(e, s) for n, e, s in item.direct if n == name]
        if slope is None or logarithm:
            bars.append(slope and f"y_bar * ({slope})")
        else:
            whole = f"y * ({slope})"
            for end, direct in ends:
                whole = f"np.where({end}, {direct}, {whole})"
            bars.append(f"y_bar * {whole}")
    return "".join(f"{bar}, " for bar in bars)


for _item in CONTINUOUS:
    enter_continuous(_item)
for _item in DISCRETE:
    enter_discrete(_item)


declare.no_derivative("scipy.stats.rankdata")  # as argsort
