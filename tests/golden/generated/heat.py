def primal_grad(u, kappa, steps):
    difference_saved = []
    for _ in range(steps):
        new = u.copy()
        difference = (
            u[2:, 1:-1]
            + u[:-2, 1:-1]
            + u[1:-1, 2:]
            + u[1:-1, :-2]
            - 4.0 * u[1:-1, 1:-1]
        )
        difference_saved.append(difference)
        new[1:-1, 1:-1] = u[1:-1, 1:-1] + kappa * difference
        new[0, :] = new[1, :]
        u = new
    value = np.sum(u**2)

    u_bar = 2.0 * u
    kappa_bar = 0.0
    for _ in reversed(range(steps)):
        difference = difference_saved.pop()
        new_bar = u_bar
        new_part_bar = new_bar[0, :].copy()
        new_bar[0, :] = 0.0
        new_bar[1, :] += new_part_bar
        sum_bar = new_bar[1:-1, 1:-1].copy()
        u_bar = np.zeros_like(u)
        u_bar[1:-1, 1:-1] += sum_bar
        kappa_bar += np.sum(sum_bar * difference)
        difference_bar = sum_bar * kappa
        new_bar[1:-1, 1:-1] = 0.0
        u_bar[2:, 1:-1] += difference_bar
        u_bar[:-2, 1:-1] += difference_bar
        u_bar[1:-1, 2:] += difference_bar
        u_bar[1:-1, :-2] += difference_bar
        u_bar[1:-1, 1:-1] -= 4.0 * difference_bar
        u_bar += new_bar
    return value, (u_bar, kappa_bar)
