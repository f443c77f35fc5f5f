def primal_grad(w, u, xs, h0):
    h = h0
    states = []
    h_saved = []
    for x in xs:
        h_saved.append(h)
        h = np.tanh(h @ w + x @ u)
        states.append(h)
    stack_states = np.stack(states)
    value = np.sum(stack_states**2)

    states_bar = unstack(2.0 * stack_states)
    w_bar = np.zeros_like(w)
    u_bar = np.zeros_like(u)
    h_bar = np.zeros_like(h)
    for x in reversed(xs):
        h_bar += states_bar.pop()
        h_next = h
        h = h_saved.pop()
        sum_bar = h_bar * (1.0 - h_next * h_next)
        w_bar += np.outer(h, sum_bar)
        u_bar += np.outer(x, sum_bar)
        h_bar = sum_bar @ w.T
    return value, (w_bar, u_bar)
