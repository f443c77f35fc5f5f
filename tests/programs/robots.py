"""Control and motion: filters, controllers, arms, vehicles, planners, in an engineer's style."""

import collections
import dataclasses
import enum
import itertools
import math
import types
from typing import NamedTuple

import numpy as np

from programs.registry import normal, positive, program, spd, using


class State(NamedTuple):
    """Position, heading and speed of a car."""

    x: float
    y: float
    heading: float
    speed: float


def _drive(state, command, dt):
    turn, push = command
    return state._replace(
        x=state.x + dt * state.speed * math.cos(state.heading),
        y=state.y + dt * state.speed * math.sin(state.heading),
        heading=state.heading + dt * turn,
        speed=state.speed + dt * push,
    )


@program(normal(8, 2), second=True)
def car_along_waypoints(commands):
    goals = collections.deque([(0.5, 0.0), (1.0, 0.2), (1.5, -0.3)])
    state = State(0.0, 0.0, 0.1, 1.0)
    cost = 0.0
    for turn, push in commands:
        state = _drive(state, (turn, push), 0.1)
        goal = goals[0]
        distance = math.hypot(state.x - goal[0], state.y - goal[1])
        cost += distance**2 + 1e-2 * (turn**2 + push**2)
        if distance < 0.35 and len(goals) > 1:
            goals.popleft()
    return cost + 0.1 * state.heading**2


@dataclasses.dataclass
class Pid:
    """A controller with memory."""

    p: float
    i: float
    d: float
    total: float = 0.0
    last: float | None = None
    history: list = dataclasses.field(default_factory=list)

    def __call__(self, error, dt):
        self.total += error * dt
        slope = 0.0 if self.last is None else (error - self.last) / dt
        self.last = error
        push = self.p * error + self.i * self.total + self.d * slope
        push = min(max(push, -3.0), 3.0)
        self.history.append(push)
        return push


@program(positive(3), 25, second=True)
def pid_on_a_cart(gains, steps):
    controller = Pid(*gains)
    position, velocity, dt = 0.0, 0.0, 0.05
    for _ in range(steps):
        force = controller(1.0 - position, dt)
        velocity += dt * (force - 0.4 * velocity)
        position += dt * velocity
    return (position - 1.0) ** 2 + 1e-3 * sum(u * u for u in controller.history)


@program(normal(3), positive(3), second=True)
def planar_arm(angles, lengths):
    joints = itertools.accumulate(angles)
    x = y = 0.0
    for total, length in zip(joints, lengths, strict=True):
        x, y = x + length * np.cos(total), y + length * np.sin(total)
    return (x - 0.7) ** 2 + (y - 0.2) ** 2


@program(normal(4), using(lambda rng: [rng.normal(size=3) for _ in range(5)]), second=True)
def points_in_a_rotated_frame(q, points):
    w, *v = q / np.linalg.norm(q)
    v = np.array(v)

    def rotate(p):
        t = 2.0 * np.cross(v, p)
        return p + w * t + np.cross(v, t)

    moved = [*map(rotate, points)]
    return sum(abs(p[0]) + p[1] * p[2] for p in moved)


@program(normal(4, 2), spd(2), positive(2), second=True)
def kalman_as_a_class(measurements, noise, drift):
    class_ = _Kalman
    tracker = class_(np.zeros(2), np.eye(2), noise)
    surprise = 0.0
    for z in measurements:
        tracker.predict(drift)
        surprise = surprise + tracker.update(z)
    return surprise + np.trace(tracker.covariance)


class _Kalman:
    def __init__(self, mean, covariance, noise):
        self.mean, self.covariance, self.noise = mean, covariance, noise

    def predict(self, drift):
        f = np.array([[1.0, 0.1], [0.0, 1.0]])
        self.mean = f @ self.mean + 0.1 * drift
        self.covariance = f @ self.covariance @ f.T + 0.01 * np.eye(2)

    def update(self, z):
        innovation = z - self.mean
        s = self.covariance + self.noise
        gain = np.linalg.solve(s, self.covariance).T
        self.mean = self.mean + gain @ innovation
        self.covariance = (np.eye(2) - gain) @ self.covariance
        sign, logdet = np.linalg.slogdet(s)
        return 0.5 * (innovation @ np.linalg.solve(s, innovation) + logdet)


@program(positive(2), normal(6), second=True)
def riccati_until_it_settles(weights, gust):
    a, b = np.array([[1.0, 0.1], [-0.2, 0.9]]), np.array([[0.0], [0.1]])
    q, r = np.diag(weights), np.array([[0.5]])
    p = q
    for _ in range(200):
        gain = np.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
        new = q + a.T @ p @ (a - b @ gain)
        change = np.max(np.abs(new - p))
        p = new
        if change < 1e-11:
            break
    state, cost = np.array([1.0, -0.5]), 0.0
    for g in gust:
        u = -gain @ state
        cost += state @ q @ state + u @ r @ u
        state = a @ state + b @ u + 0.01 * g
    return cost


@program(normal(6), positive(2), second=True)
def double_pendulum(start, masses):
    m1, m2 = masses
    g = 9.81

    def slope(t, s):
        a1, a2, w1, w2 = s[0], s[1], s[2], s[3]
        c, k = np.cos(a1 - a2), np.sin(a1 - a2)
        mass = np.array([[m1 + m2, m2 * c], [m2 * c, m2]])
        force = np.array(
            [
                -m2 * w2**2 * k - (m1 + m2) * g * np.sin(a1),
                m2 * w1**2 * k - m2 * g * np.sin(a2) + 0.0 * t,
            ]
        )
        return np.concatenate([s[2:4], np.linalg.solve(mass, force)])

    s, h = 0.3 * start[:4], 0.02
    for n in range(5):
        k1 = slope(n * h, s)
        k2 = slope(n * h + h / 2, s + h / 2 * k1)
        s = s + h * k2
    return s @ s + start[4] * start[5]


class Gait(enum.Enum):
    """What a leg does."""

    STANCE = 1
    SWING = 2


@program(normal(12), positive(), second=True)
def legged_phase_machine(load, stiffness):
    gait, height, effort = Gait.STANCE, 1.0, 0.0
    counts = collections.Counter()
    for force in load:
        counts[gait.name] += 1
        if gait is Gait.STANCE:
            effort += stiffness * force**2 * height
            height *= 0.95
            if force < -0.2:
                gait = Gait.SWING
        else:
            effort += 0.1 * abs(force) * stiffness
            height += 0.08 * force
            if force > 0.3:
                gait = Gait.STANCE
    return effort * height + 0.01 * counts["STANCE"]


@program(normal(3, 2), positive(), second=True)
def potential_field_planner(obstacles, strength):
    place = np.array([-2.0, 0.1])
    goal = np.array([2.0, 0.0])
    path = [place]
    for _ in range(15):
        pull = (goal - place) / (1.0 + np.linalg.norm(goal - place))
        push = np.zeros(2)
        for centre in obstacles:
            away = place - (centre * 0.3 + np.array([0.0, 1.0]))
            d2 = away @ away + 0.3
            push += strength * away / d2**2
        place = place + 0.2 * (pull + 0.1 * push)
        path.append(place)
    steps = [b - a for a, b in itertools.pairwise(path)]
    return sum(s @ s for s in steps) + (path[-1] - goal) @ (path[-1] - goal)


@program(normal(5), positive(5), second=True)
def landmark_factors(poses, weights):
    graph = {
        "prior": [(0, 0.1)],
        "odometry": [(0, 1, 0.4), (1, 2, 0.5), (2, 3, -0.1), (3, 4, 0.2)],
        "loop": [(0, 4, 1.0)],
    }
    cost = 0.0
    for kind, factors in graph.items():
        for factor in factors:
            match kind:
                case "prior":
                    i, value = factor
                    r = poses[i] - value
                case "odometry":
                    i, j, value = factor
                    r = poses[j] - poses[i] - value
                case _:
                    i, j, value = factor
                    r = np.tanh(poses[j] - poses[i] - value)
            cost += weights[i] * r * r
    return cost


@program(normal(3), normal(7))
def inertial_dead_reckoning(bias, readings):
    config = types.SimpleNamespace(dt=0.1, gravity=9.81)
    velocity, position = np.zeros(3), np.zeros(3)

    def integrate(acceleration):
        nonlocal velocity, position
        velocity = velocity + config.dt * (acceleration - bias)
        position = position + config.dt * velocity

    for k, r in enumerate(readings, start=1):
        integrate(np.array([r, np.sin(0.1 * k), config.gravity - 9.8]))
    return position @ position + velocity[2]


@program(normal(2), 12, second=True)
def iterated_inverse_kinematics(target, most):
    def reach(q):
        return np.array(
            [np.cos(q[0]) + 0.7 * np.cos(q[0] + q[1]), np.sin(q[0]) + 0.7 * np.sin(q[0] + q[1])]
        )

    goal = np.array([0.9, 0.8]) + 0.05 * target
    q = np.array([0.4, 0.6])
    n = 0
    while (miss := goal - reach(q)) @ miss > 1e-12 and n < most:
        s1, s12 = np.sin(q[0]), np.sin(q[0] + q[1])
        c1, c12 = np.cos(q[0]), np.cos(q[0] + q[1])
        jacobian = np.array([[-s1 - 0.7 * s12, -0.7 * s12], [c1 + 0.7 * c12, 0.7 * c12]])
        damped = jacobian.T @ jacobian + 1e-3 * np.eye(2)
        q = q + np.linalg.solve(damped, jacobian.T @ miss)
        n += 1
    return q @ q


@program(normal(4), positive(4), second=True)
def compose_of_transforms(angles, scales):
    def turn(angle):
        c, s = np.cos(angle), np.sin(angle)
        return lambda m: m @ np.array([[c, -s], [s, c]])

    def stretch(scale):
        return lambda m: m * scale

    total = np.eye(2)
    for a, b in zip(angles, scales, strict=True):
        for step in (turn(a), stretch(b)):
            total = step(total)
    return total[0, 0] + 2.0 * total[0, 1] - total[1, 0] * total[1, 1]


def _hamilton(a, b):
    (w, *u), (z, *v) = a, b
    u, v = np.array(u), np.array(v)
    return (w * z - u @ v, *(w * v + z * u + np.cross(u, v)))


@program(normal(6), second=True)
def turned_by_a_quaternion(x):
    axis = x[1:4] / np.linalg.norm(x[1:4])
    q = (np.cos(x[0]), *(np.sin(x[0]) * axis))
    back = (q[0], *(-c for c in q[1:]))
    turned = _hamilton(_hamilton(q, (0.0, *x[3:])), back)
    return turned[1] * 2 + turned[2] ** 2 + sum(turned)
