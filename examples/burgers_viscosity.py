"""An inverse problem: the viscosity and the initial state of a Burgers flow, written in place."""

import numpy as np
from scipy.optimize import minimize

import s2sgrad


def simulate(u0, nu, dt, dx, steps):
    u = u0.copy()
    for _ in range(steps):
        advection = u[1:-1] * (u[2:] - u[:-2]) / (2.0 * dx)
        diffusion = nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] += dt * (diffusion - advection)
    return u


def misfit(nu, amplitude, shape, measured, dt, dx, steps):
    final = simulate(amplitude * shape, nu, dt, dx, steps)
    return np.sum((final - measured) ** 2)


def main():
    x = np.linspace(0.0, np.pi, 41)
    rest = (0.01, x[1] - x[0], 60)
    measured = simulate(1.3 * np.sin(x), 0.12, *rest)
    data = (np.sin(x), measured, *rest)

    value_and_grad = s2sgrad.value_and_grad(misfit, argnums=("nu", "amplitude"))
    print(value_and_grad.source(0.2, 1.0, *data))
    s2sgrad.check_grad(misfit, 0.2, 1.0, *data)

    def objective(theta):
        value, (nu_bar, amplitude_bar) = value_and_grad(float(theta[0]), float(theta[1]), *data)
        return value, np.array([nu_bar, amplitude_bar])

    bounds = [(1e-3, 0.25), (0.1, 3.0)]
    found = minimize(objective, [0.2, 1.0], jac=True, method="L-BFGS-B", bounds=bounds, tol=1e-15)
    print("viscosity, amplitude:", found.x.round(5), "after", found.nfev, "calls")
    assert np.allclose(found.x, [0.12, 1.3], atol=1e-3)


if __name__ == "__main__":
    main()
