"""A `while` loop whose length depends on the data: Kepler's equation by Newton's method."""

import math

import s2sgrad


def eccentric_anomaly(mean_anomaly, eccentricity):
    """Solves E - e sin(E) = M."""
    E = mean_anomaly
    residual = E - eccentricity * math.sin(E) - mean_anomaly
    while abs(residual) > 1e-13:
        E -= residual / (1.0 - eccentricity * math.cos(E))
        residual = E - eccentricity * math.sin(E) - mean_anomaly
    return E


def main():
    derivative = s2sgrad.value_and_grad(eccentric_anomaly, argnums=(0, 1))
    print(derivative.source(1.0, 0.3))
    for mean, e in ((0.2, 0.1), (1.0, 0.6), (2.5, 0.9)):
        E, (mean_bar, e_bar) = derivative(mean, e)
        # the implicit function theorem gives the same without any loop
        slope = 1.0 / (1.0 - e * math.cos(E))
        print(f"M={mean} e={e}: E={E:.6f} dE/dM={mean_bar:.6f} dE/de={e_bar:.6f}")
        assert math.isclose(mean_bar, slope, rel_tol=1e-6)
        assert math.isclose(e_bar, slope * math.sin(E), rel_tol=1e-6)


if __name__ == "__main__":
    main()
