"""Subscripts that a mask selects: what lies inside of an image, cells that particles fall into."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program, using

PLACES = using(lambda rng: rng.integers(-2, 8, (5, 6)))
ROWS = using(lambda rng: rng.integers(-2, 8, 9))


@program(normal(5, 6), PLACES, PLACES, normal(5, 6), wrt=(0, 3), jit=True)
def shifted_image(image, x0, y0, weight):
    h, w = image.shape
    inside = (x0 >= 0) & (x0 < w) & (y0 >= 0) & (y0 < h)
    out = np.zeros_like(image)
    out[inside] += weight[inside] * image[y0[inside], x0[inside]]
    return np.sum(out**2)


@program(normal(5), ROWS, normal(9), wrt=(0, 2), jit=True)
def table_looked_up_where_it_reaches(table, rows, weight):
    known = (rows >= 0) & (rows < len(table))
    k = rows[known]
    out = np.zeros(len(weight))
    out[known] = weight[known] * table[k] + np.sin(table[k])
    return np.sum(out**2)


@program(normal(1), ROWS, normal(9), wrt=(0, 2), jit=True)
def table_of_one(table, rows, weight):
    known = (rows >= 0) & (rows < len(table))
    return np.sum(weight[known] * table[rows[known]]) + np.sum(weight)


@program(normal(0), ROWS, normal(9), wrt=(0, 2), jit=True)
def table_of_none(table, rows, weight):
    known = (rows >= 0) & (rows < len(table))
    return np.sum(weight[known] * table[rows[known]]) + np.sum(weight)


@program(using(lambda rng: rng.random(12) * 1.4 - 0.2), normal(12), wrt=(0, 1), jit=True)
def charges_on_a_grid(x, charge):
    rho = np.zeros(8)
    cell = np.floor(x * 8).astype(int)
    part = x * 8 - cell
    inside = (cell >= 0) & (cell < 7)
    np.add.at(rho, cell[inside], charge[inside] * (1 - part[inside]))
    np.add.at(rho, cell[inside] + 1, charge[inside] * part[inside])
    return np.sum(rho**2)


@program(normal(5, 6), PLACES, PLACES, normal(5, 6), wrt=(0, 3), jit=True)
def splats(image, x0, y0, weight):
    h, w = image.shape
    inside = (x0 >= 0) & (x0 < w) & (y0 >= 0) & (y0 < h)
    out = np.zeros_like(image)
    np.add.at(out, (y0[inside], x0[inside]), weight[inside] * image[inside])
    np.subtract.at(out, (y0[inside], x0[inside]), 0.5)
    return np.sum(out**2)


@program(using(lambda rng: rng.integers(0, 4, 9)), normal(9), wrt=1, jit=True)
def whole_numbers_that_are_selected(labels, x):
    chosen = labels > 1
    k = labels[chosen]
    return np.sum(x[chosen] * k) + k.sum() * x[0] + np.max(k) * x[1] + len(k)


@program(normal(7), ROWS, normal(9), wrt=(0, 2), jit=True)
def the_last_write_counts(table, rows, x):
    known = (rows >= 0) & (rows < len(table))
    out = table * 1.0
    out[rows[known]] += x[known]
    out[rows[known]] *= 1.5
    return np.sum(out**2)


@program(normal(7), ROWS, normal(9), wrt=(0, 2), jit=True)
def steep_where_nothing_is_selected(table, rows, x):
    known = (rows >= 0) & (rows < len(table)) & (x > 0.1)
    out = np.zeros(9)
    out[known] = np.sqrt(np.abs(table[rows[known]])) * np.log(x[known])
    return np.sum(out)


@program(normal(6, 6), normal(3), wrt=(0, 1), jit=True)
def turned_image(image, move):
    h, w = image.shape
    c, s = np.cos(0.2 + 0.01 * move[2]), np.sin(0.2 + 0.01 * move[2])
    yy, xx = np.mgrid[0:h, 0:w].astype(float)
    x = c * (xx - 2.5) - s * (yy - 2.5) + 2.5 + 0.3 * move[0]
    y = s * (xx - 2.5) + c * (yy - 2.5) + 2.5 + 0.3 * move[1]
    x0, y0 = np.floor(x).astype(int), np.floor(y).astype(int)
    fx, fy = x - x0, y - y0
    out = np.zeros_like(image)
    for dy in (0, 1):
        for dx in (0, 1):
            xi, yi = x0 + dx, y0 + dy
            inside = (xi >= 0) & (xi < w) & (yi >= 0) & (yi < h)
            weight = (fx if dx else 1 - fx) * (fy if dy else 1 - fy)
            out[inside] += weight[inside] * image[yi[inside], xi[inside]]
    return np.sum(out**2)


@program(normal(5), ROWS, normal(9), wrt=(0, 2), jit=True)
def complex_numbers_added(table, rows, x):
    known = (rows >= 0) & (rows < len(table))
    out = table * (1.0 + 0.5j)
    np.add.at(out, rows[known], 0.3j)
    np.add.at(out, rows[known], x[known])
    return np.sum(np.abs(out) ** 2)
