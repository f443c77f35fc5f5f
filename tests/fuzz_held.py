"""Random programs of a list, a dict, an array or an object of which a run decides which of two it
is, and of what Python lets one do with such things.

Arguments and result are those of the programs in `fuzz`. `p` and `q` are made first, `o` is one of
them, by way of a branch, a loop, a list, a call...; then `o` is used, and now and then `p` or `q`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

LISTS = (
    "o.append(t)", "o.extend([t, x[1]])", "o.extend(v*2 for v in x)", "o += [t]",
    "t += sum(o + [t])", "t += sum(o*2)", "o *= 2", "t += o.pop()", "t += o.pop(0)",
    "o.insert(1, t)", "o[0] = t", "o[-1] = t", "o[1] *= t", "t += sum(o[1:])",
    "o[:1] = [t, t*2]", "del o[:1]", "del o[0]", "o.clear()", "o.reverse()", "o.sort()",
    "o.sort(key=lambda v: -v)", "t += sorted(o)[0]", "t += list(reversed(o))[0]",
    "t += len(o)*0.1", "t += 0.1 if 0.613 in o else 0.2", "t += o.index(o[1])*0.1",
    "t += o.count(o[0])*0.1", "w_ = o.copy()\nw_[0] = t\nt += w_[0]*o[0]",
    "w_ = o[:]\nw_[0] = t\nt += w_[0]*o[0]", "w_ = list(o)\nw_.append(t)\nt += len(w_)*w_[-1]",
    "a_, *b_ = o\nt += a_*len(b_)", "for v in o: t += v*t",
    "for i, v in enumerate(o): o[i] = v*t", "t += sum(a_*b_ for a_, b_ in zip(o, x))",
    "o = [v*t for v in o]", "t += max(o)", "t += min(o)", "t += np.sum(np.array(o)**2)",
    "t += 0.1 if any(v > 0.613 for v in o) else 0.2", "t += 0.1 if o else 0.2",
    "while o:\n    t += o.pop()*0.5", "t += 0.1 if o == p else 0.2",
    "t += 0.1 if o is p else 0.2", "o.remove(o[0])", "o[0], o[1] = o[1], o[0]",
    "o[0] = o[1] = t", "w_ = [o, o]\nw_[0].append(t)\nt += sum(w_[1])", "bump(o, t)\nt += o[0]",
    "o = keep(o)\no.append(t)", "t += addall(*o)", "t += sum(map(lambda v: v*t, o))",
    "w_ = dict(enumerate(o))\nt += w_[0]", "t += tuple(o)[0]", "t += len(str(len(o)))",
    "i_ = 0\nwhile i_ < len(o):\n    t += o[i_]*t\n    i_ += 1", "p = [t]\no.append(t)",
    "t += np.dot(o, o)", "t += np.mean(o)", "t += float(sum(o))",
    "(o if t > 0 else p).append(t)", "add = lambda v: o.append(v)\nadd(t)",
    "def add_(v):\n    o.append(v)\nadd_(t); add_(t*2)", "o[0] += t; o[0] *= o[1]",
    "for w_ in (o, o): w_.append(t)", "t += np.prod(o)", "t += (w_ := o)[0]; w_.append(t)",
)  # fmt: skip

DICTS = (
    "o['a'] = t", "o['z'] = t", "o['a'] *= t", "t += o.get('a', 0.3)", "t += o.get('zz', t)",
    "t += o.pop('a')", "t += o.pop('zz', t)", "t += o.setdefault('a', t)",
    "t += o.setdefault('z', t)", "o.update(a=t)", "o.update({'z': t})", "o |= {'a': t}",
    "t += sum((o | {'z': t}).values())", "for k_ in o: t += o[k_]*t", "t += sum(o.values())",
    "for k_, v in o.items(): t += v*len(k_)", "t += o['a'] if 'a' in o else 0.2",
    "t += 0.1 if 'zz' not in o else 0.2", "t += len(o)*0.1", "del o['a']", "o.clear()",
    "w_ = o.copy()\nw_['a'] = t\nt += w_['a']*o['a']", "w_ = dict(o, a=t)\nt += w_['a']*o['a']",
    "w_ = {**o, 'a': t}\nt += w_['a']*o['a']", "o = {k_: v*t for k_, v in o.items()}",
    "t += list(o.values())[0]", "t += o[sorted(o)[0]]", "t += o[max(o, key=o.get)]",
    "t += 0.1 if o else 0.2", "t += 0.1 if o == p else 0.2", "t += 0.1 if o is p else 0.2",
    "for k_ in o: o[k_] = o[k_]*t", "w_ = {'i': o}\nw_['i']['a'] = t", "o = setd(o, t)",
    "p = {'a': t, 'b': t}\no['a'] = t", "t += sum(v*w_ for v, w_ in zip(o.values(), x))",
    "t += len(f'{len(o)}')", "t += min(o.values())", "g_ = lambda k_: o[k_]\nt += g_('a')",
    "while len(o) > 1: t += o.popitem()[1]", "t += next(iter(o.values()))",
    "a_, b_ = o.values()\nt += a_*b_", "w_ = dict.fromkeys(o, t)\nt += sum(w_.values())",
    "t += np.sum(np.array(list(o.values()))**2)", "k_ = 'a' if t > 0 else 'b'\no[k_] = t*o[k_]",
    "if 'b' in o: o['b'] += t",
)  # fmt: skip

ARRAYS = (
    "o[0] = t", "o[1:] = t", "o *= t", "o[:2] += t*o[1:]", "w_ = o[1:]\nw_ *= t",
    "w_ = o[::-1]\nw_[0] = t\nt += o[-1]", "t += np.sum(o.T*x)",
    "w_ = o.reshape(3, 1)\nw_[0, 0] = t", "w_ = o.ravel()\nw_[0] = t", "o.flat[1] = t",
    "o.fill(t)", "w_ = o.copy()\nw_[0] = t\nt += w_[0]*o[0]", "o.sort()", "np.sin(o, out=o)",
    "np.add.at(o, [0, 0, 1], t)", "o[o > 0.613] = t", "o[o > 0.613] *= t",
    "o[[0, 2]] = o[[2, 0]]*t", "o[0], o[1] = o[1], o[0]", "for v in o: t += v*t",
    "for i, v in enumerate(o): o[i] = v*t", "t += 0.1 if o is p else 0.2",
    "t += 0.1 if np.shares_memory(o, p) else 0.2", "np.put(o, [0], t)", "np.copyto(o, x*t)",
    "scale(o, t)", "o = o*t", "p = p*2.0\no[0] = t", "w_ = np.asarray(o)\nw_[0] = t",
    "t += np.sum(np.where(o > 0.613, o, t))", "w_ = o.tolist()\nw_[0] = t\nt += sum(w_)",
    "t += o.item(0)", "w_ = [o, o]\nw_[0][0] = t", "t += o @ x",
    "t += np.sum(np.outer(o, o)*0.1)", "t += o.sum()*o.max()", "t += np.sum(-o)", "o += o",
    "t += np.sum(np.zeros(o.shape) + t)", "a_, b_, c_ = o\nt += a_*b_*c_", "t += list(o)[0]",
    "for w_ in (o, p): w_ *= t", "np.cumsum(o, out=o)", "o[1:-1] += 0.5*(o[2:] - o[:-2])",
    "np.clip(o, 0.1, t + 0.6, out=o)", "np.place(o, o > 0.813, [t])",
    "w_ = {'q': o}\nw_['q'] += t", "w_ = types.SimpleNamespace(a=o)\nw_.a += t",
    "def h_(): o[0] = t\nh_()", "w_ = np.stack([o, o]).T\nw_[0] = t\nt += np.sum(w_)",
    "o[:] = np.roll(o, 1)*t", "t += np.sum(np.diff(o)**2)", "o.real[0] = t",
)  # fmt: skip

OBJECTS = (
    "t += o.size", "o.size = t*0.3 + 0.2", "o.size += t*0.1", "t += o.rate", "o.rate = t*0.5",
    "o.rate *= 1.5", "t += o[1]", "o[0] = t*0.1", "o[1] += t*0.2", "t += len(o)*0.1",
    "for e in o: t += e", "t += sum(list(o))", "a1, a2 = o\nt += a1*a2",
    "t += 0.3 if 0.613 in o else 0.1", "t += 0.5 if o else 0.2", "t += 0.5 if not o else 0.2",
    "t += 0.4 if o == p else 0.1", "t += 0.4 if o != p else 0.1", "t += 0.4 if o < p else 0.1",
    "t += 0.4 if o > p else 0.1", "t += o(t)", "with o as w_:\n    t += w_.s\nt += o.s",
    "t += (o + 0.3).v[0]", "t += (0.3 + o).v[0]", "o += t*0.1", "t += (-o).v[0]", "t += abs(o)",
    "t += float(o)*0.1", "t += int(o)*0.1", "t += x[o]", "t += o @ x", "t += o**2",
    "t += round(o)", "t += sum(reversed(o))", "t += type(o).make(x).v[1]", "t += o.make(x).s",
    "t += o.sq(t)*0.1", "t += o.cp", "t += o.cp\no.s = t\nt += o.cp", "o.bump(t*0.1).bump(0.1)",
    "b_ = o.bump\nb_(t*0.2)", "t += getattr(o, 'size')", "setattr(o, 'size', t*0.2)",
    "t += 0.1 if isinstance(o, B) else 0.2", "t += o.unit", "o.unit = 0.6\nt += o.unit + p.unit",
    "t += max(o, p).s", "t += sorted([p, o])[0].s", "t += 0.1 if any([o, p]) else 0.3",
    "o.extra = t*0.2\nt += o.extra", "o.log.append(t)\nt += sum(o.log)",
    "o.size, t = t*0.3, o.s", "for o.size in x[:2]: t += o.s", "o.size = o.s = t*0.2",
    "t += (w_ := o).size", "t += sum([*o])", "t += sum(a_*b_ for a_, b_ in zip(o, x))",
    "for i_, e in enumerate(o): t += e*i_", "t += sum(map(lambda e: e*2, o))", "t += min(o)",
    "str(o.s)", "t += 0.1 if o is p else 0.3", "t += {True: 0.1, False: 0.4}[bool(o)]",
    "while o:\n    o.s = o.s*0.7\n    t += 0.1", "t += (o and p).s", "t += (o or p).s",
)  # fmt: skip

CHOICES = (
    "o = p", "o = p if x[0] > 0 else q", "if x[0] > 0.1:\n    o = p\nelse:\n    o = q",
    "o = p\nfor k in range(n):\n    o = q if k % 2 else p",
    "l = [p, q]\nfor k in range(n): l.append({NEW})\no = l[-1]", "l = [p, q]\no = l[n % 2]",
    "for o in (p, q)[:n + 1]: t += 0.1", "o = {'a': p, 'b': q}['a' if n > 1 else 'b']",
    "o = None\nfor k in range(n): o = p\nif o is None: o = q",
    "h = types.SimpleNamespace(c=p)\nif n > 1: h.c = q\no = h.c", "o = chosen(p, q, n)",
    "o, r_ = p, q\nfor k in range(n): o, r_ = r_, o", "o = [p, q][int(x[0] > 0.613)]",
)  # fmt: skip

HELPERS = """import functools
import types

import numpy as np


class Doubled:
    def __set_name__(self, o, n): self.n = "_"+n
    def __get__(self, obj, cls=None): return getattr(obj, self.n)*2.0
    def __set__(self, obj, v): setattr(obj, self.n, v*0.7)
class B:
    unit = 0.3
    rate = Doubled()
    def __init__(self, v, s, r=0.5):
        self.v, self.s = v, s
        self.rate = r
        self.log = []
    @property
    def size(self): return self.s*2.0
    @size.setter
    def size(self, v): self.s = v*0.5
    @size.deleter
    def size(self): self.s = self.s*0.1
    def __getitem__(self, k): return self.v[k]*1.1
    def __setitem__(self, k, val): self.v[k] = val*0.9
    def __delitem__(self, k): self.v[k] = 0.0
    def __len__(self): return 2
    def __iter__(self):
        yield self.s
        yield self.s*2
    def __contains__(self, e): return e > 0.4
    def __bool__(self): return bool(self.s > 0.45)
    def __eq__(self, o): return bool(self.s == o.s)
    def __lt__(self, o): return self.s < o.s
    def __hash__(self): return 3
    def __call__(self, w): return self.s*w
    def __enter__(self):
        self.s = self.s*1.5
        return self
    def __exit__(self, *a): self.s = self.s*0.8
    def __add__(self, o): return B(self.v+o, self.s)
    def __radd__(self, o): return B(self.v+2*o, self.s)
    def __iadd__(self, o):
        self.v = self.v + 3*o
        return self
    def __neg__(self): return B(-self.v, self.s)
    def __abs__(self): return self.s*5
    def __float__(self): return float(self.s)*7
    def __int__(self): return 2
    def __index__(self): return 1
    def __matmul__(self, o): return np.sum(self.v*o)
    def __pow__(self, k): return self.s**k
    def __round__(self, n=0): return self.s*9
    def __reversed__(self): return iter([self.s*4])
    def __missing__(self, k): return 1
    @classmethod
    def make(cls, v): return cls(v*cls.unit, v[0])
    @staticmethod
    def sq(v): return v**2
    @functools.cached_property
    def cp(self): return self.s*np.sum(self.v)
    def bump(self, h): self.s = self.s + h; return self


def chosen(p, q, n):
    if n > 1:
        return p
    return q


def bump(o, t):
    o.append(t * 2)
    o[0] = o[0] * t


def keep(o):
    return o


def setd(o, t):
    o["a"] = t * o["b"]
    return o


def scale(o, t):
    o *= t
    o[0] = 0.3


def addall(*a):
    return sum(v * v for v in a)


"""


@dataclass(frozen=True)
class Kind:
    """first, second, new: how things of a kind are made. total: a number of all that is in one."""

    uses: tuple[str, ...]
    first: str
    second: str
    new: str
    total: str


KINDS = (
    Kind(LISTS, "[x[0], x[1], t]", "[x[2] * 2.0, t, x[1] * x[0]]", "[t, t * 2.0]", "sum({})"),
    Kind(
        DICTS, "{'a': x[0], 'b': t}", "{'a': x[2], 'b': x[1]}", "{'a': t, 'b': t}",
        "sum({}.values())",
    ),
    Kind(ARRAYS, "x * 1.0", "y[::-1] * 2.0", "np.array([t, t, 0.3])", "np.sum({} ** 2)"),
    Kind(
        OBJECTS, "B(x * 1.0, x[0])", "B(y * 2.0, x[1], 0.4)", "B(m[0], x[2])",
        "({0}.s + np.sum({0}.v) * 0.2 + {0}.rate)",
    ),
)  # fmt: skip
AROUND = (
    "for z_ in range(n):", "if t > 0.613:", "if x[1] > 0.1:", "j_ = 0\nwhile j_ < n:\n    j_ += 1",
)  # fmt: skip
NAMES = ("o = q", "p, q = q, p", "q = o", "r_ = o", "o = p")


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    kind = draw(st.sampled_from(KINDS))
    choices = st.sampled_from(CHOICES).map(lambda text: text.replace("{NEW}", kind.new))
    lines = ["t = 0.3 * a + 0.2137", f"p = {kind.first}", f"q = {kind.second}", draw(choices)]
    for _ in range(draw(st.integers(1, 4))):
        lines.append(_step(draw, kind))
    if draw(st.integers(0, 3)) == 0:
        lines += [draw(choices), _step(draw, kind)]
    one, other, chosen = (kind.total.format(name) for name in "pqo")
    lines.append(f"return {chosen} * 0.7 + {one} + {other} * 1.3 + t")
    return HELPERS + "def f(x, y, m, a, n):\n" + _indented("\n".join(lines))


def _step(draw: Any, kind: Kind) -> str:
    """One use, of `o` mostly, inside a loop or branch now and then."""
    used: str = draw(st.sampled_from(kind.uses))
    if draw(st.integers(0, 3)) == 0:
        used = re.sub(r"\bo\b", draw(st.sampled_from("pq")), used)
    way = draw(st.integers(0, 9))
    if way == 0:
        return str(draw(st.sampled_from(NAMES)))
    if way < 5:
        return str(draw(st.sampled_from(AROUND))) + "\n" + _indented(used)
    return used


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.rstrip("\n").split("\n"))
