"""Floor 8: scipy.interpolate's polynomials in pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.standins.through_points import along, beyond, in_period


class PPoly:
    """scipy.interpolate.PPoly."""

    def __init__(self, c: Any, x: Any, extrapolate: Any = None, axis: int = 0) -> None:
        if axis != 0:
            raise NotImplementedError("PPoly with an axis")
        self.c, self.x, self.extrapolate = np.asarray(c), np.asarray(x), extrapolate

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        goes_on = self.extrapolate if extrapolate is None else extrapolate
        points, rows = np.asarray(x), self.c
        if goes_on == "periodic":
            points = in_period(points, self.x[0], self.x[-1])
        place = np.clip(np.searchsorted(self.x, points, side="right") - 1, 0, len(self.x) - 2)
        t = along(points - self.x[place], rows[0], points)
        found = 0.0 * rows[0][place]
        for power in range(len(rows) - 1, nu - 1, -1):
            factor = np.prod(np.arange(power - nu + 1.0, power + 1.0))
            found = found * t + factor * rows[len(rows) - 1 - power][place]
        if goes_on is False:
            out = beyond(points, self.x[0], self.x[-1])
            found = np.where(along(out, rows[0], points), np.nan, found)
        return found

    def derivative(self, nu: int = 1) -> Any:
        """Its derivative of order nu, as a PPoly."""
        rows = self.c
        for _ in range(nu):
            powers = np.arange(len(rows) - 1.0, 0.0, -1.0)
            zero = 0.0 * rows[:1]
            rows = zero if len(rows) == 1 else rows[:-1] * along(powers, rows, powers)
        return PPoly(rows, self.x, self.extrapolate)

    def antiderivative(self, nu: int = 1) -> Any:
        """The integral from the first break on, nu times, as a PPoly."""
        rows = self.c
        steps = np.diff(self.x)
        for _ in range(nu):
            powers = np.arange(len(rows), 0.0, -1.0)
            rows = rows / along(powers, rows, powers)
            gains = 0.0 * rows[0]
            for row in rows:
                gains = (gains + row) * along(steps, rows[0], steps)
            ends = np.cumsum(gains[:-1], axis=0)
            starts = np.concatenate((0.0 * gains[:1], ends))
            rows = np.concatenate((rows, starts[np.newaxis]))
        return PPoly(rows, self.x, self.extrapolate)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        """The integral from a to b."""
        goes_on = self.extrapolate if extrapolate is None else extrapolate
        if goes_on == "periodic":
            raise NotImplementedError("PPoly.integrate of a periodic curve")
        whole = self.antiderivative()
        return whole(b, extrapolate=goes_on) - whole(a, extrapolate=goes_on)


READ = {"PPoly": PPoly}
