"""Objects that are dicts, and the dict of an object's attributes."""

import numpy as np

from programs.registry import normal, program


class Options(dict):
    """Its entries are its attributes, by `__getattr__`."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value

    @property
    def scale(self):
        return 2.0 * self.gain

    def total(self):
        return sum(np.sum(v) for v in self.values())


class Bunch(dict):
    """Its entries are its attributes: they are one dict."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


class Held:
    def __init__(self, value, free=True):
        self.value, self.free = value, free


class Settings(dict):
    defaults = {"rate": 0.1}
    __setattr__ = dict.__setitem__
    __getattr__ = dict.__getitem__

    def __init__(self, **given):
        super().__init__(self.defaults)
        self.update(given)

    def add(self, name, value, free=True):
        self[name] = Held(value, free)

    def free_ones(self):
        return {k: p.value for k, p in self.items() if k != "rate" and p.free}


class Model:
    def __init__(self, x, **given):
        self.__dict__.update(given, x=x)
        vars(self).setdefault("rate", 0.3)

    def scaled(self, c):
        return Model(**{k: c * v for k, v in vars(self).items()})


@program(Options(gain=0.7, w=np.array([0.3, -0.8]), inner=Options(k=1.2)), normal(2))
def options_by_attributes(p, x):
    state = Options(at=x * p.inner.k, speed=p["w"], t=0.0)
    for _ in range(3):
        state.speed = state.speed - 0.1 * np.sin(state.at)
        state["at"] = state.at + p.scale * state.speed
        if state.at[0] > 0.5:
            state.t += state.speed[0]
    return state.total() * p.gain + len(state) * state["t"]


@program(normal(4))
def attributes_by_entries(x):
    both = Bunch({"a": x[0]}, b=x[1:3])
    both.c = both["a"] * both.b
    both["d"] = both.c * 2.0
    settings = Settings(rate=0.2)
    settings.add("amplitude", both.a)
    settings.add("centre", x[3], free="c" not in both)
    values = settings.free_ones()
    model = Model(both.d, shift=x[3], **values)
    entries, other = model.__dict__, model.scaled(settings.rate)
    model.shift *= other.x[1]
    entries["amplitude"] = sum(np.sum(v) for v in vars(model).values()) + len(entries)
    return np.sum(model.x) * model.amplitude + model.shift * entries.get("none", 3.0) * other.rate


class Polynomial(dict):
    """Degree -> coefficient."""

    def __call__(self, x):
        return sum(c * x**d for d, c in self.items())

    def __mul__(self, other):
        product = Polynomial()
        for i, a in self.items():
            for j, b in other.items():
                product[i + j] = product.get(i + j, 0.0) + a * b
        return product

    def slope(self):
        return Polynomial({d - 1: d * c for d, c in self.items() if d})


@program(normal(3), 0.6, second=False)
def dict_that_is_called_and_multiplied(c, x):
    p = Polynomial({0: c[0], 1: c[1]})
    p[2] = c[2]
    q = p * p.slope()
    for _ in range(4):
        x = x - 0.05 * q(x)
    return q(x) * q.slope()(x) + max(q.values())


class Dotted(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


@program(normal(3), second=True)
def entries_as_attributes_that_may_be_missing(x):
    d = Dotted(a=x[0], inner=Dotted(rate=x[1]))
    d.b = d.a**2
    del d.a
    d.inner.rate *= x[2]
    rest = 0.0 if d.a is None else 9.0
    return d.b * d.inner.rate + rest + (d.missing or x[2]) ** 2 + len(d)
