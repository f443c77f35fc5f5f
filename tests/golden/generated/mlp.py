def primal_grad(params, images, labels):
    hidden = np.tanh(images @ params["w1"] + params["b1"])
    logits = hidden @ params["w2"] + params["b2"]
    max_logits = np.max(logits, axis=1, keepdims=True)
    logits_2 = logits - max_logits
    exp = np.exp(logits_2)
    total_exp = np.sum(exp, axis=1)
    log_norm = np.log(total_exp)
    picked = logits_2[np.arange(len(labels)), labels]
    value = np.mean(log_norm - picked)

    difference_bar = 1.0 / images.shape[0]
    logits_bar = np.zeros_like(logits_2)
    logits_bar[np.arange(len(labels)), labels] -= difference_bar
    logits_bar += (difference_bar / total_exp)[:, None] * exp
    attained = logits == max_logits
    logits_bar -= (
        attained
        * (
            np.sum(logits_bar, axis=1, keepdims=True)
            / np.sum(attained, axis=1, keepdims=True)
        )
    )
    sum_bar = logits_bar @ params["w2"].T * (1.0 - hidden * hidden)
    return value, {
        "w1": images.T @ sum_bar,
        "b1": np.sum(sum_bar, axis=0),
        "w2": hidden.T @ logits_bar,
        "b2": np.sum(logits_bar, axis=0),
    }
