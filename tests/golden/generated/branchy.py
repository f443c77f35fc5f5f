def primal_grad(x, limit):
    total = 0.0
    total_saved = []
    branch_saved = []
    trips = 0
    for i in range(len(x)):
        trips += 1
        if x[i] < 0.0:
            continue
        branch = total > limit
        branch_saved.append(branch)
        if branch:
            break
        total_saved.append(total)
        total = total * 0.5 + x[i] * total + x[i] ** 2
    value = total

    total_bar = 1.0
    x_bar = np.zeros_like(x)
    for i in reversed(range(trips)):
        if not x[i] < 0.0 and not branch_saved.pop():
            total = total_saved.pop()
            x_bar[i] += total_bar * total + total_bar * (2.0 * x[i])
            total_bar = 0.5 * total_bar + total_bar * x[i]
    return value, x_bar
