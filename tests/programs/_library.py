"""Subroutines in another module; some names clash with those of functions.py on purpose."""

import numpy as np

SCALE = 3.0


def helper(x):
    """The same name as functions.helper, another meaning."""
    return SCALE * np.cos(x)


def layer(params, x):
    """One dense layer; calls a private name that functions.py has as well."""
    return _activate(x @ params["w"] + params["b"])


def _activate(z):
    return np.maximum(z, 0.1 * z)


def apply_twice(function, x):
    """A function argument, called here."""
    return function(function(x))


def normalise(x, eps=1e-3):
    """Several statements, a default and a local named like the caller's."""
    y = x - np.mean(x)
    scale = np.sqrt(np.mean(y**2) + eps)
    return y / scale


class Spring:
    """A class with a constructor and a method."""

    def __init__(self, stiffness, rest=1.0):
        self.stiffness = stiffness
        self.rest = rest

    def energy(self, length):
        return 0.5 * self.stiffness * (length - self.rest) ** 2
