"""Random programs of classes: makes, methods, properties, dunders, inheritance and state that is
shared, copied and changed in loops, branches and `with` blocks.

Arguments and result are those of the programs in `fuzz`. `o0`, `o1` and `o2` are of classes made
at random, one of which may inherit another; a hole named after a dunder is one that has it.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HEAD = """import copy
import functools
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np


"""
PLAIN = """    gain = 0.5

    def __init__(self, a, w, items=None, k=0):
        self.a, self.w = a, w
        self.items = [a * 0.5] if items is None else items
        self.d = {"q": a * a}
        self.k = k
"""
DATA = """    a: float
    w: np.ndarray
    items: list = field(default_factory=list)
    k: int = 0
    d: dict = field(default_factory=lambda: {"q": 0.5})
    gain: ClassVar[float] = 1.3

    def __post_init__(self):
        self.items.append(self.a * 0.5)
"""
SLOTS = '    __slots__ = ("a", "w", "items", "k", "d")\n' + PLAIN
FIRST = {"": PLAIN, "  ": SLOTS, "@dataclass": DATA, "@dataclass(eq=False)": DATA,
         "@dataclass(slots=True)": DATA}  # fmt: skip
MADE_AGAIN = (
    "gain = 0.8", "def __init__(self, a, w):\n    super().__init__(a * 0.8, w)\n    {change}",
)  # fmt: skip
NUMBERS = (  # in a method
    "self.a", "self.a", "self.w[1]", "self.w[self.k % 3]", "np.sum(self.w)", "sum(self.items)",
    "self.gain", "self.k", "len(self.items)", "0.7", "self.d['q']", "self.items[0]",
    "self.items[-1]", "({m} + {m})", "({m} * {m})", "({m} - {m})", "(-{m})", "np.tanh({m})",
    "({m} if self.k % 2 else {m})", "max({m}, 0.317)", "sum(i * {m} for i in self.items)",
    "self.d.get('z', {m})", "np.tanh(self.w @ self.w)",
)  # fmt: skip
CHANGES = (
    "self.a = {m}", "self.a += {m}", "self.w = self.w * {m}", "self.w[0] = {m}",
    "self.w[1:] += {m}", "self.w[self.k % 3] = {m}", "self.w *= 0.8", "self.items.append({m})",
    "self.items[-1] = {m}", "self.d['z'] = {m}", "self.d['q'] += {m}", "self.k += 1",
    "self.items = self.items + [{m}]", "self.items[0], self.a = self.a, self.items[0]",
    "v = self.w; v[0] = {m}", "for i in range(2): self.a = self.a * 0.5 + {m}",
    "if self.k % 2 == 0: self.a = {m}", "self.items, self.k = [*self.items, {m}], self.k + 1",
)  # fmt: skip
METHODS = {  # what every class has, its own or an inherited one
    "f": ("def f(self, u):\n    return {m} + u", "def f(self, u):\n    return u * {m}",
          "def f(self, u, v=0.3):\n    {change}\n    return {m} + u * v"),
    "step": ("def step(self, u):\n    {change}\n    self.a += u * 0.5\n    return self",
             "def step(self, u):\n    {change}\n    {change}\n    return self"),
    "p": ("@property\ndef p(self):\n    return {m}",),
}  # fmt: skip
INHERITED = {
    "f": ("def f(self, u):\n    return super().f(u * 0.5) + {m}",),
    "step": ("def step(self, u):\n    super().step(u)\n    {change}\n    return self",),
    "p": ("@property\ndef p(self):\n    return super().p * 0.5 + {m}",),
}
FURTHER = {
    "add": ("def __add__(self, o):\n    return type(self)(self.a + o.a, self.w * 0.5)",
            "def __add__(self, o):\n    other = copy.copy(self)\n    other.a = {m}\n"
            "    return other"),
    "mul": ("def __mul__(self, s):\n    return type(self)(self.a * s, self.w * s)\n\n"
            "def __rmul__(self, s):\n    return self * s",),
    "getitem": ("def __getitem__(self, i):\n    return self.w[i] * 0.7",
                "def __getitem__(self, i):\n    return self.items[i % len(self.items)]"),
    "setitem": ("def __setitem__(self, i, v):\n    self.w[i] = v * 0.7",),
    "len": ("def __len__(self):\n    return len(self.items)",
            "def __len__(self):\n    return self.k + 1"),
    "iter": ("def __iter__(self):\n    return iter(self.items)",
             "def __iter__(self):\n    return iter((self.a, self.w[0]))",
             "def __iter__(self):\n    for v in self.items:\n        yield v * 0.5"),
    "call": ("def __call__(self, u, v=0.3):\n    return {m} * v + u",
             "def __call__(self, u, v=0.3):\n    {change}\n    return {m} * u"),
    "eq": ("def __eq__(self, o):\n    return self.k == o.k\n\n__hash__ = None",
           "def __eq__(self, o):\n    return self is o\n\n__hash__ = None"),
    "lt": ("def __lt__(self, o):\n    return (self.k, self.a) < (o.k, o.a)",),
    "contains": ("def __contains__(self, v):\n    return v in self.d",),
    "bool": ("def __bool__(self):\n    return self.k > 0",),
    "float": ("def __float__(self):\n    return float({m})",),
    "iadd": ("def __iadd__(self, u):\n    self.a += u\n    {change}\n    return self",),
    "enter": ("def __enter__(self):\n    self.k += 1\n    return self\n\n"
              "def __exit__(self, *args):\n    self.a *= 0.5",),
    "make": ("@classmethod\ndef make(cls, x):\n    return cls(x[0] * 0.7, x * 1.3)",),
    "square": ("@staticmethod\ndef square(v):\n    return v * v + 0.1 * v",),
    "low": ("@property\ndef low(self):\n    return self.w[0]\n\n"
            "@low.setter\ndef low(self, v):\n    self.w[0] = v\n    self.k += 1",),
    "twin": ("def twin(self):\n    return copy.copy(self)",
             "def twin(self):\n    return copy.deepcopy(self)",
             "def twin(self):\n    return type(self)(self.a, self.w.copy())"),
    "run": ("def run(self, g, *args, **kw):\n    return g(self.a, *args) + sum(kw.values())",),
}  # fmt: skip
USES = (  # in the program
    "x[0]", "x[1]", "y[2]", "t", "a", "({e} + {e})", "({e} * {e})", "({e} if n > 1 else {e})",
    "{o}.a", "{o}.w[1]", "{o}.p", "{o}.f({e})", "{o}.f({e})", "sum({o}.items)", "np.sum({o}.w)",
    "{o}.k * {e}", "{o}.d['q']", "sum(b.f({e}) for b in objs)", "getattr({o}, 'p')",
    "max(objs, key=lambda b: b.a).f({e})", "sorted(objs, key=lambda b: b.a)[-1].p",
    "objs[n % len(objs)].f({e})", "table['m'].f({e})", "({o} if {test} else {o}).f({e})",
    "list(map({o}.f, [{e}, 0.5]))[0]", "isinstance({o}, C0) * {e}", "{o}.gain * {e}",
    "use({o}, {e})", "({o}.f if {test} else {o}.f)({e})", "{getitem}[1]", "{getitem}[n % 2]",
    "len({len}) * {e}", "sum({iter})", "sum(v * {e} for v in {iter})", "max({iter})",
    "next(iter({iter}))", "sum(v * w for v, w in zip({iter}, [0.5, 1.5]))", "list({iter})[0]",
    "np.sum([*{iter}])", "{call}({e})", "{call}({e}, v={e})", "sum(map({call}, [0.5, {e}]))",
    "({eq} in objs) * {e}", "objs.count({eq}) * {e}", "(0 in {contains}) * {e}",
    "('z' in {contains}) * {e}", "(1.5 if {bool} else {e})", "float({float})",
    "{square}.square({e})", "{low}.low", "{run}.run(lambda v, w=0.5: v * w)", "{run}.run(max, {e})",
    "{run}.run(lambda v: v, s={e})", "{twin}.twin().f({e})", "(0.5 * {mul}).p", "({mul} * {e}).p",
)  # fmt: skip
TESTS = ("n > 1", "n % 2 == 0", "t > 0.137", "{o}.a > 0.219", "{o}.k > 0", "len(objs) > n")
STATEMENTS = (
    "{o}.step({e})", "{o}.step({e})", "t = {e}", "t += {e} * 0.3", "{o}.a = {e}", "{o}.a *= {e}",
    "{o}.w[0] = {e}", "{o}.w[n % 3] += {e}", "{o}.items.append({e})", "{o}.d['q'] = {e}",
    "{o}.k += 1", "{o}.step({e}).step({e})", "t = {o}.step({e}).p", "b = {o}", "b = objs[0]",
    "objs.append({o})", "objs = [{o}, *objs[:2]]", "objs[0] = {o}", "table['m'] = {o}",
    "setattr({o}, 'a', {e})", "{o}.w = x * {e}", "{o}.w = {o}.w", "{low}.low = {e}",
    "{low}.low += {e}", "{iadd} += {e}", "{setitem}[0] = {e}", "{setitem}[n % 3] = {e}",
    "objs.append({twin}.twin())", "with {enter} as b: b.a += {e}", "b = {o} if {test} else {o}",
    "with {enter}: t = t * {e}", "b.step({e})", "b.a = {e}", "objs.append({add} + {add})",
)  # fmt: skip
LOOPS = (
    "for i in range(n):", "for i in range(2):", "for b in objs[:3]:", "for b in table.values():",
    "for b in reversed(objs[:3]):", "for i, b in enumerate(objs[:3]):", "for t in {iter}:",
)  # fmt: skip
INSIDE = {" b ": ("b.step(t)", "t = t * 0.5 + b.f(0.4)", "b.a += t * 0.1", "b.w = b.w * 0.9")}
FUNCTION = """def use(o, v):
    o.k += 1
    return o.f(v) + o.p * 0.5


"""
LAST = "{o}.a * 0.3 + {o}.w @ [0.2, 0.5, -0.3] + sum({o}.items) * 0.4 + {o}.d['q'] * 0.6 + {o}.k"


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    return Program(draw).whole()


class Program(fuzz_library.ByHeads):
    """The classes of a program, and the statements that use them."""

    inside = INSIDE

    def __init__(self, draw: Any) -> None:
        super().__init__(draw)
        self.holes = {"m": NUMBERS, "change": CHANGES}
        self.has: list[set[str]] = []  # by class: the further methods

    def one(self, options: Any) -> Any:
        return self.draw(st.sampled_from(tuple(options)))

    def whole(self) -> str:
        classes = [self.one_class(k) for k in range(self.draw(st.integers(1, 3)))]
        kinds = {name: self.draw(st.integers(0, len(classes) - 1)) for name in ("o0", "o1", "o2")}
        made = [f"{name} = {self.made(k)}" for name, k in kinds.items()]
        listed = self.one(("objs = [o0, o1]", "objs = [o2]", "objs = [o0, o1, o0]"))
        self.holes = {"e": USES, "test": TESTS, "o": ("o0", "o1", "o2", "objs[-1]", "b")}
        for method in FURTHER:
            self.holes[method] = tuple(name for name, k in kinds.items() if method in self.has[k])
        self.holes |= {"e": self.own(USES), "test": TESTS}
        same = [f"{p} = {q}" for p in kinds for q in kinds if p != q and kinds[p] == kinds[q]]
        self.statements, self.loops = (*self.own(STATEMENTS), *same), self.own(LOOPS)
        head = [*made, listed, "table = dict(l=o0, m=o1)", "b = o2", "t = x[0] * 0.7"]
        last = ["t * 0.9", "sum(b.f(0.6) for b in objs)", "table['m'].p"]
        last += [LAST.replace("{o}", name) for name in kinds]
        return HEAD + "\n\n".join(classes) + "\n\n" + FUNCTION + self.text(head, last)

    def own(self, options: tuple[str, ...]) -> tuple[str, ...]:
        """The options for which there is an object that has the method."""
        without = [method for method in FURTHER if not self.holes[method]]
        return tuple(o for o in options if not any("{" + m + "}" in o for m in without))

    def made(self, k: int) -> str:
        ways = ["C{k}(x[0], x * 2)", "C{k}(x[1] * 0.5, y.copy())", "C{k}(0.9, m[1] * x[2])"]
        ways += ["C{k}.make(x)"] if "make" in self.has[k] else []
        return self.one(ways).replace("{k}", str(k))

    def one_class(self, k: int) -> str:
        parent = self.draw(st.integers(-1, k - 1)) if k else -1
        head = f"class C{k}" + (f"(C{parent})" if parent >= 0 else "") + ":"
        decorator, members = ("", "") if parent >= 0 else self.one(FIRST.items())
        own = [self.one(METHODS[name]) for name in METHODS if parent < 0]
        if parent >= 0:
            parts = {name: (*METHODS[name], *INHERITED[name]) for name in METHODS}
            own = [self.one(parts[name]) for name in METHODS if self.draw(st.booleans())]
            own += [self.one(MADE_AGAIN)] * self.draw(st.integers(0, 1))
        names = self.draw(st.lists(st.sampled_from(sorted(FURTHER)), max_size=8, unique=True))
        self.has.append({*names, *(self.has[parent] if parent >= 0 else ())})
        own += [self.one(FURTHER[name]) for name in names]
        texts = [self.indented(self.filled(text)) for text in own]
        lines = [decorator.strip(), head, members.rstrip("\n"), *texts]
        return "\n".join(line for line in lines if line) + ("" if members or own else "\n    pass")

    def indented(self, text: str) -> str:
        return "\n".join("    " + line if line else "" for line in ["", *text.split("\n")])
