"""The printed form of a tensor, as torch prints it."""

from __future__ import annotations

import math
import textwrap
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors import dtypes


class Options:
    """What `set_printoptions` changes."""

    precision = 4
    threshold: float = 1000
    edgeitems = 3
    linewidth = 80
    sci_mode: bool | None = None


def set_printoptions(
    precision: int | None = None, threshold: int | None = None, edgeitems: int | None = None,
    linewidth: int | None = None, profile: str | None = None, sci_mode: bool | None = None,
) -> None:  # fmt: skip
    """Change how tensors print; `profile` is "default", "short" or "full"."""
    if profile is not None:
        Options.precision = 2 if profile == "short" else 4
        Options.threshold = math.inf if profile == "full" else 1000
        Options.edgeitems, Options.linewidth = (2 if profile == "short" else 3), 80
    for name, value in (("precision", precision), ("threshold", threshold),
                        ("edgeitems", edgeitems), ("linewidth", linewidth)):  # fmt: skip
        if value is not None:
            setattr(Options, name, value)
    Options.sci_mode = sci_mode


class Column:
    """How all numbers of one tensor are written: integer form, fixed or scientific, and width."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.floating = values.dtype.kind == "f"
        self.whole, self.scientific, self.width = True, False, 1
        flat = values.reshape(-1)
        if not self.floating:
            self.width = max([1, *(len(str(v)) for v in flat.tolist())])
            return
        finite = flat[np.isfinite(flat) & (flat != 0)]
        if finite.size:
            self._choose(finite.astype(np.float64))
        # Width covers nan and inf too where there are finite numbers beside them.
        shown = flat if finite.size else flat[:0]
        self.width = max([1, *(len(self._text(v)) for v in self._width_of(shown))])

    def _choose(self, finite: np.ndarray[Any, Any]) -> None:
        size = np.abs(finite)
        low, high = float(size.min()), float(size.max())
        self.whole = bool((np.ceil(finite) == finite).all())
        if self.whole:
            self.scientific = high / low > 1000.0 or high > 1.0e8
        else:
            self.scientific = high / low > 1000.0 or high > 1.0e8 or low < 1.0e-4
        if Options.sci_mode is not None:
            self.scientific = Options.sci_mode

    def _width_of(self, flat: np.ndarray[Any, Any]) -> list[float]:
        if self.whole and not self.scientific:
            return flat[np.isfinite(flat) & (flat != 0)].tolist() if flat.size else []
        return flat[np.isfinite(flat) & (flat != 0)].tolist()

    def _text(self, value: Any) -> str:
        if not self.floating:
            return str(value)
        if self.scientific:
            return f"{value:.{Options.precision}e}"
        if self.whole:
            text = f"{value:.0f}"
            return text if math.isinf(value) or math.isnan(value) else text + "."
        return f"{value:.{Options.precision}f}"

    def format(self, value: Any) -> str:
        """One number, padded to the column."""
        return self._text(value).rjust(self.width)


class ComplexColumn:
    """Two columns: real and imaginary part."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.real, self.imag = Column(values.real), Column(values.imag)
        self.width = self.real.width + self.imag.width + 1

    def format(self, value: complex) -> str:
        real = self.real.format(value.real)
        imag = (self.imag.format(value.imag) + "j").lstrip()
        return real + imag if imag[0] in "+-" else f"{real}+{imag}"


def scalar_row(row: np.ndarray[Any, Any], indent: int, summary: bool, column: Any) -> str:
    """One innermost row, broken into lines of the line width."""
    per_line = max(1, (Options.linewidth - indent) // (column.width + 2))
    edge = Options.edgeitems
    if summary and row.shape[0] > 2 * edge:
        words = [column.format(v) for v in row[:edge].tolist()]
        words += [" ..."] + [column.format(v) for v in row[-edge:].tolist()]
    else:
        words = [column.format(v) for v in row.tolist()]
    lines = [words[i : i + per_line] for i in range(0, len(words), per_line)]
    joined = [", ".join(line) for line in lines]
    return "[" + ("," + "\n" + " " * (indent + 1)).join(joined) + "]"


def nested(array: np.ndarray[Any, Any], indent: int, summary: bool, column: Any) -> str:
    """The bracketed rows of an array."""
    if array.ndim == 0:
        return column.format(array.item())
    if array.ndim == 1:
        return scalar_row(array, indent, summary, column)
    edge = Options.edgeitems
    if summary and array.shape[0] > 2 * edge:
        parts = [nested(array[i], indent + 1, summary, column) for i in range(edge)]
        parts += ["..."]
        parts += [nested(array[i], indent + 1, summary, column) for i in range(-edge, 0)]
    else:
        parts = [nested(part, indent + 1, summary, column) for part in array]
    return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(parts) + "]"


def corners(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The entries that a summary shows."""
    edge = Options.edgeitems
    for axis, n in enumerate(array.shape):
        if n > 2 * edge:
            keep = [*range(edge), *range(n - edge, n)]
            array = np.take(array, keep, axis=axis)
    return array


def body(t: Any, indent: int) -> str:
    """The numbers of a tensor."""
    array = t._array
    if t.dtype.name in ("bfloat16", "float16"):
        array = array.astype(np.float32)
    summary = array.size > Options.threshold
    shown = corners(array) if summary else array
    column: Any = ComplexColumn(shown) if array.dtype.kind == "c" else Column(shown)
    return nested(array, indent, summary, column)


def suffixes(t: Any) -> list[str]:
    """dtype, size of an empty tensor, and grad_fn or requires_grad."""
    kind = t.dtype
    usual = kind in (dtypes.get_default_dtype(), dtypes.int64, dtypes.bool_) or (
        kind is dtypes.default_complex()
    )
    found = []
    if t._array.size == 0:
        if t._array.ndim != 1:
            found.append(f"size={tuple(t._array.shape)}")
        if kind is not dtypes.get_default_dtype():
            found.append(f"dtype={kind}")
    elif not usual:
        found.append(f"dtype={kind}")
    try:
        node = t.grad_fn
        name = None if node is None else type(node).__name__
    except RuntimeError:  # a view whose base was written to where that is forbidden
        name = "Invalid"
    if name is not None:
        found.append(f"grad_fn=<{name}>")
    elif t.requires_grad:
        found.append("requires_grad=True")
    tangent = None if STATE.duals is None else STATE.duals.get(t)
    if tangent is not None:
        text = f"{tangent}" if tangent._array.ndim == 0 else tensor_text(tangent)
        found.append(f"tangent={text}")
    return found


def tensor_text(t: Any) -> str:
    """`tensor([1., 2.], requires_grad=True)`."""
    if t._array.__class__ is Batched:
        return batch_text(t)
    prefix = "tensor("
    indent = len(prefix)
    text = "[]" if t._array.size == 0 else body(t, indent)
    return with_suffixes(prefix + text, suffixes(t), indent)


def batch_text(t: Any) -> str:
    """All examples of a tensor inside `vmap`."""
    numbers = [level.number for level in STATE.levels]
    level = t._array.level
    place = numbers.index(level) + 1 if level in numbers else 1
    whole = object.__new__(type(t))
    whole._array, whole._node, whole._vc, whole._view = t._array.whole, t._node, t._vc, None
    inner = textwrap.indent(tensor_text(whole), " " * 4)
    return f"BatchedTensor(lvl={place}, bdim=0, value=\n{inner}\n)"


def with_suffixes(text: str, found: list[str], indent: int) -> str:
    """The suffixes after the numbers, on a new line where the last one is full."""
    parts = [text]
    last = len(text) - text.rfind("\n") + 1
    for suffix in found:
        if last + len(suffix) + 2 > Options.linewidth:
            parts.append(",\n" + " " * indent + suffix)
            last = indent + len(suffix)
        else:
            parts.append(", " + suffix)
            last += len(suffix) + 2
    return "".join(parts) + ")"
