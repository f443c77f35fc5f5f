"""Methods, `__call__`, static and class methods, properties, inheritance, operators."""

import numpy as np

from programs._library import Spring
from programs.registry import normal, positive, program, register, using


class Model:
    """Parameters in attributes, several kinds of methods."""

    power = 2

    def __init__(self, weights, bias):
        self.weights = weights
        self.bias = bias
        self.history = []

    def predict(self, x):
        return np.tanh(x @ self.weights + self.bias)

    def loss(self, x, y):
        return np.sum((self.predict(x) - y) ** self.power)

    def __call__(self, x):
        return np.sum(self.predict(x) ** 2)

    @staticmethod
    def penalty(w, strength=0.1):
        return strength * np.sum(w * w)

    @classmethod
    def energy(cls, w):
        return np.sum(w**cls.power)

    @property
    def gain(self):
        return np.sum(self.weights)


MODEL = Model(np.array([[0.5, -0.3], [0.2, 0.8], [-0.6, 0.1]]), np.array([0.1, -0.2]))

register("classes.bound_method", MODEL.loss, normal(4, 3), normal(4, 2), wrt=(0, 1))
register("classes.callable_object", MODEL, normal(3))
register("classes.static_method", Model.penalty, normal(3))
register("classes.class_method", Model.energy, normal(3))


@program(normal(3))
def calls_methods(x):
    y = MODEL.predict(x)
    return np.sum(y) * MODEL.gain + Model.penalty(x) + MODEL.energy(y) + MODEL(x)


@program(normal(3, 2), normal(2), normal(3), wrt=(0, 1))
def object_built_inside(w, b, x):
    model = Model(w, b)
    return model.loss(x, np.zeros(2)) + model.penalty(model.weights)


@program(positive(), normal(3), wrt=(0, 1))
def object_from_other_module(k, lengths):
    spring = Spring(k, rest=0.5)
    s = 0.0
    for length in lengths:
        s += spring.energy(length)
    return s


class Activation:
    """A base class."""

    slope = 0.3

    def apply(self, x):
        return self.inner(x) * self.slope

    def inner(self, x):
        return x


class Sine(Activation):
    """Overrides a method and calls the base."""

    def __init__(self, frequency):
        self.frequency = frequency

    def inner(self, x):
        return np.sin(self.frequency * x)

    def apply(self, x):
        return super().apply(x) + x


@program(normal(3), using(lambda rng: Sine(1.3)))
def inherited_method(x, activation):
    return np.sum(activation.apply(x) ** 2)


class Network:
    """Objects in a list, called in a loop."""

    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.apply(x)
        return x


@program(normal(3))
def objects_in_list(x):
    network = Network([Sine(0.7), Activation(), Sine(1.1)])
    return np.sum(network.forward(x))


class Integrator:
    """State that methods change."""

    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity

    def kick(self, force, dt):
        self.velocity = self.velocity + dt * force

    def drift(self, dt):
        self.position += dt * self.velocity

    def run(self, steps, dt):
        for _ in range(steps):
            self.kick(-np.sin(self.position), dt)
            self.drift(dt)
        return self


@program(normal(2), normal(2), wrt=(0, 1))
def stateful_object(q, p):
    system = Integrator(q.copy(), p)
    system.run(4, 0.2)
    return np.sum(system.position * system.velocity)


class Vector:
    """Operators of the user's own."""

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def dot(self, other):
        return self.x * other.x + self.y * other.y


@program(normal(4))
def operator_methods(v):
    a, b = Vector(v[0], v[1]), Vector(v[2], v[3])
    c = a + b * 2.0
    return c.dot(a) + c[0] * b[1]


@program(normal(3))
def method_stored_in_variable(x):
    f = MODEL.predict
    return np.sum(f(x) * f(2.0 * x))


@program(normal(3))
def attribute_chain(x):
    holder = Network([Sine(0.9)])
    holder.layers[0].frequency = x[0]
    return np.sum(holder.layers[0].apply(x))


class Counter:
    """`__len__`, `__iter__` over a list attribute and a default attribute."""

    def __init__(self, items):
        self.items = items

    def total(self):
        s = 0.0
        for item in self.items:
            s += item
        return s


@program(normal(3))
def list_attribute(x):
    counter = Counter([x[0]])
    counter.items.append(x[1] * x[2])
    counter.items[0] = counter.items[0] ** 2
    return counter.total() * counter.items[1]


@program(normal(3), using(lambda rng: Model(rng.normal(size=(3, 2)), rng.normal(size=2))))
def object_argument_inactive(x, model):
    return model.loss(x, model.bias) + model.gain * x[0]


@program(normal(3))
def getattr_with_constant(x):
    w = getattr(MODEL, "bias")  # noqa: B009
    flag = hasattr(MODEL, "history")
    return np.sum(x[:2] * w) ** 2 + (x[2] ** 2 if flag else x[0])


class Quantity:
    """Python calls most of these methods by itself."""

    def __init__(self, v):
        self.v = v

    def __abs__(self):
        return np.sqrt(np.sum(self.v**2))

    def __float__(self):
        return float(self.v[0] * 2)

    def __bool__(self):
        return bool(self.v[0] > 0)

    def __contains__(self, k):
        return k == 2

    def __invert__(self):
        return Quantity(self.v[::-1])

    def __pow__(self, k):
        return Quantity(self.v**k)

    def __truediv__(self, other):
        return Quantity(self.v / other.v)

    def __rtruediv__(self, other):
        return Quantity(other / self.v)

    def __iadd__(self, other):
        self.v = self.v + other
        return self

    def __lt__(self, other):
        return self.v[0] < other.v[0]


@program(positive(4), second=True)
def special_methods(x):
    c = Quantity(x)
    d = (~c) ** 2 / c
    d += x[0]
    e = 1 / d
    nearest = min(c, e, key=abs)
    s = abs(c) + float(c) + (x[0] if c else 0.0) + (1.0 if 2 in c else x[1])
    return s * np.sum(e.v) + (d.v[0] if c < d else x[1]) + nearest.v[1]


class _Table:
    """Private names: of a method, an attribute, a constant of the class, and a function inside."""

    __slope = 0.5

    def __init__(self, knots, values):
        self.__knots, self.values = knots, values
        self.steps = self.__differences()

    def __differences(self):
        def __scaled(d):
            return d * self.__slope

        return [__scaled(b - a) for a, b in zip(self.values[:-1], self.values[1:], strict=True)]

    def __place(self, t):
        return int(np.searchsorted(self.__knots, t)) - 1

    def at(self, t, *, __power=2):
        k = self.__place(t)
        return self.values[k] + (self.steps[k] * (t - self.__knots[k])) ** __power


class _Steeper(_Table):
    def at(self, t):
        __twice = super().at(t)
        return 2.0 * __twice + self._Table__slope


@program(normal(4), second=True)
def private_names(x):
    plain, steep = _Table([0.0, 1.0, 2.0, 3.0], x), _Steeper([0.0, 0.5, 2.5, 3.0], x * x)
    return plain.at(0.3) * steep.at(1.2) + plain.at(2.7) ** 2


class _Knots:
    """Refuses what it can't use, before it builds its lists."""

    def __init__(self, places, values):
        gaps = np.diff(places)
        if np.any(gaps < 0):
            raise ValueError("the places must grow")
        if len(places) != len(values):
            raise ValueError("a value for each place")
        self.values, self.slopes = [], []
        self.values = [v for v in values]
        for i in range(len(places) - 1):
            self.slopes.append((self.values[i + 1] - self.values[i]) / gaps[i])


def _iterated(f, x, tolerance):
    y = f(x)
    if y == 0.0:
        return x
    for _ in range(50):
        new = 0.5 * (x + y / x)
        if np.isnan(new):
            raise FloatingPointError("no number")
        if abs(new - x) < tolerance:
            return new
        if new == x:
            tolerance *= 2.0
            if new < 0.0:
                return new
            raise ValueError("no progress")
        x = new
    raise ValueError("too slow")


@program(positive(4), jit=True, second=True)
def raises_before_it_goes_on(x):
    knots = _Knots(np.arange(4.0), x)
    root = _iterated(lambda v: x[0] + x[1], x[2], 1e-9)
    return root * knots.slopes[1] + knots.values[2] * knots.slopes[0] ** 2


class _Length:
    """Declines what it does not know, so that Python asks the other object."""

    def __init__(self, v):
        self.v = v

    def __mul__(self, other):
        return _Length(self.v * other) if isinstance(other, float) else NotImplemented

    def __sub__(self, other):
        return _Length(self.v - other.v)

    def __eq__(self, other):
        return NotImplemented


class _Inch(_Length):
    def __rsub__(self, other):
        return _Inch(other.v * 2.0 - self.v)


class _Area:
    def __init__(self, v):
        self.v = v

    def __rmul__(self, other):
        return _Length(other.v + self.v)


@program(normal(3), jit=True, second=True)
def declined_operators(x):
    a, b, c = _Length(x[0]), _Inch(x[1] * x[2]), _Area(x[2] ** 2)
    total = (a * c).v * (a * 2.0).v
    total += (a - b).v * (b - a).v  # the subclass is asked first
    return total * (2.0 if a == a else 3.0) * (5.0 if a != b else 7.0)
