"""A textbook Cholesky factorisation that overwrites its matrix, differentiated as it stands.

Used for the log-likelihood of a Gaussian process, whose length scale is then fitted.
"""

import numpy as np

import s2sgrad


def cholesky(a):
    n = a.shape[0]
    L = np.tril(a)
    for j in range(n):
        for k in range(j):
            for i in range(j, n):
                L[i, j] -= L[i, k] * L[j, k]
        L[j, j] = np.sqrt(L[j, j])
        for i in range(j + 1, n):
            L[i, j] /= L[j, j]
    return L


def forward_substitution(L, y):
    z = np.zeros(len(y))
    for i in range(len(y)):
        z[i] = (y[i] - L[i, :i] @ z[:i]) / L[i, i]
    return z


def negative_log_likelihood(log_scale, x, y):
    """Of a Gaussian process with a squared-exponential kernel and noise 0.1."""
    distance = (x[:, None] - x[None, :]) / np.exp(log_scale)
    covariance = np.exp(-0.5 * distance**2) + 0.01 * np.eye(len(x))
    L = cholesky(covariance)
    z = forward_substitution(L, y)
    return 0.5 * np.sum(z**2) + np.sum(np.log(np.diag(L)))


def main():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0.0, 6.0, 12))
    y = np.sin(x) + 0.1 * rng.normal(size=x.size)

    nll_and_grad = s2sgrad.value_and_grad(negative_log_likelihood)
    print(nll_and_grad.source(0.0, x, y))
    s2sgrad.check_grad(negative_log_likelihood, 0.0, x, y)

    # a bisection on the sign of the derivative
    low, high = -2.0, 2.0
    while high - low > 1e-8:
        middle = 0.5 * (low + high)
        _, slope = nll_and_grad(middle, x, y)
        low, high = (middle, high) if slope < 0 else (low, middle)
    print("most likely length scale:", round(float(np.exp(low)), 4))
    assert abs(nll_and_grad(low, x, y)[1]) < 1e-5


if __name__ == "__main__":
    main()
