"""Simulations: bodies, fields, orbits, populations, control."""

import random

import numpy as np

from programs.registry import normal, positive, program


@program(normal(3, 2), normal(3, 2), positive(3), wrt=(0, 1, 2), jit=True)
def leapfrog_bodies(q, p, mass):
    def forces(q):
        f = np.zeros_like(q)
        for i in range(len(q)):
            for j in range(i + 1, len(q)):
                d = q[j] - q[i]
                r2 = d @ d + 0.3
                pull = mass[i] * mass[j] * d / r2**1.5
                f[i] += pull
                f[j] -= pull
        return f

    dt = 0.05
    p = p + 0.5 * dt * forces(q)
    for step in range(4):
        q = q + dt * p / mass[:, None]
        p = p + dt * forces(q) * (0.5 if step == 3 else 1.0)
    return np.sum(p**2 / mass[:, None]) + np.sum(q**2)


@program(normal(3, 4), normal(1, 4), wrt=(0, 1), jit=True)
def waves_that_come_back(h, u):
    for step in range(2):
        slope = np.roll(h, -1, axis=1) - np.roll(h, 1, axis=-1)
        u = np.roll(u, 1, 0) - 0.1 * slope * np.roll(h * u, -1, axis=0)
        h = np.roll(h[:, ::-1], 1, axis=0) + 0.1 * np.roll(np.sum(u, axis=0), 1)
        h = np.roll(h, 1, axis=1) if step == 0 else np.roll(h, 2, axis=1)
    return np.sum(h**2) + np.sum(u * np.roll(u, -1))


@program(normal(4), positive(4), np.array([0.7, 0.9]), wrt=(0, 1), jit=True)
def robot_arm(angles, lengths, goal):
    position = np.zeros(2)
    heading = 0.0
    for angle, length in zip(angles, lengths):
        heading += angle
        position = position + length * np.array([np.cos(heading), np.sin(heading)])
    return np.sum((position - goal) ** 2)


def rotation(axis, t):
    c, s = np.cos(t), np.sin(t)
    if axis == "x":
        return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    if axis == "y":
        return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def euler_angles(angles, v):
    for axis, t in zip("xyz", angles):
        v = rotation(axis, t) @ v
    return v[0] * v[1] + v[2] ** 2


def rk4_step(f, y, t, h):
    k1 = f(y, t)
    k2 = f(y + 0.5 * h * k1, t + 0.5 * h)
    k3 = f(y + 0.5 * h * k2, t + 0.5 * h)
    k4 = f(y + h * k3, t + h)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@program(positive(4), positive(2), wrt=(0, 1))
def lotka_volterra_rk4(rates, y):
    a, b, c, d = rates

    def field(y, t):
        prey, predator = y
        return np.array([a * prey - b * prey * predator, c * prey * predator - d * predator])

    for n in range(4):
        y = rk4_step(field, y, 0.1 * n, 0.1)
    return y[0] * y[1]


@program(normal(8), positive(), wrt=(0, 1), jit=True)
def wave_equation(u0, c):
    before = u0.copy()
    now = u0.copy()
    after = np.zeros_like(u0)
    for _ in range(5):
        after[1:-1] = (
            2.0 * now[1:-1] - before[1:-1] + 0.1 * c**2 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        )
        after[0] = 0.0
        after[-1] = 0.0
        before, now, after = now, after, before
    return np.sum(now**2)


@program(normal(5, 5), positive(), wrt=(0, 1), jit=True)
def heat_equation_2d(u, alpha):
    u = u.copy()
    for _ in range(3):
        lap = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += 0.1 * alpha * lap
        u[0] = u[1]
        u[:, -1] = 0.5 * u[:, -2]
    return np.sum(u**2)


@program(normal(4, 2), positive(), wrt=(0, 1), jit=True)
def lennard_jones(positions, sigma):
    energy = 0.0
    n = len(positions)
    for i in range(n):
        for j in range(i):
            r2 = np.sum((positions[i] - positions[j]) ** 2) + 1.0
            s6 = (sigma**2 / r2) ** 3
            energy += 4.0 * (s6**2 - s6)
    return energy


@program(positive(), normal(3), wrt=(0, 1), jit=True)
def sir_epidemic(beta, noise):
    s, i, r = 0.95, 0.05, 0.0
    peak = 0.0
    for day in range(12):
        new = 0.5 * beta * s * i
        recovered = 0.15 * i
        if day < 3:
            new = new * (1.0 + 0.1 * noise[day])
        s, i, r = s - new, i + new - recovered, r + recovered
        peak = max(peak, i)
    return peak + r


@program(positive(3), 0.4, wrt=(0, 1), jit=True)
def pid_controller(gains, target):
    kp, ki, kd = gains
    state = velocity = integral = 0.0
    previous = target - state
    cost = 0.0
    for _ in range(6):
        error = target - state
        integral += 0.1 * error
        force = kp * error + ki * integral + kd * (error - previous) / 0.1
        force = min(max(force, -2.0), 2.0)
        velocity += 0.1 * (force - 0.3 * velocity)
        state += 0.1 * velocity
        previous = error
        cost += error**2
    return cost


@program(positive(), positive(), wrt=(0, 1), jit=True)
def kepler_equation(mean_anomaly, e):
    e = 0.3 * e
    anomaly = mean_anomaly
    for _ in range(30):
        step = (anomaly - e * np.sin(anomaly) - mean_anomaly) / (1.0 - e * np.cos(anomaly))
        anomaly = anomaly - step
        if abs(step) < 1e-12:
            break
    return np.cos(anomaly) - e


@program(positive(3), positive(2, 3), wrt=(0, 1), jit=True)
def ray_refraction(indices, surfaces):
    height, angle = 0.2, 0.1
    n = 1.0
    for k, index in enumerate(indices):
        curvature, gap, tilt = surfaces[k % 2]
        normal_angle = np.arcsin(0.3 * height * curvature) + 0.1 * tilt
        inside = np.arcsin(n * np.sin(angle + normal_angle) / (index + 1.0))
        angle = inside - normal_angle
        height = height + gap * np.tan(angle)
        n = index + 1.0
    return height**2 + angle


@program(normal(2), 3, jit=True, second=True)
def fractal_orbit(c, steps):
    zr, zi = 0.0, 0.0
    for n in range(steps):
        zr, zi = zr * zr - zi * zi + 0.5 * c[0], 2.0 * zr * zi + 0.5 * c[1]
        if zr * zr + zi * zi > 16.0:
            break
    return np.log(1.0 + zr**2 + zi**2)


@program({"q": normal(2, 2), "r": positive(2)}, normal(2), positive())
def riccati_recursion(costs, x0, dt):
    a = np.array([[1.0, 0.2], [0.0, 1.0]])
    b = np.array([[0.0], [0.3]])
    q = costs["q"] @ costs["q"].T + np.eye(2)
    r = np.diag(costs["r"])[:1, :1]
    value = q
    for _ in range(4):
        gain = np.linalg.solve(r + b.T @ value @ b, b.T @ value @ a)
        value = q + a.T @ value @ (a - b @ gain)
    return x0 @ value @ x0 * dt


@program(normal(4, 2), jit=True)
def polygon_area_and_perimeter(points):
    area = 0.0
    perimeter = 0.0
    n = len(points)
    for i in range(n):
        x0, y0 = points[i]
        x1, y1 = points[(i + 1) % n]
        area += x0 * y1 - x1 * y0
        perimeter += np.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    return 0.5 * area * perimeter


@program(normal(4), second=True)
def triangles_drawn_and_rows_permuted(x):
    rng = np.random.default_rng(3)
    drawn = rng.triangular(-4 + x[0], 0.1 * x[1], 4 + x[2], size=(2, 3))
    rows = np.outer(x, x)
    rng.permuted(rows, axis=1, out=rows)
    mixed = rng.permuted(x)
    legacy = np.random.RandomState(1).triangular(-5, x[:2], 5)
    return np.sum(drawn**2) + rows[0] @ x + mixed[0] * mixed[1] + np.sum(legacy)


@program(normal(3))
def triangles_drawn_by_python(x):
    rng = random.Random(5)
    sides = [rng.triangular(-3 + x[0], 3 + x[1], 0.2 * x[2]) for _ in range(4)]
    return sum(sides) * rng.triangular(x[0], 5)
