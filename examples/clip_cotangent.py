"""Look at and change a cotangent on its way: clip it where a recurrence would make it explode."""

import numpy as np

import s2sgrad


def final_state(x0, growth, steps):
    """A chaotic map: its derivative grows with every step."""
    x = x0
    for _ in range(steps):
        x = growth * x * (1.0 - x)
    return np.sum(x)


def final_state_clipped(x0, growth, steps):
    x = x0
    for _ in range(steps):
        x = growth * x * (1.0 - x)
        with s2sgrad.cotangent(x) as x_bar:
            x_bar = np.clip(x_bar, -1.0, 1.0)
    return np.sum(x)


def main():
    x0 = np.array([0.1, 0.345, 0.7])
    clipped = s2sgrad.grad(final_state_clipped)
    print(clipped.source(x0, 3.9, 40))
    wild = s2sgrad.grad(final_state)(x0, 3.9, 40)
    tame = clipped(x0, 3.9, 40)
    print("without clipping:", wild)
    print("with clipping:   ", tame)
    assert final_state(x0, 3.9, 40) == final_state_clipped(x0, 3.9, 40)
    assert np.max(np.abs(wild)) > 1e3
    assert np.max(np.abs(tame)) <= 3.9


if __name__ == "__main__":
    main()
