def primal_grad(params, x, t):
    items = params[:-1]
    x_saved = []
    for w, b in items:
        x_saved.append(x)
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    difference = x @ w + b - t
    value = np.mean(difference**2)

    difference_bar = 2.0 / difference.size * difference
    x_bar = difference_bar @ w.T
    params_bar = [None] * len(params)
    params_bar[-1] = (x.T @ difference_bar, np.sum(difference_bar, axis=0))
    items_bar = [None] * len(items)
    for k in reversed(range(len(items))):
        w = items[k][0]
        x_next = x
        x = x_saved.pop()
        sum_bar = x_bar * (1.0 - x_next * x_next)
        x_bar = sum_bar @ w.T
        items_bar[k] = (x.T @ sum_bar, np.sum(sum_bar, axis=0))
    params_bar[:-1] = items_bar
    return value, params_bar
