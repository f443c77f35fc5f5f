"""Matrix products under torch's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.amp import lowered, using
from s2sgrad.eager.operations.complaints import filled
from s2sgrad.eager.operations.primitives import addmm_array
from s2sgrad.eager.recording.fastpath import matrices
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.recording.record import apply, op_of, plain
from s2sgrad.eager.recording.saved import Foreign
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.promotion import broadcast_error
from s2sgrad.eager.tensors.tensor import Tensor, wrap

MM, MV, DOT, VM, BMM = (
    op_of(np.matmul, f"{n}Backward{i}")
    for n, i in (("Mm", 0), ("Mv", 0), ("Dot", 0), ("Squeeze", 4), ("UnsafeView", 0))
)
VDOT = op_of(np.matmul, "VdotBackward0")
BMM_3 = op_of(np.matmul, "BmmBackward0")
ADDMM = op_of(addmm_array, "AddmmBackward0")
_OPS = {(1, 1): DOT, (1, 2): VM, (2, 1): MV, (2, 2): MM}


def matmul(input: Any, other: Any, *, out: Any = None) -> Any:
    """`input @ other`, batched over leading axes."""
    if STATE.autocast is not None:
        input, other = lowered(input, other)
    if not isinstance(input, Tensor):
        input = wrap(np.asarray(plain(input)), None, Foreign)
        if isinstance(other, Tensor):
            return apply(_OPS.get((input._array.ndim, other._array.ndim), BMM), (input, other), {})
    if not isinstance(other, Tensor):
        if not isinstance(other, np.ndarray):
            return NotImplemented
        return apply(
            _OPS.get((input._array.ndim, other.ndim), BMM), (input, wrap(other, None, Foreign)), {}
        )
    a, b = input._array, other._array
    if a.ndim == 0 or b.ndim == 0:
        raise shape_error(a, b)
    if a.dtype is not b.dtype:
        if a.ndim == 2 and b.ndim == 1 and a.shape[1] != b.shape[0]:
            raise shape_error(a, b)
        same_dtype(input, other)
    op = _OPS.get((a.ndim, b.ndim), BMM)
    try:
        return apply(op, (input, other), {})
    except ValueError:
        raise shape_error(a, b) from None


def shape_error(a: Any, b: Any) -> RuntimeError:
    """torch's error for matrices that do not fit."""
    if a.ndim == 0 or b.ndim == 0:
        return RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {a.ndim}D and {b.ndim}D"
        )
    if (a.ndim, b.ndim) == (1, 1):
        return RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the "
            f"same number of elements, but got {a.size} and {b.size} elements respectively"
        )
    if a.ndim >= 2 and b.ndim == 1:
        rows = a.size // a.shape[-1] if a.shape[-1] else 0
        return RuntimeError(f"size mismatch, got input ({rows}), mat ({rows}x{a.shape[-1]}), "
                            f"vec ({b.size})")  # fmt: skip
    if a.ndim > 2 and b.ndim > 2 and a.shape[-1] == b.shape[-2]:
        return broadcast_error(a[..., 0, 0], b[..., 0, 0])
    m = f"{a.shape[-2] if a.ndim > 1 else 1}x{a.shape[-1]}"
    n = f"{b.shape[-2] if b.ndim > 1 else b.shape[0]}x{b.shape[-1] if b.ndim > 1 else 1}"
    return RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({m} and {n})")


def same_dtype(a: Tensor, b: Tensor) -> None:
    """torch multiplies only matrices of one dtype; in NumPy code any two will do."""
    if a._array.dtype != b._array.dtype and not STATE.numpy:
        x, y = a.dtype, b.dtype
        if a._array.ndim == b._array.ndim == 1:
            raise RuntimeError(
                "dot : expected both vectors to have same dtype, but found "
                f"{x.type_name} and {y.type_name}"
            )
        if (a._array.ndim, b._array.ndim) == (2, 1):
            raise RuntimeError(
                "addmv input tensors must have the same dtype, but got "
                f"{y.type_name}, {x.type_name}, and {y.type_name}"
            )
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {_c_name(x)} != {_c_name(y)}"
        )


def _c_name(d: Any) -> str:
    return {
        "float32": "float",
        "float64": "double",
        "int64": "long int",
        "float16": "c10::Half",
        "bfloat16": "c10::BFloat16",
    }.get(d.name, d.name)


def torch_matmul(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """`torch.matmul`: both of one dtype."""
    if out is not None:
        return filled(out, "matmul", torch_matmul, input, other)
    if STATE.autocast is not None:
        input, other = lowered(input, other)
    if isinstance(input, Tensor) and isinstance(other, Tensor):
        return fast_matmul(input, other)
    return matmul(input, other)


_FAST = {
    (1, 1): matrices(DOT, matmul, 1, 1),
    (1, 2): matrices(VM, matmul, 1, 2),
    (2, 1): matrices(MV, matmul, 2, 1),
}


def by_rank(input: Any, other: Any) -> Any:
    """A product that is not of two matrices."""
    if isinstance(other, Tensor):
        return _FAST.get((input._array.ndim, other._array.ndim), matmul)(input, other)
    return matmul(input, other)


fast_matmul = matrices(MM, by_rank)


def of_ranks(name: str, first: int, second: int, complaint: Any) -> Any:
    """`torch_matmul` for operands of these ranks only; autocast lowers two matrices, no vectors."""

    def product(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
        if (input._array.ndim, other._array.ndim) != (first, second):
            raise RuntimeError(complaint(input._array.ndim, other._array.ndim))
        if STATE.autocast is not None and second == 1:
            with using(None):
                return torch_matmul(input, other, out=out)
        return torch_matmul(input, other, out=out)

    product.__name__ = product.__qualname__ = name
    return product


mm = of_ranks("mm", 2, 2, lambda a, b: f"{'mat2' if a == 2 else 'self'} must be a matrix")
mv = of_ranks("mv", 2, 1, lambda a, b: f"vector + matrix @ vector expected, got 1, {a}, {b}")
dot = of_ranks("dot", 1, 1, lambda a, b: f"1D tensors expected, but got {a}D and {b}D tensors")


def vdot(input: Tensor, other: Tensor) -> Tensor:
    """The dot product of vectors, the first one conjugated."""
    if input._array.dtype.kind == "c":
        return dot(input.conj(), other)
    return apply(VDOT, (input, other), {})


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """A batch of matrix products."""
    if STATE.autocast is not None:
        input, mat2 = lowered(input, mat2)
    a, b = input._array.shape, mat2._array.shape
    for name, shape in (("batch1", a), ("batch2", b)):
        if len(shape) != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if (a[0], a[2]) != b[:2]:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{a[0]}, {a[2]}] but got: [{b[0]}, {b[1]}]."
        )
    if input._array.dtype != mat2._array.dtype:
        words = (t.dtype.type_name for t in (input, mat2))
        raise RuntimeError("expected scalar type {} but found {}".format(*words))
    return apply(BMM_3, (input, mat2), {})


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """All products of two vectors' entries."""
    for name, t in (("self", input), ("vec2", vec2)):
        if t._array.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {t._array.ndim}-D")
    return input.unsqueeze(1) * vec2


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """`beta * input + alpha * mat1 @ mat2`."""
    if STATE.autocast is not None:
        input, mat1, mat2 = lowered(input, mat1, mat2)
    a, b = mat1._array.shape, mat2._array.shape
    for name, shape in (("mat1", a), ("mat2", b)):
        if len(shape) != 2:
            raise RuntimeError(f"{name} must be a matrix, got {len(shape)}-D tensor")
    if a[1] != b[0]:
        raise shape_error(mat1._array, mat2._array)
    if input._array.shape != (a[0], b[1]):
        input = input.expand(a[0], b[1])  # type: ignore[attr-defined]
    return apply(ADDMM, (input, mat1, mat2, beta, alpha), {})


def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """`beta * input + alpha * batch1 @ batch2` for batches of matrices."""
    if STATE.autocast is not None:
        input, batch1, batch2 = lowered(input, batch1, batch2)
    made = (input if beta == 1 else input * beta) + bmm(batch1, batch2) * alpha
    return named_as(made, "BaddbmmBackward0")  # type: ignore[no-any-return]


def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """`beta * input + alpha * mat @ vec`."""
    ranks = [t._array.ndim for t in (input, mat, vec)]
    if ranks[0] > 1 or ranks[1:] != [2, 1]:
        raise RuntimeError(f"vector + matrix @ vector expected, got {', '.join(map(str, ranks))}")
    made = (input if beta == 1 else input * beta) + mv(mat, vec) * alpha
    return named_as(made, "AddmvBackward0")  # type: ignore[no-any-return]


def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """`beta * input + alpha * outer(vec1, vec2)`."""
    made = (input if beta == 1 else input * beta) + outer(vec1, vec2) * alpha
    return named_as(made, "AddrBackward0")  # type: ignore[no-any-return]


def _install() -> None:
    T: Any = Tensor
    T.baddbmm, T.addmv, T.addr = baddbmm, addmv, addr
    T.__matmul__ = fast_matmul
    T.__rmatmul__ = lambda t, other: matmul(np.asarray(other), t)
    T.matmul, T.mm, T.mv, T.dot, T.vdot = torch_matmul, mm, mv, dot, vdot
    T.bmm, T.outer = bmm, outer


FUNCTIONS: dict[str, Any] = {
    "matmul": torch_matmul, "mm": mm, "mv": mv, "dot": dot, "vdot": vdot, "inner": torch_matmul,
    "bmm": bmm, "outer": outer, "ger": outer, "baddbmm": baddbmm, "addmv": addmv, "addr": addr,
    "addmm": addmm,
}  # fmt: skip
_install()
