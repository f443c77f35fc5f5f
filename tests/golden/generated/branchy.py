def primal_grad(x, limit):
    total = 0.0
    total_saved = []
    trips = len(x)
    for i in range(len(x)):
        if x[i] < 0.0:
            continue
        if total > limit:
            trips = i
            break
        total_saved.append(total)
        total = total * 0.5 + x[i] * total + x[i] ** 2
    value = total

    total_bar = 1.0
    x_bar = np.zeros_like(x)
    for i in reversed(range(trips)):
        if not x[i] < 0.0:
            total = total_saved.pop()
            x_bar[i] += total_bar * total + 2.0 * total_bar * x[i]
            total_bar = 0.5 * total_bar + total_bar * x[i]
    return value, x_bar
