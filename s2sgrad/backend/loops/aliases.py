"""Floor 6: which names may share memory."""

from __future__ import annotations

import s2sgrad_runtime
from s2sgrad.analysis.memory import is_view
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Function, Index, Var
from s2sgrad.ir.types import Array, Scalar

FRESH = frozenset(
    {"np.empty", "np.zeros", "np.ones", "np.full", "np.zeros_like", "np.ones_like", "np.full_like",
     "np.empty_like", "copy", "zeros_like", "np.copy", "np.dot", "np.outer", "np.exp", "np.sum",
     "np.where", "np.triu", "np.tril", "np.mean", "np.max", "np.min", "np.hstack", "np.vstack",
     "np.concatenate", "np.stack", "np.cumsum", "np.cumprod", "copy_tree", "copy_apart"}
)  # fmt: skip
_MADE = ("tie_share", "counted", "safe_divide", "power_bar_base", "power_bar_exponent")
_NEW = tuple(getattr(s2sgrad_runtime, name) for name in _MADE)  # by these helpers of ours
_HOLDING = ("list+", "list*", "and", "or")  # operators that hand on what they are given


class Groups:
    """Names in one group may be views of one array. Built once, without regard to order.

    outer: the function that this one is a piece of.
    """

    def __init__(self, function: Function, outer: Function | None = None) -> None:
        self._parent: dict[str, str] = {}
        for stmt in nodes.walk_block((*(outer.body if outer else ()), *function.body)):
            match stmt:
                case nodes.Assign(targets=targets, values=values):
                    for target, value in zip(targets, values, strict=True):
                        self._bind((target,), value)
                case nodes.Unpack(targets=targets, value=value):
                    self._bind(targets, value)
                case nodes.For(targets=targets, sources=sources):
                    for source in sources:
                        self._bind(targets, source)
                case nodes.Mutate(base=base, args=args, target=target):
                    for name in nodes.names_in(base) | ({target} if target else set()):
                        for value in (base, *args):
                            self._bind((name,), value)
                case nodes.Store(base=base, value=value) if not isinstance(value.type, Scalar):
                    if not hasattr(base.type, "shape"):
                        self._bind(tuple(nodes.names_in(base)), value)

    def add(self, name: str, value: Expr) -> None:
        """A new name for a value."""
        self._bind((name,), value)

    def _bind(self, targets: tuple[str, ...], value: Expr) -> None:
        for name in shared_names(value):
            for target in targets:
                self._join(target, name)

    def _find(self, name: str) -> str:
        while name in self._parent:
            name = self._parent[name]
        return name

    def _join(self, a: str, b: str) -> None:
        left, right = self._find(a), self._find(b)
        if left != right:
            self._parent[left] = right

    def of(self, name: str) -> str:
        return self._find(name)

    def root(self, expr: Expr) -> str | None:
        """The group of the array that an expression is a part of."""
        while True:
            match expr:
                case Var(name=name):
                    return self._find(name)
                case Index(base=base):
                    expr = base
                case Call(args=(base, *_)) if is_view(expr):
                    expr = base
                case _:
                    return None


def shared_names(value: Expr) -> frozenset[str]:
    """Variables whose memory a value may share."""
    match value:
        case nodes.Const() | nodes.Ref():
            return frozenset()
        case Call(form="operator", function=function) if function not in _HOLDING:
            return frozenset()
        case Call(text=text, form=form) if form != "attribute" and text in FRESH:
            return frozenset()
        case Call(form="attribute", text="shape" | "size" | "ndim"):
            return frozenset()
        case Call(form="call", function=function) if type(function).__name__ == "ufunc":
            return frozenset()
        case Call(function=s2sgrad_runtime.masked, args=(kept, *_)):  # that itself, or a new array
            return shared_names(kept)
        case Call(form="call", function=function) if any(function is made for made in _NEW):
            return frozenset()
    if isinstance(value.type, Scalar):
        return frozenset()
    if type(value) is Var:
        return frozenset((value.name,))
    if isinstance(value, Index):
        return shared_names(value.base)
    return frozenset().union(*map(shared_names, nodes.children(value)))


def is_new(value: Expr) -> bool:
    """Whether a value is surely an array of its own."""
    if not isinstance(value, Call) or not isinstance(value.type, Array):
        return False
    if value.form == "operator":
        return value.text not in ("and", "or")
    return value.form != "attribute" and value.text in FRESH
