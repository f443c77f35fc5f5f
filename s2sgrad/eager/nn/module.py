"""`nn.Module`: attributes that register themselves, hooks, modes and conversions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from s2sgrad.eager._core import (
    RemovableHandle,
    Tensor,
    add_hook,
    as_dtype,
    destination,
    no_grad,
    type_name,
)
from s2sgrad.eager.nn.module_hooks import ModuleHooks
from s2sgrad.eager.nn.parameter import Buffer, Parameter

__all__ = ["Module", "register_module_forward_hook", "register_module_forward_pre_hook"]

_GLOBAL_FORWARD_HOOKS: dict[int, Any] = {}
_GLOBAL_FORWARD_PRE_HOOKS: dict[int, Any] = {}


def register_module_forward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """`hook(module, args, output)` after every module's forward."""
    return add_hook(_GLOBAL_FORWARD_HOOKS, hook)


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """`hook(module, args)` before every module's forward."""
    return add_hook(_GLOBAL_FORWARD_PRE_HOOKS, hook)


class Module(ModuleHooks):
    """Base of everything that has parameters. Subclasses set them in `__init__`, and `forward`.

    A Parameter, Buffer or Module assigned as an attribute is registered under its name.
    """

    training: bool
    _global_hooks = (_GLOBAL_FORWARD_PRE_HOOKS, _GLOBAL_FORWARD_HOOKS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args or kwargs:
            got = f"'{next(iter(kwargs))}'" if kwargs else ""
            name = type(self).__name__
            if kwargs:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument {got}")
            raise TypeError(
                f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given"
            )
        own = self.__dict__
        own["training"] = True
        for name in (
            "_parameters", "_buffers", "_modules", "_forward_hooks", "_forward_pre_hooks",
            "_backward_hooks", "_backward_pre_hooks", "_state_dict_hooks",
            "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
        ):  # fmt: skip
            own[name] = {}
        own["_non_persistent_buffers_set"] = set()

    def forward(self, *args: Any) -> Any:
        """What the module computes; every subclass says it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    # ------------------------------------------------------------ attributes

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            found = own.get(table)
            if found is not None and name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, own["_parameters"])
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if "_modules" not in own:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, own["_modules"])
            own["_modules"][name] = value
        elif isinstance(value, Buffer):
            self._forget(name, own["_buffers"])
            self.register_buffer(name, value, value.persistent)
        else:
            self._set_plain(name, value)

    def _set_plain(self, name: str, value: Any) -> None:
        """Set what is no member; a registered name takes only its kind, or None."""
        own = self.__dict__
        for table, what, kind in (
            ("_parameters", "parameter", "torch.nn.Parameter or None"),
            ("_modules", "child module", "torch.nn.Module or None"),
            ("_buffers", "buffer", "torch.nn.Buffer, torch.Tensor or None"),
        ):
            members = own.get(table)
            if members is None or name not in members:
                continue
            if value is not None and not (table == "_buffers" and isinstance(value, Tensor)):
                raise TypeError(
                    f"cannot assign '{type_name(value)}' as {what} '{name}' ({kind} expected)"
                )
            members[name] = value
            return
        object.__setattr__(self, name, value)

    def _forget(self, name: str, keep: dict[str, Any]) -> None:
        """Remove a name from wherever it is registered, except in the table `keep`."""
        for table in (self.__dict__, self._parameters, self._buffers, self._modules):
            if table is not keep:
                table.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [*object.__dir__(self), *self._parameters, *self._modules, *self._buffers]
        return sorted(name for name in set(names) if not name[0].isdigit())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # ------------------------------------------------------------ registration

    def _check_new_name(self, kind: str, name: Any, table: dict[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {type_name(name)}")
        if "." in name:
            colon = ", got: " + name if kind == "module" else ""
            raise KeyError(f'{kind} name can\'t contain "."{colon}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter (None: the name is kept free for one)."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_new_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type_name(param)}' object to parameter '{name}'"
                " (torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be"
                f" created explicitly. To express '{name}' as a function of another Tensor,"
                " compute the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Add a tensor that is state but not trained (not `persistent`: not saved either)."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_new_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type_name(tensor)}' object to buffer '{name}'"
                " (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        keep = self._non_persistent_buffers_set
        keep.discard(name) if persistent else keep.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a submodule under a name."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{type_name(module)} is not a Module subclass")
        self._check_new_name("module", name, self._modules)
        self._modules[name] = module

    register_module = add_module

    # ------------------------------------------------------------ modes and conversions

    def train(self, mode: bool = True) -> Any:
        """Set `training` here and below; returns self."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self) -> Any:
        """`train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Set `requires_grad` of all parameters; returns self."""
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Reset all gradients to None, or to zeros in place."""
        for p in self.parameters():
            if p.grad is None:
                continue
            if set_to_none:
                p.grad = None
            else:
                p.grad.detach_() if p.grad.grad_fn is not None else p.grad.requires_grad_(False)
                p.grad.zero_()

    def apply(self, fn: Callable[[Any], Any]) -> Any:
        """Call `fn(module)` on every module, children first; returns self."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        """Replace the data of every parameter, gradient and buffer by `fn` of it."""
        if recurse:
            for child in self.children():
                child._apply(fn)
        with no_grad():
            for p in self._parameters.values():
                if p is None:
                    continue
                gradient = p.grad
                p.grad = None
                p.data = fn(p.data)
                if gradient is not None:
                    p.grad = fn(gradient.detach()).requires_grad_(gradient.requires_grad)
            for name, buffer in self._buffers.items():
                if buffer is not None:
                    self._buffers[name] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Convert floating parameters and buffers: `to(dtype)`, `to(tensor)`, `to("cpu", dtype)`.

        Returns self. What `Tensor.to` takes for a place it takes too, and refuses the same.
        """
        place, dtype, _ = destination(args, **kwargs)
        if place is not None:
            self._apply(lambda t: t.to(place))
        if dtype is None:
            return self
        if not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired"
                f" dtype={dtype}"
            )
        if dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose design may"
                " change, and some modules might not work as expected when using complex tensors"
                " as parameters or buffers. Please file an issue at"
                " https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a"
                " complex module does not work as expected.",
                stacklevel=2,
            )
        return self._apply(lambda t: t.to(dtype) if t.is_floating_point() or t.is_complex() else t)

    def _cast(self, name: str) -> Any:
        return self._apply(lambda t: t.to(as_dtype(name)) if t.is_floating_point() else t)

    def float(self) -> Any:
        """All floating parameters and buffers to float32."""
        return self._cast("float32")

    def type(self, dst_type: Any) -> Any:
        """All floating parameters and buffers to a dtype."""
        return self.to(dst_type)

    def double(self) -> Any:
        """All floating parameters and buffers to float64."""
        return self._cast("float64")

    def half(self) -> Any:
        """All floating parameters and buffers to float16."""
        return self._cast("float16")

    def bfloat16(self) -> Any:
        """All floating parameters and buffers to bfloat16."""
        return self._cast("bfloat16")

    def cuda(self, device: Any = None) -> Any:
        """There is no such device: raises where the module holds a tensor."""
        return self._apply(lambda t: t.cuda(device))

    def cpu(self) -> Any:
        """Everything is on the CPU: returns self."""
        return self
