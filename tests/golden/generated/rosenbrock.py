def primal_grad(x):
    # distance from the curved valley
    valley = x[1:] - x[:-1] ** 2
    slope = 1.0 - x[:-1]
    value = np.sum(100.0 * valley**2 + slope**2)

    valley_bar = 200.0 * valley
    x_bar = np.zeros_like(x)
    x_bar[:-1] -= 2.0 * slope
    x_bar[1:] += valley_bar
    x_bar[:-1] -= valley_bar * (2.0 * x[:-1])
    return value, x_bar
