def primal_grad(u0, nu, dt, dx, steps):
    u = u0.copy()
    u_saved = np.empty((max(steps, 0), u0.shape[0] - 2))
    for k in range(steps):
        advection = u[1:-1] * (u[2:] - u[:-2]) / (2.0 * dx)
        diffusion = nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u_saved[k] = u[1:-1]
        u[1:-1] += dt * (diffusion - advection)
    value = np.sum(u**2)

    u_bar = 2.0 * u
    nu_bar = 0.0
    for k in reversed(range(steps)):
        u[1:-1] = u_saved[k]
        difference_bar = u_bar[1:-1] * dt
        product_bar = difference_bar / dx**2
        sum_bar = product_bar * nu
        nu_bar += np.sum(product_bar * (u[2:] - 2.0 * u[1:-1] + u[:-2]))
        u_bar[2:] += sum_bar
        u_bar[1:-1] -= 2.0 * sum_bar
        u_bar[:-2] += sum_bar
        product_bar = -difference_bar / (2.0 * dx)
        difference_bar = product_bar * u[1:-1]
        u_bar[1:-1] += product_bar * (u[2:] - u[:-2])
        u_bar[2:] += difference_bar
        u_bar[:-2] -= difference_bar
    return value, (u_bar, nu_bar)
