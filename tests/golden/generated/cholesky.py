def primal_grad(a):
    n = a.shape[0]
    L = np.tril(a)
    for j in range(n):
        for k in range(j):
            for i in range(j, n):
                L[i, j] -= L[i, k] * L[j, k]
        L[j, j] = np.sqrt(L[j, j])
        for i in range(j + 1, n):
            L[i, j] /= L[j, j]
    product = L * L
    value = np.sum(product * L)

    L_bar = product + 2.0 * L * L
    for j in reversed(range(n)):
        for i in reversed(range(j + 1, n)):
            scaled_bar = L_bar[i, j] / L[j, j]
            L_bar[i, j] = scaled_bar
            L_bar[j, j] -= scaled_bar * L[i, j]
        L_bar[j, j] = 0.5 * L_bar[j, j] / L[j, j]
        for k in reversed(range(j)):
            for i in reversed(range(j, n)):
                product_bar = -L_bar[i, j]
                L_bar[i, k] += product_bar * L[j, k]
                L_bar[j, k] += product_bar * L[i, k]
    return value, np.tril(L_bar)
