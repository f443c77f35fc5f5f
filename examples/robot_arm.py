"""Inverse kinematics: the joint angles that bring a robot arm's hand to a point."""

from dataclasses import dataclass

import numpy as np

import s2sgrad


@dataclass
class Arm:
    lengths: np.ndarray
    limit: float

    def hand(self, angles):
        """Where the hand is: each joint turns everything that follows it."""
        x, y, direction = 0.0, 0.0, 0.0
        for length, angle in zip(self.lengths, angles, strict=True):
            direction += angle
            x += length * np.cos(direction)
            y += length * np.sin(direction)
        return x, y


def miss(angles, arm, target):
    """Squared distance to the target, and a price for bending a joint past its limit."""
    x, y = arm.hand(angles)
    price = 0.0
    for angle in angles:
        if abs(angle) > arm.limit:
            price += (abs(angle) - arm.limit) ** 2
    return (x - target[0]) ** 2 + (y - target[1]) ** 2 + price


def main():
    arm = Arm(lengths=np.array([1.0, 0.8, 0.6, 0.4]), limit=1.2)
    angles = np.full(4, 0.1)
    target = (0.3, 1.7)

    gradient = s2sgrad.grad(miss)
    print(gradient.source(angles, arm, target))
    s2sgrad.check_grad(miss, angles, arm, target)

    for _ in range(400):
        angles = angles - 0.05 * gradient(angles, arm, target)
    x, y = arm.hand(angles)
    print(f"hand at ({x:.5f}, {y:.5f}), angles {angles.round(3)}")
    assert np.hypot(x - target[0], y - target[1]) < 1e-3


if __name__ == "__main__":
    main()
