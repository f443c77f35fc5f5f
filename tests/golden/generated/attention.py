def primal_grad(wq, wk, wv, x):
    q, k, v = x @ wq, x @ wk, x @ wv
    sqrt = np.sqrt(k.shape[1])
    scores = q @ k.T / sqrt
    max_value_scores = scores.max(axis=1, keepdims=True)
    p = np.exp(scores - max_value_scores)
    total_p = p.sum(axis=1, keepdims=True)
    p_saved = p
    p = p / total_p
    product = p @ v
    value = np.mean(product**2)

    product_bar = 2.0 / product.size * product
    p_bar = product_bar @ v.T
    v_bar = p.T @ product_bar
    scaled_bar = p_bar / total_p
    p_bar = scaled_bar - np.sum(scaled_bar * p, axis=1, keepdims=True)
    difference_bar = p_bar * p_saved
    scores_bar = difference_bar
    attained = scores == max_value_scores
    scores_bar -= (
        attained
        * (
            np.sum(difference_bar, axis=1, keepdims=True)
            / np.sum(attained, axis=1, keepdims=True)
        )
    )
    product_bar = scores_bar / sqrt
    return value, (x.T @ (product_bar @ k), x.T @ (product_bar.T @ q), x.T @ v_bar)
