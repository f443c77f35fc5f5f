"""The tensor: an array, an edge of the graph, a version counter.

Methods that compute are attached by the modules `operators`, `methods`, `views` and `inplace`.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from s2sgrad.eager.batches.array import as_array
from s2sgrad.eager.recording.node import LEAF, Output, add_hook, hooks_of, shown
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.counters import InferenceCounter
from s2sgrad.eager.tensors.devices import CPU, STRIDED
from s2sgrad.eager.tensors.tensor_values import Values, fact

ndarray = np.ndarray
new = object.__new__

NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information. (Triggered internally at s2sgrad.)"
)
CANNOT_CHANGE = (
    "you can only change requires_grad flags of leaf variables. If you want to use a computed "
    "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
)
INFERENCE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed."
    "You can make a clone to get a normal tensor before doing inplace update."
    "See https://github.com/pytorch/rfcs/pull/17 for more details."
)
INFERENCE_REQUIRES = (
    "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
)

TRANSFORMED = (
    "You are attempting to call Tensor.requires_grad_() (or perhaps using "
    "torch.autograd.functional.* APIs) inside of a function being transformed by a functorch "
    "transform. This is unsupported, please attempt to use the functorch transforms (e.g. grad, "
    "vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being "
    "transformed instead."
)


class Tensor(Values):
    """A NumPy array that may remember how it was computed.

    `_array`: the data, always an ndarray. `_node`: None (constant), LEAF, or the edge to the
    operation that made it. `_vc`: version counter `[n]`, shared by all tensors on one memory.
    `_view`: None or the View that says of which base this is a part.
    """

    __slots__ = ("__dict__", "__weakref__", "_array", "_node", "_vc", "_view")
    # What few tensors have lies in their `__dict__`.
    _grad: Tensor | None = None
    hooks: Any = None
    _inference: bool = False
    _retains: bool = False
    __array_priority__ = 1000
    order = 0  # a leaf as an edge: after every node
    _array: np.ndarray[Any, Any]
    _node: Any
    _vc: list[Any]
    _view: Any

    if TYPE_CHECKING:  # attached by the modules that install operators

        def __getattr__(self, name: str) -> Any: ...

        __add__: Any
        __radd__: Any
        __sub__: Any
        __rsub__: Any
        __mul__: Any
        __rmul__: Any
        __truediv__: Any
        __rtruediv__: Any
        __matmul__: Any
        __rmatmul__: Any
        __pow__: Any
        __neg__: Any
        __invert__: Any
        __and__: Any
        __or__: Any
        __lt__: Any
        __le__: Any
        __gt__: Any
        __ge__: Any
        __eq__: Any
        __ne__: Any
        __getitem__: Any
        __setitem__: Any

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        from s2sgrad.eager.tensors.legacy import made

        return made(cls, args, dtypes.get_default_dtype())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    # --- facts -----------------------------------------------------------------------------
    @fact
    def shape(self) -> dtypes.Size:
        return dtypes.Size(self._array.shape)

    @fact
    def dtype(self) -> dtypes.dtype:
        return dtypes.from_numpy(self._array.dtype)

    @fact
    def ndim(self) -> int:
        return self._array.ndim

    @fact
    def device(self) -> Any:
        return CPU

    @fact
    def layout(self) -> Any:
        return STRIDED

    @fact
    def name(self) -> None:
        return None

    @fact
    def itemsize(self) -> int:
        return self._array.itemsize

    @fact
    def nbytes(self) -> int:
        return self._array.nbytes

    @fact
    def is_leaf(self) -> bool:
        edge = self._edge()
        return edge is None or isinstance(edge, Tensor)

    @property
    def requires_grad(self) -> bool:
        return self._node is not None or self._edge() is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value.__class__ is not bool:
            raise RuntimeError("requires_grad must be a bool")
        if value and self._edge() is not None and self._node is not LEAF:
            raise RuntimeError(CANNOT_CHANGE.split(" If ")[0])
        set_requires_grad(self, value)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    @fact
    def grad_fn(self) -> Any:
        edge = self._edge()
        if edge is None or isinstance(edge, Tensor):
            return None
        return shown(edge.parents[0] if isinstance(edge, Output) else edge)

    @fact
    def output_nr(self) -> int:
        edge = self._edge()
        return edge.index if isinstance(edge, Output) else 0

    @fact
    def _version(self) -> int:
        if self._inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        return self._vc[0]

    @fact
    def _base(self) -> Tensor | None:
        return self._view.base if self._view is not None else None

    def _is_view(self) -> bool:
        return self._view is not None

    def is_inference(self) -> bool:
        return bool(self._inference)

    def _edge(self) -> Any:
        """The edge to record: None, a node, an output, or this leaf itself."""
        view = self._view
        if view is not None and view.version != self._vc[0]:
            view.refresh(self)
        return self if self._node is LEAF else self._node

    # --- gradient --------------------------------------------------------------------------
    @property
    def grad(self) -> Tensor | None:
        tracked = self._node is not None and self._node is not LEAF
        if tracked and not self._retains and self._grad is None:
            warnings.warn(NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            check_grad(self, value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    @fact
    def retains_grad(self) -> bool:
        return bool(self._retains) and self._node is not LEAF

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Make a leaf track gradients (or not); returns self."""
        if requires_grad.__class__ is not bool:
            kind = type(requires_grad).__name__
            raise TypeError(
                f"requires_grad_(): argument 'requires_grad' (position 1) must be bool, not {kind}"
            )
        if requires_grad and not floats(self._array.dtype):
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if requires_grad and STATE.transforms:
            raise RuntimeError(TRANSFORMED)
        set_requires_grad(self, requires_grad)
        return self

    def retain_grad(self) -> None:
        """Keep `.grad` for this non-leaf too."""
        import weakref

        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self._node is LEAF or self._retains:
            return
        self._retains = True
        hooks_of(self._node).retain = weakref.ref(self)

    def register_hook(self, hook: Any) -> Any:
        """`hook(grad)` runs when the gradient of this tensor is known; may return another."""
        edge = self._edge()
        if edge is None:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        return add_hook(hooks_of(edge).tensor, hook)

    def register_post_accumulate_grad_hook(self, hook: Any) -> Any:
        """`hook(leaf)` runs after `.grad` of a leaf has been updated."""
        if self._edge() is None:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._node is not LEAF:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        return add_hook(hooks_of(self).post_accumulate, hook)

    _backward_hooks = property(lambda self: self.hooks.tensor if self.hooks else None)

    def detach(self) -> Tensor:
        """The same memory and version counter, without history (and without tangent)."""
        made = wrap(self._array if STATE.duals is None else self._array[...], None)
        made._vc = self._vc
        if self._inference:
            made._inference = True
        return made

    def detach_(self) -> Tensor:
        """Forget the history; RuntimeError for a view."""
        if self._view is not None and self._edge() is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDa"
                "taParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradien"
                "ts are views of DDP buckets, and hence detach_() cannot be called on these gradien"
                "ts. To fix this error, please refer to the Optimizer.zero_grad() function in torch"
                "/optim/optimizer.py as the solution."
            )
        self._node = None
        return self

    @property
    def grad_dtype(self) -> Any:
        """The dtype of `grad`: the tensor's own."""
        return self.dtype

    @property
    def data(self) -> Tensor:
        made = share(self, Tensor)
        if self._inference:
            made._inference, made._vc = True, self._vc
        if STATE.duals is not None:
            made._array = self._array[...]  # another array object: it has no tangent
        return made

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {full_name(value)}")
        if self._node is not None and not floats(value._array.dtype):
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        self._array = value._array
        self._vc = [self._vc[0]]


for _name in ("is_cuda", "is_sparse", "is_quantized", "is_meta", "is_mkldnn", "is_nested"):
    setattr(Tensor, _name, fact(lambda t: False).named(_name))


def floats(numpy_dtype: Any) -> bool:
    """Whether values of this type can carry a derivative."""
    return numpy_dtype.kind in "fc" or numpy_dtype in dtypes.REAL_FLOATS


def wrap(array: Any, node: Any = None, cls: Any = Tensor) -> Any:
    """A tensor around an array (or NumPy scalar), with fresh version counter."""
    made = new(cls)
    made._array = array if array.__class__ is ndarray else as_array(array)
    made._node, made._view = node, None
    if STATE.inference:
        made._inference, made._vc = True, InferenceCounter((0,))
    else:
        made._vc = [0]
    return made


def share(t: Tensor, cls: Any) -> Any:
    """A leaf of class `cls` on the memory of `t`, with a version counter of its own."""
    made = new(cls)
    made._array, made._node, made._vc, made._view = t._array, None, [0], None
    return made


def unwrapped(value: Any) -> Any:
    """The array of a tensor; anything else as it is."""
    return value._array if isinstance(value, Tensor) else value


def set_requires_grad(t: Tensor, value: bool) -> None:
    """Set the flag of a leaf; RuntimeError for anything else."""
    if t._edge() is not None and t._node is not LEAF:
        if not value:
            raise RuntimeError(CANNOT_CHANGE)
        return
    if value and not floats(t._array.dtype):
        raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
    if value and t._inference and not STATE.inference:
        raise RuntimeError(INFERENCE_REQUIRES)
    t._node = LEAF if value else None
    if value and t.hooks is None:  # set, so that the engine finds them without a detour
        t.hooks = None
        t._grad = t._grad


def full_name(value: Any) -> str:
    """The name of a value's type with its module, as torch words it."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def check_grad(t: Tensor, value: Any) -> None:
    """Whether `value` may become `t.grad`."""
    if not isinstance(value, Tensor):
        raise TypeError(
            "assigned grad expected to be a Tensor or None but got grad of type " + full_name(value)
        )
    if value is t:
        raise RuntimeError("can't assign Variable as its own grad")
    if value._array.dtype != t._array.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{value.dtype.c_name}' to a tensor with "
            f"grad_dtype '{t.dtype.type_name}'. The gradient must match the tensor's grad_dtype "
            "(defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with "
            "a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging "
            "the dtypes of a tensor and its gradient may break downstream systems that assume they "
            "match."
        )
    if value._array.shape != t._array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(value._array.shape)}' to a tensor of "
            f"size '{list(t._array.shape)}'. Please ensure that the gradient and the tensor are "
            "the same size"
        )
