def primal_grad(a):
    x = a
    x_saved = []
    while abs(x * x - a) > 1e-12 * a:
        x_saved.append(x)
        x = 0.5 * (x + a / x)
    value = x

    x_bar = 1.0
    a_bar = 0.0
    while x_saved:
        x = x_saved.pop()
        sum_bar = 0.5 * x_bar
        scaled_bar = sum_bar / x
        a_bar += scaled_bar
        x_bar = sum_bar - scaled_bar * (a / x)
    a_bar += x_bar
    return value, a_bar
