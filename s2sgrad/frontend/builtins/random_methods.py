"""Floor 4: random numbers drawn with active parameters: what is drawn is data, the rest is code.

`rng.normal(mu, sigma, n)` draws what `mu + sigma * rng.standard_normal(n)` draws, and
`rng.choice(x, n)` what `x[rng.choice(len(x), n)]` does: the same numbers from the same state.
Python's `random` has methods of the same names, of one number each.
"""

from __future__ import annotations

import ast
import random
from typing import Any

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.builtins.drawn import drawn_type
from s2sgrad.frontend.values import Dyn, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import INT, NONE, Array, Known, List, Opaque, Tuple, Type, carries
from s2sgrad_runtime import shuffled_places


class RandomMethods(Base):
    """Lowering of methods of NumPy's generators."""

    def random_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """A method of a generator whose arguments carry derivatives; None for other calls."""
        model = _model(owner, name)
        generator = isinstance(owner, Dyn) and isinstance(owner.type, Opaque)
        if not generator and not isinstance(owner, Static):
            return None
        moved = [*args, *kwargs.values()]
        if name == "multivariate_normal":  # its model moves what is drawn about zero
            moved = args[:1] or [kwargs["mean"]]
        takes_part = name == "shuffle" or any(map(self._varies_within, moved))
        if model is None or not takes_part:
            return None
        return self.call(Static(model), [owner, *args], kwargs, node)

    def _varies_within(self, value: Value) -> bool:
        """Whether an argument, or an item of a display that is one, may carry a derivative."""
        held = self.contents(value)
        if isinstance(held, Sequence):
            return any(map(self._varies_within, held.items))
        return _varies(value)

    def module_draws(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """`np.random.normal(...)`, `random.shuffle(...)`: methods of a generator of the module."""
        owner = getattr(target, "__self__", None)
        name = getattr(target, "__name__", "")
        module = next((m for kind, m in _MODULES if isinstance(owner, kind)), None)
        if module is None or getattr(module, name, None) != target:
            return None
        drawn = self.random_method(Static(module), name, args, kwargs, node)
        if drawn is not None or module is random:
            return drawn
        exprs = tuple(self.residual(a, node) for a in args)
        named = tuple((k, self.residual(v, node)) for k, v in kwargs.items())
        kind = drawn_type(name, exprs, dict(named))
        call = nodes.Call("opaque", name, (_module(module), *exprs), named, "method", type=kind,
                          span=self.span(node))  # fmt: skip
        return Dyn(self.builder.bind(name, call, self.span(node)))

    def on_drawn_places(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`rng.choice(n, size)`, `rng.permutation(n)` or `r.sample(range(n), k)`: integers."""
        method = self.constant_value(args[1])
        module = args[0].value if isinstance(args[0], Static) else None
        rng = self.residual(args[0], node) if module is None else _module(module)
        given = (rng, *(self.residual(a, node) for a in args[2:]))
        if method == "shuffle":
            call = nodes.Call(
                shuffled_places, "shuffled_places", given, type=Array("int64", (None,))
            )
            return Dyn(self.builder.bind("places", call, self.span(node)))
        named = tuple((k, self.residual(v, node)) for k, v in kwargs.items())
        size = dict(named).get("size", given[2] if len(given) > 2 else None)
        single = method == "choice" and (size is None or size.type == NONE)
        kind: Type = (
            INT if single else Array("int64", _axes(size) if method == "choice" else (None,))
        )
        kind = List(INT) if method in ("sample", "choices") else kind
        call = nodes.Call("opaque", method, given, named, "method", type=kind,
                          span=self.span(node))  # fmt: skip
        return Dyn(self.builder.bind("places", call))


def _model(owner: Value, name: str) -> Any:
    """What draws with parameters that vary as the method of this name does."""
    python = isinstance(owner, Static) and owner.value is random
    if isinstance(owner, Dyn) and isinstance(owner.type, Opaque):
        python = owner.type.what == random.Random.__name__
    return (PYTHON_MODELS if python else MODELS).get(name)


def _module(module: Any) -> nodes.Expr:
    name = "np.random" if module is np.random else module.__name__
    return nodes.Ref(name, module, type=Known(module))


def _axes(size: nodes.Expr | None) -> tuple[None, ...]:
    return (
        (None,) * len(size.type.items)
        if size is not None and isinstance(size.type, Tuple)
        else (None,)
    )


def _varies(value: Value) -> bool:
    known = isinstance(value, Dyn) and isinstance(value.expr, nodes.Const)
    return isinstance(value, Dyn) and not known and carries(value.type)


def drawn_places(rng: Any, method: str, *args: Any, **kwargs: Any) -> Any:
    """Places drawn by a generator."""
    return getattr(rng, method)(*args, **kwargs)


def _choice(rng: Any, a: Any, *args: Any, axis: int = 0, **kwargs: Any) -> Any:
    if len(args) > 4:
        return _taken(rng, a, args[3], *args[:3], shuffle=args[4], **kwargs)
    if len(args) > 3:
        return _taken(rng, a, args[3], *args[:3], **kwargs)
    if axis != 0:
        return _taken(rng, a, axis, *args, **kwargs)
    return np.asarray(a)[drawn_places(rng, "choice", len(a), *args, **kwargs)]


def _taken(rng: Any, a: Any, axis: int, *args: Any, **kwargs: Any) -> Any:
    places = drawn_places(rng, "choice", np.shape(a)[axis], *args, **kwargs)
    return np.take(np.asarray(a), places, axis=axis)


def _permutation(rng: Any, x: Any, axis: int = 0) -> Any:
    if axis != 0:
        return np.take(x, drawn_places(rng, "permutation", np.shape(x)[axis]), axis=axis)
    return np.asarray(x)[drawn_places(rng, "permutation", len(x))]


def _shuffle(rng: Any, x: Any, axis: int = 0) -> None:
    if axis != 0:
        rows = np.swapaxes(x, 0, axis)  # a view of it
        rows[:] = rows[drawn_places(rng, "shuffle", len(rows))]
        return
    places = drawn_places(rng, "shuffle", len(x))
    if isinstance(x, list):
        old = list(x)
        for k in range(len(x)):
            x[k] = old[places[k]]
    else:
        x[:] = x[places]


def _size(size: Any, a: Any, b: Any) -> Any:
    return np.broadcast_shapes(np.shape(a), np.shape(b)) if size is None else size


def _normal(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return loc + scale * rng.standard_normal(_size(size, loc, scale))


def _lognormal(rng: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    return np.exp(mean + sigma * rng.standard_normal(_size(size, mean, sigma)))


def _uniform(rng: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    return low + (high - low) * rng.uniform(size=_size(size, low, high))


def _exponential(rng: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return scale * rng.standard_exponential(_size(size, scale, 0.0))


def _gumbel(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return loc + scale * rng.gumbel(size=_size(size, loc, scale))


def _laplace(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return loc + scale * rng.laplace(size=_size(size, loc, scale))


def _logistic(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return loc + scale * rng.logistic(size=_size(size, loc, scale))


def _gamma(rng: Any, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return scale * rng.standard_gamma(shape, _size(size, shape, scale))


def _rayleigh(rng: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return scale * rng.rayleigh(size=_size(size, scale, 0.0))


def _weibull(rng: Any, a: Any, size: Any = None) -> Any:
    return rng.standard_exponential(_size(size, a, 0.0)) ** (1.0 / np.asarray(a))


def _pareto(rng: Any, a: Any, size: Any = None) -> Any:
    return np.expm1(rng.standard_exponential(_size(size, a, 0.0)) / np.asarray(a))


def _power(rng: Any, a: Any, size: Any = None) -> Any:
    return (-np.expm1(-rng.standard_exponential(_size(size, a, 0.0)))) ** (1.0 / np.asarray(a))


def _triangular(rng: Any, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
    u = rng.uniform(size=_size(size, left + mode, right))
    base = right - left
    rising, falling = u * (mode - left) * base, (1.0 - u) * (right - mode) * base
    return np.where(u * base <= mode - left, left + np.sqrt(rising), right - np.sqrt(falling))[()]


def _permuted(rng: Any, x: Any, *, axis: Any = None, out: Any = None) -> Any:
    x = np.asarray(x)
    places = rng.permuted(np.reshape(np.arange(np.size(x)), np.shape(x)), axis=axis)
    found = np.ravel(x)[places]
    if out is None:
        return found
    out[...] = found
    return out


def _multivariate_normal(rng: Any, mean: Any, cov: Any, size: Any = None, **options: Any) -> Any:
    zero = np.zeros(len(mean), dtype=int)
    return np.asarray(mean) + rng.multivariate_normal(zero, cov, size, **options)


# --- of Python's random ----------------------------------------------------------------------
def _python_choice(rng: Any, seq: Any) -> Any:
    return seq[rng.randrange(len(seq))]


def _sample(rng: Any, population: Any, k: Any) -> Any:
    return [population[i] for i in drawn_places(rng, "sample", range(len(population)), k)]


def _choices(rng: Any, population: Any, *args: Any, **kwargs: Any) -> Any:
    places = drawn_places(rng, "choices", range(len(population)), *args, **kwargs)
    return [population[i] for i in places]


def _python_uniform(rng: Any, a: Any, b: Any) -> Any:
    return a + (b - a) * rng.random()


def _gauss(rng: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return mu + rng.gauss(0.0, 1.0) * sigma


def _normalvariate(rng: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return mu + rng.normalvariate(0.0, 1.0) * sigma


def _lognormvariate(rng: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return np.exp(mu + rng.normalvariate(0.0, 1.0) * sigma)


def _expovariate(rng: Any, lambd: Any = 1.0) -> Any:
    return rng.expovariate(1.0) / lambd


def _python_triangular(rng: Any, low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
    u = rng.random()
    c = 0.5 if mode is None else (mode - low) / (high - low)
    if u > c:
        return high + (low - high) * ((1.0 - u) * (1.0 - c)) ** 0.5
    return low + (high - low) * (u * c) ** 0.5


MODELS = {
    "choice": _choice, "permutation": _permutation, "shuffle": _shuffle, "normal": _normal,
    "lognormal": _lognormal, "uniform": _uniform, "exponential": _exponential,
    "gumbel": _gumbel, "laplace": _laplace, "logistic": _logistic, "gamma": _gamma,
    "rayleigh": _rayleigh, "multivariate_normal": _multivariate_normal, "weibull": _weibull,
    "pareto": _pareto, "power": _power, "triangular": _triangular, "permuted": _permuted,
}  # fmt: skip
PYTHON_MODELS = {
    "choice": _python_choice, "shuffle": _shuffle, "uniform": _python_uniform, "gauss": _gauss,
    "normalvariate": _normalvariate, "lognormvariate": _lognormvariate,
    "expovariate": _expovariate, "sample": _sample, "choices": _choices,
    "triangular": _python_triangular,
}  # fmt: skip
_MODULES = ((np.random.RandomState, np.random), (random.Random, random))
