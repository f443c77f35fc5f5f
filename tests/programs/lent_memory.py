"""Constants read through other objects on the same memory, and changed after they were read."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def mask_as_bytes(y, z):
    bits = np.array([1, 0, 0, 0], dtype=np.uint8)
    mask = bits.view(bool)
    v = np.sin(y[mask])
    bits[1:3] = 1
    return np.sum(y[mask] * v * z[mask])


@program(normal(3), second=True)
def places_of_another_kind(y):
    places = np.array([0, 1, 2])
    unsigned = places.view(np.uint64)
    v = y[unsigned] ** 2
    places[0] = 2
    return np.sum(v * y[unsigned])


@program(normal(3), second=True)
def places_in_a_buffer(y):
    memory = np.zeros(16, dtype=np.uint8)
    places = np.frombuffer(memory, dtype=np.int64)
    v = np.exp(y[places])
    memory[0] = 2
    total = np.sum(v * y[places])
    memory[8] = 1
    return total + np.sum(y[places] ** 3)


@program(normal(3), second=True)
def places_on_a_buffer(y):
    first = np.array([0, 1, 2])
    places = np.ndarray((3,), dtype=first.dtype, buffer=first)
    v = np.exp(y[places])
    first[0] = 2
    return np.sum(v * y[places])
