"""Random calls: functions of all kinds of parameters, given all kinds of arguments.

`calls()` draws a program's source, positional arguments and keyword arguments. The arguments are
numbers and arrays of every kind and layout, in containers and objects in each other; the program
uses each, and writes into some.
"""

from __future__ import annotations

import collections
import dataclasses
import random
from typing import Any, NamedTuple

import numpy as np


@dataclasses.dataclass
class Data:
    a: Any
    b: Any


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any
    name: str = "frozen"


class Pair(NamedTuple):
    a: Any
    b: Any


class Plain:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


class Slots:
    __slots__ = ("__hidden", "a")

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.__hidden = a, b

    @property
    def b(self) -> Any:
        return self.__hidden


class Both(Slots):
    """Attributes in slots and in a dict."""

    def __init__(self, a: Any, b: Any) -> None:
        super().__init__(a, b)
        self.more = 0.3


SCALAR_USES = ("{p}**2", "np.sin({p})", "{p} * 2.5", "abs(-{p})", "np.exp({p})")
ARRAY_USES = (
    "np.sum({p}**2)", "np.sum(np.sin({p}))", "np.prod({p})", "np.tanh({p}).mean()",
    "{p}.ravel()[-1] * 2", "np.dot({p}.ravel(), {p}.ravel())", "np.sum({p} * {p}[::-1])",
    "np.max({p}) * 1.0", "np.linalg.norm({p})", "sum({p}.ravel().tolist())",
    "float(len({p})) * {p}.sum()", "np.sum({p}.T**3)", "np.sum([q.sum() ** 2 for q in {p}])",
)  # fmt: skip
ARRAY_WRITES = (
    "{p}[0] = {p}[-1] * 2", "{p} *= 1.5", "{p}[:] = np.sin({p})", "{p}[...] += 1", "{p}.fill(0.7)",
    "{p}[::-1] = {p}.copy()", "{p}.ravel()[0] = 0.2", "{p} += {p}[::-1]",
    "np.add.at({p}, [0], 1.0)",
)  # fmt: skip
LIST_USES = (
    "sum({p})", "np.sum(np.array({p}) ** 2)", "{p}[0] * {p}[-1]", "max({p})", "len({p})",
    "sum(a * b for a, b in zip({p}, {p}[1:]))",
)  # fmt: skip
LIST_WRITES = (
    "{p}.append({p}[0] * 2)", "{p}[1] = 0.7", "{p}.pop()", "{p}.reverse()", "{p} += [2.0]",
    "{p}.extend([1.0, {p}[1]])",
)  # fmt: skip


class Calls:
    """Draws from one source of random numbers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self) -> float:
        return round(self.random.uniform(0.3, 1.5), 3)

    def array(self, *shape: int, dtype: Any = float) -> np.ndarray:
        count = int(np.prod(shape))
        return np.array([self.number() for _ in range(count)], dtype).reshape(shape)

    def read_only(self, array: np.ndarray) -> np.ndarray:
        array.flags.writeable = False
        return array

    def leaf(self) -> tuple[Any, tuple[str, ...], tuple[str, ...]]:
        """A value, texts that use it, and texts that write into it ({p}: how it is reached)."""
        z = "np.sum(np.abs({p}) ** 2)", "{p}.real.sum()", "np.sum({p} * {p}).imag"
        arrays = (
            self.array(3), self.array(3)[::-1], self.array(6)[::2], self.array(2, 2),
            np.asfortranarray(self.array(2, 3)), self.array(3, 2).T, self.array(1),
            self.array(3, dtype=np.float32), self.array(4, 3)[:, 1:],
        )  # fmt: skip
        choices = [
            *((a, ARRAY_USES, ARRAY_WRITES) for a in arrays),
            (self.number(), (*SCALAR_USES, "({p} if {p} > 0 else 1.0)"), ("{p} += 1",)),
            (np.float64(self.number()), (*SCALAR_USES, "{p}.item()"), ("{p} += 1",)),
            (np.float32(self.number()), SCALAR_USES, ("{p} *= 2",)),
            (np.array(self.number()), (*SCALAR_USES, "{p}[()]", "float({p})"),
             ("{p}[()] = 2.5 * {p}", "{p} *= {p}", "{p}[...] = np.cos({p})")),
            (self.read_only(self.array(3)), ARRAY_USES, ("{p} = {p} + 1",)),
            (self.array(2) + 1j * self.array(2), z, ("{p} *= 2j", "{p}[0] = 1j * {p}[1]")),
            (complex(self.number(), 0.4), ("abs({p})", "({p} * {p}).real"), ("{p} *= 1j",)),
            (np.array([1, 2, 3]), ("{p}.sum()", "np.arange(4.0)[{p}].sum()"), ("{p}[0] = 2",)),
            (2, ("{p}", "sum(0.5 * i for i in range({p}))", "np.ones({p}).sum()"), ("{p} += 1",)),
            (True, ("(2.0 if {p} else 1.0)",), ()), (None, ("(1.0 if {p} is None else 2.0)",), ()),
            ("text", ("len({p})", "(2.0 if {p} == 'text' else 0.5)"), ()),
            (np.array([True, False, True]), ("np.sum(np.arange(3.0)[{p}])",), ()),
            (np.zeros(0), ("np.sum({p})", "len({p})"), ()),
            ([self.number() for _ in range(3)], LIST_USES, LIST_WRITES),
            ([self.array(2), self.array(3)], ("sum(q.sum() for q in {p})", "{p}[0] @ {p}[1][:2]"),
             ("{p}[0] *= 2", "{p}.append({p}[0] * 2)", "{p}[0], {p}[1] = {p}[1], {p}[0]")),
        ]  # fmt: skip
        return self.random.choice(choices)

    def value(self, depth: int = 0) -> tuple[Any, list[str], list[str]]:
        """A leaf, or two values in a container or an object."""
        if depth > 1 or self.random.random() < 0.6:
            value, uses, writes = self.leaf()
            return value, list(uses), list(writes)
        parts = [self.value(depth + 1) for _ in range(2)]
        a, b = parts[0][0], parts[1][0]
        made, reached, fixed = self.random.choice([
            ([a, b], ("{p}[0]", "{p}[1]"), False), ((a, b), ("{p}[0]", "{p}[1]"), True),
            ({"a": a, "b": b}, ("{p}['a']", "{p}['b']"), False),
            (collections.OrderedDict(b=b, a=a), ("{p}['a']", "{p}['b']"), False),
            (collections.defaultdict(float, {3: a, "b": b}), ("{p}[3]", "{p}['b']"), False),
            (Data(a, b), ("{p}.a", "{p}.b"), True), (Frozen(a, b), ("{p}.a", "{p}.b"), True),
            (Pair(a, b), ("{p}.a", "{p}[1]"), True), (Plain(a, b), ("{p}.a", "{p}.b"), True),
            (Slots(a, b), ("{p}.a", "{p}.b"), True), (Both(a, b), ("{p}.a", "{p}.b"), True),
        ])  # fmt: skip
        uses, writes = [], []
        for place, (_, inner_uses, inner_writes) in zip(reached, parts, strict=True):
            uses += [text.replace("{p}", place) for text in inner_uses]
            for text in inner_writes:  # what would bind an attribute anew is left out
                if not fixed or text.startswith(("{p}[", "{p}.", "np.")):
                    writes.append(text.replace("{p}", place))
        return made, uses, writes

    def call(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        """(source of `f`, positional arguments, keyword arguments)."""
        kinds = sorted(self.random.choices(("only", "plain", "plain", "named"), k=3), key=_ORDER)
        by_name, shown, args, named = self.random.random() < 0.3, [], [], {}
        uses, writes, last = [], [], None
        for name, kind in zip("abc", kinds, strict=True):
            value, used, written = self.value()
            picked = self.random.sample(used, min(2, len(used)))
            uses += [text.replace("{p}", name) for text in picked]
            writes += [text.replace("{p}", name) for text in written]
            if last == "only" and kind != "only":
                shown.append("/")
            if kind == "named" and last != "named":
                shown.append("*")
            shown.append(name)
            last = kind
            if kind == "named" or (kind == "plain" and by_name):
                named[name] = value
            else:
                args.append(value)
        if last == "only":
            shown.append("/")
        if self.random.random() < 0.3:
            shown.append("**more")
            named["p"] = self.array(2)
            uses += ["sum(np.sum(v) ** 2 for v in more.values())", "np.sum(more.get('p', 0.5))"]
        self.random.shuffle(uses)
        half = len(uses) // 2
        before = self.random.sample(writes, min(2, len(writes)))
        between = self.random.sample(writes, min(1, len(writes)))
        product = " * ".join(f"(1.0 + 0.3 * {text})" for text in uses[half:])
        body = [*before, f"s = {' + '.join(uses[:half])}", *between, f"return 0.5 * s + {product}"]
        lines = ["import numpy as np", f"def f({', '.join(shown)}):", *(f"    {b}" for b in body)]
        return "\n".join(lines) + "\n", tuple(args), named


_ORDER = ("only", "plain", "named").index
