"""Floor 4: what of the standard library is read as the models in this folder."""

from __future__ import annotations

import ast
import bisect
import cmath
import collections
import functools
import heapq
import inspect
import itertools
import math
import operator
from pathlib import Path
from typing import Any

import numpy as np

from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import (
    abstract,
    arrays,
    counting,
    deques,
    heaps,
    polynomial_classes,
    polynomial_functions,
    polynomial_series,
    polynomials,
    queues,
    scimath,
    summing_up,
    vectorizing,
)
from s2sgrad.frontend.models import containers as model_containers
from s2sgrad.frontend.models import functions as model_numpy
from s2sgrad.frontend.models import generators as model_generators
from s2sgrad.frontend.models import makers as model_makers
from s2sgrad.frontend.models import sets as model_sets
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.state import Fails, constant
from s2sgrad.frontend.values import Dyn, Generator, Instance, Iterator, Mapping, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import INT, Array, Dict, List, Scalar, Tuple, Type, shape_of

_READ = (
    "borders.py", "constraining.py", "distances.py", "distributions.py", "eigenpairs.py",
    "equations.py", "factoring.py", "filtering.py", "grids.py", "hypotheses.py", "images.py",
    "integrating.py", "integrating_events.py", "integrating_several.py", "interpolating.py",
    "linear_problems.py", "measuring.py", "minimizing.py", "older_solvers.py", "pieces.py",
    "probabilities.py", "relating.py", "responses.py", "samples.py", "scattered.py",
    "several_numbers.py", "solving.py", "sparse_joining.py", "sparse_matrices.py", "sparsing.py",
    "special.py", "spectra.py", "stacking.py", "summaries.py", "systems.py", "through_points.py",
    "triangles.py", "windowing.py",
)  # fmt: skip
_FOLDER = Path(__file__).parents[2]
_STANDINS = frozenset(str(_FOLDER / "standins" / name) for name in _READ) | {
    str(_FOLDER / "rules" / "spelled_out.py")
}


def is_model(filename: str) -> bool:
    """Whether a file holds what is read in the place of a library's code, not the user's own."""
    return filename in _STANDINS or filename.startswith(str(_FOLDER / "frontend"))


COMPLEX = (
    "exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "tanh", "asinh", "acosh", "atanh", "phase", "polar", "rect",
)  # fmt: skip
READABLE = {
    "scipy.integrate": "s2sgrad.standins.integrating",
    "scipy.interpolate": "s2sgrad.standins.interpolating",
    "scipy.linalg": "s2sgrad.standins.equations",
    "scipy.ndimage": "s2sgrad.standins.images",
    "scipy.optimize": "s2sgrad.standins.solving",
    "scipy.signal": "s2sgrad.standins.spectra",
    "scipy.spatial": "s2sgrad.standins.distances",
    "scipy.sparse": "s2sgrad.standins.sparsing",
    "scipy.special": "s2sgrad.standins.special",
    "scipy.stats": "s2sgrad.standins.distributions",
}
FURTHER: dict[Any, Any] = {**arrays.FURTHER}  # read where a rule does not serve
_LAZY = str(_FOLDER / "frontend" / "models" / "generators.py")


def is_lazy(filename: str) -> bool:
    """Whether a file holds what takes items one by one, of what may change meanwhile."""
    return filename == _LAZY


STANDINS: dict[Any, Any] = {
    collections.deque: deques.Deque,
    collections.defaultdict: model_containers.DefaultDict,
    collections.Counter: model_containers.Counter,
    collections.ChainMap: model_containers.ChainMap,
    collections.OrderedDict: dict,
    set: model_sets.Set,
    frozenset: model_sets.FrozenSet,
    filter: models.keep,
    np.ndindex: models.ndindex,
    np.ndenumerate: models.ndenumerate,
    np.nditer: models.nditer,
    **{getattr(cmath, name): getattr(model_numpy, f"complex_{name}") for name in COMPLEX},
    functools.reduce: models.reduce,
    functools.lru_cache: model_makers.undecorated,
    functools.cache: model_makers.undecorated,
    functools.wraps: model_makers.wraps,
    functools.update_wrapper: model_makers.update_wrapper,
    operator.methodcaller: model_containers.MethodCaller,
    operator.itemgetter: model_containers.ItemGetter,
    operator.attrgetter: model_containers.AttrGetter,
    dict.fromkeys: model_makers.fromkeys,
    np.vectorize: vectorizing.Vectorize,
    np.frompyfunc: vectorizing.FromPython,
    np.broadcast: model_numpy.Broadcast,
    np.apply_along_axis: model_numpy.apply_along_axis,
    np.piecewise: model_numpy.piecewise,
    **polynomials.STANDINS,
    **polynomial_functions.STANDINS,
    **polynomial_classes.STANDINS,
    **polynomial_series.STANDINS,
    **abstract.STANDINS,
    **counting.STANDINS,
    **scimath.STANDINS,
    np.fromiter: model_numpy.fromiter,
    np.isscalar: model_numpy.isscalar,
    np.iterable: model_numpy.iterable,
    np.kaiser: model_numpy.kaiser,
    np.fromfunction: model_numpy.fromfunction,
    **{
        getattr(operator, name): getattr(model_numpy, name)
        for name in (
            "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul",
            "setitem", "getitem", "delitem", "concat", "contains",
        )
    },
    operator.iconcat: model_numpy.iadd,
    **{
        getattr(np, name): getattr(model_numpy, name)
        for name in ("put", "putmask", "place", "put_along_axis", "fill_diagonal")
    },
    **queues.STANDINS,
    **summing_up.STANDINS,
    **{
        getattr(module, name): getattr(heaps, name)
        for module, names in (
            (
                heapq,
                "heapify heappush heappop heappushpop heapreplace merge nlargest nsmallest",
            ),
            (bisect, "bisect_left bisect_right insort_left insort_right"),
        )
        for name in names.split()
    },
    **{  # of Python 3.12 and later
        getattr(module, name): getattr(home, name)
        for module, home, name in (
            (itertools, models, "batched"), (math, model_numpy, "sumprod"),
        )
        if hasattr(module, name)
    },
    itertools.chain.from_iterable: models.chain_from_iterable,
    itertools.tee: model_generators.tee,
    **{
        getattr(itertools, name): getattr(models, name)
        for name in (
            "accumulate", "chain", "combinations", "combinations_with_replacement", "cycle",
            "compress", "groupby", "dropwhile", "filterfalse", "repeat",
            "islice", "pairwise", "permutations", "product", "starmap", "takewhile",
            "zip_longest",
        )
    },
}  # fmt: skip

_RANGE = (Static(0), Static(None), Static(1))  # where start, stop or step are left out


class Standins(Base):
    """What the models need of the lowering itself."""

    def model(self, function: Any, args: list[Value], node: ast.AST, **kwargs: Value) -> Value:
        """A call of a function in standard_library.py."""
        return self.call(Static(function), args, kwargs, node)

    def on_sequence(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        value = args[0]
        if isinstance(value, Generator) and is_lazy(self.source.filename):
            value = self.listed_ahead(value, node)
        if isinstance(value, Iterator | Generator):
            items = self.iterate(value, node) if isinstance(value, Iterator) else None
            if items is not None:
                return self.sequence(items, "list")
            return self.call(Static(list), [value], {}, node)
        table = isinstance(value, Dyn) and isinstance(value.type, Dict)
        made = self.contents(value)
        keyed = isinstance(made, Mapping) or (
            isinstance(made, Instance)
            and (hasattr(made.cls, "keys") or not hasattr(made.cls, "__getitem__"))
        )
        if table or keyed or isinstance(value, Static):
            return self.call(Static(list), [value], {}, node)  # the keys of a dict
        return value

    def joined_by(self, joiner: Any, index: Value, node: ast.AST) -> Value:
        """np.r_[...] and np.c_[...]; their slices are ranges."""
        several = self.python_class(index) is tuple and self.static_items(index)
        parts = [self._range(part, node) for part in several or [index]]
        if isinstance(parts[0], Static) and isinstance(parts[0].value, str):
            raise self.refuse(
                "a directive in np.r_", node, "it changes axes and ranks of what follows",
                "use np.concatenate or np.stack with axis=",
            )  # fmt: skip
        if joiner is np.c_:
            columns = self.sequence(parts, "list")
            ranks = [len(shape_of(p.expr.type) or ()) for p in parts if isinstance(p, Dyn)]
            if max(ranks, default=0) > 2:
                last: dict[str, Value] = {"axis": Static(-1)}
                return self.apply(np.concatenate, "np.concatenate", [columns], last, node=node)
            return self.apply(np.column_stack, "np.column_stack", [columns], node=node)
        rows = self.sequence([self._at_least_row(part, node) for part in parts], "list")
        return self.apply(np.concatenate, "np.concatenate", [rows], node=node)

    def _at_least_row(self, part: Value, node: ast.AST) -> Value:
        kind = part.expr.type if isinstance(part, Dyn) else None
        if isinstance(kind, Scalar) or (isinstance(part, Static) and np.isscalar(part.value)):
            return self.sequence([part], "list")
        if isinstance(kind, Array) and kind.shape:
            return part
        return self.apply(np.atleast_1d, "np.atleast_1d", [part], node=node)

    def _range(self, part: Value, node: ast.AST) -> Value:
        """start:stop:step as np.arange; as np.linspace where the step is imaginary: a count."""
        if not (isinstance(part, Dyn) and isinstance(part.expr, nodes.Slice)):
            return part
        ends = part.expr.lower, part.expr.upper, part.expr.step
        args: list[Value] = [d if e is None else Dyn(e) for d, e in zip(_RANGE, ends, strict=True)]
        count = self.constant_value(args[2])
        if isinstance(count, complex):
            args[2] = Static(int(abs(count)))
            return self.apply(np.linspace, "np.linspace", args, node=node)
        return self.apply(np.arange, "np.arange", args, node=node)

    def on_places(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """Subscripts that a function of itertools or NumPy gives for lengths."""
        function, given = args[0], args[1:]
        assert isinstance(function, Static)
        exprs = tuple(self.residual(a, node) for a in given)
        home = "np" if function.value is np.ndindex else "itertools"
        row = self._row(function.value, given, exprs, node)
        if len(given) == 2 and function.value is itertools.permutations and isinstance(row, Tuple):
            exprs = (exprs[0], constant(len(row.items)))
        kind: Type = List(row)
        name = f"{home}.{function.value.__name__}"
        call = nodes.Call(function.value, name, exprs, type=kind, span=self.span(node))
        rows = nodes.Call(list, "list", (call,), type=kind, span=self.span(node))
        return Dyn(self.builder.bind("places", rows, self.span(node)))

    def _row(
        self, function: Any, given: list[Value], exprs: tuple[nodes.Expr, ...], node: ast.AST
    ) -> Type:
        """The type of one row of subscripts."""
        count: Any = len(given)
        if function is np.ndindex:
            kind = exprs[0].type if len(exprs) == 1 else None
            count = len(exprs) if kind is None or isinstance(kind, Scalar) else None
            if isinstance(kind, Tuple):
                count = len(kind.items)
        elif function is not itertools.product:
            count = self.constant_value(given[1])
        return Tuple((INT,) * count) if type(count) is int else List(INT, fixed=True)

    def on_next(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """The next item of an iterator, or the default."""
        if self.is_stepping(args[0]):
            return self.next_of(args[0], args[1:], node)
        own = getattr(self.class_of(args[0]), "__next__", None)
        if len(args) == 1 and inspect.isfunction(own):
            return self.call(self.attribute(args[0], "__next__", node), [], {}, node)
        if isinstance(node, ast.Call) and isinstance(node.args[0], ast.Name):
            raise self.refuse(
                "next() of an iterator that has a name", node,
                "how far it has come is not known while compiling",
                "loop over it, or take items by their number",
            )  # fmt: skip
        acting = isinstance(args[0], Generator) and self.acts(args[0], runs=False)
        if self.is_yielding(args[0]) or acting:
            name = model_generators.first if len(args) == 1 else model_generators.first_or
            return self.model(name, args, node)
        items = self.call(Static(list), [args[0]], {}, node)
        if len(args) == 1:
            return self.index(items, Static(0), node)
        return self.model(_first, [items, args[1]], node)

    def on_iter(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """An iterator that remembers how far it has come, but where a class hands out its items."""
        if self.source.name.rpartition(".")[2] == "__iter__":
            return args[0]
        if type(getattr(args[0], "type", None)) is Scalar:  # no place of an object
            raise Fails("iter() of a number", self.span(node), *say.NO_ITEMS)
        return self.stepping(args[0], node)


def _first(items: Any, default: Any) -> Any:
    return items[0] if len(items) > 0 else default
