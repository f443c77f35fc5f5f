"""A while loop whose trip count depends on the data: one stack, one counter, a reversed loop."""


def primal(a):
    """sqrt(a) by Newton's method."""
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def target(a):
    """a: float64. Returns the value and a_bar: float64."""
    x_saved = []
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x_saved.append(x)
        x = 0.5 * (x + a / x)
    value = x

    x_bar = 1.0
    a_bar = 0.0
    while x_saved:
        x = x_saved.pop()
        sum_bar = 0.5 * x_bar
        a_bar += sum_bar / x
        x_bar = sum_bar - sum_bar * a / (x * x)
    a_bar += x_bar
    return value, a_bar


def arguments(rng):
    return (rng.uniform(2.0, 9.0),)


wrt = (0,)
