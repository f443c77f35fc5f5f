"""Floor 2: what is written down of one of scipy.stats' distributions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Distribution:
    """One distribution of scipy.stats.

    slope: the derivative by z of the logarithm of the standard density; None where there is no
    closed form: then the density has no rule, and its distribution function has one.
    shapes: for each shape parameter its name, the derivative by it of the log density, and the
    derivative by it of the distribution function: for a continuous distribution as a multiple
    of the standard density, for a discrete one as it is; None where there is no closed form.
    In discrete distributions m is the value less its location.
    direct: for shape parameters at whose ends probabilities are 0 and the logarithm's derivative is
    infinite: the name, whether it is at its end, and the derivative of the probability there.
    moved: by how much z of a distribution's pdf and cdf moves as the scale grows, beside z itself;
    SciPy has it in these two alone, not in sf, the logarithms and the quantiles.
    """

    name: str
    slope: str | None = ""
    shapes: tuple[tuple[str, str | None, str | None], ...] = ()
    direct: tuple[tuple[str, str, str], ...] = ()
    moved: str = ""
