def primal_grad(spot, strike, rate, sigma, n):
    dt = 1.0 / n
    sqrt_dt = np.sqrt(dt)
    up = np.exp(sigma * sqrt_dt)
    down = 1.0 / up
    p = (np.exp(rate * dt) - down) / (up - down)
    discount = np.exp(-rate * dt)
    power = up ** np.arange(n, -n - 1, -2)
    prices = spot * power
    difference = strike - prices
    v = np.maximum(difference, 0.0)
    v_saved = []
    product_saved = []
    prices_saved = []
    for _ in range(n):
        prices_saved.append(prices)
        prices = prices[:-1] * down
        product = discount * (p * v[:-1] + (1.0 - p) * v[1:])
        product_saved.append(product)
        v_saved.append(v)
        v = np.maximum(product, strike - prices)
    value = v[0]

    v_bar = np.zeros_like(v)
    v_bar[0] += 1.0
    p_bar = 0.0
    prices_bar = np.zeros_like(prices)
    down_bar = 0.0
    for _ in reversed(range(n)):
        product = product_saved.pop()
        v = v_saved.pop()
        prices_bar = (
            prices_bar
            - np.where(
                strike - prices < product,
                0.0,
                np.where(product == strike - prices, 0.5 * v_bar, v_bar),
            )
        )
        sum_bar = (
            np.where(
                product < strike - prices,
                0.0,
                np.where(product == strike - prices, 0.5 * v_bar, v_bar),
            )
            * discount
        )
        p_bar += (
            np.sum(masked(sum_bar * v[:-1], sum_bar))
            - np.sum(masked(sum_bar * v[1:], sum_bar))
        )
        v_bar = np.zeros_like(v)
        v_bar[:-1] += sum_bar * p
        v_bar[1:] += sum_bar * (1.0 - p)
        prices = prices_saved.pop()
        prices_next_bar = prices_bar
        prices_bar = np.zeros_like(prices)
        prices_bar[:-1] += prices_next_bar * down
        down_bar += np.sum(masked(prices_next_bar * prices[:-1], prices_next_bar))
    prices_bar = (
        prices_bar
        - np.where(
            difference < 0.0, 0.0, np.where(difference == 0.0, 0.5 * v_bar, v_bar)
        )
    )
    power_bar = prices_bar * spot
    up_bar = np.sum(
        masked(power_bar_base(power_bar, up, np.arange(n, -n - 1, -2)), power_bar)
    )
    scaled_bar = p_bar / (up - down)
    difference_bar = masked(-scaled_bar * p, p_bar)
    down_bar += masked(-scaled_bar, p_bar) - difference_bar
    up_bar += difference_bar
    up_bar += masked(-down_bar * down * down, down_bar)
    return value, (
        np.sum(masked(prices_bar * power, prices_bar)),
        masked(up_bar * up * sqrt_dt, up_bar),
    )
