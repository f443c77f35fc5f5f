"""`functional_call` and `stack_module_state`: modules as functions of their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager._core import Tensor, stack
from s2sgrad.eager.nn.module import Module


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """`module(*args, **kwargs)` with given tensors in place of its parameters and buffers.

    The tensors come by dotted name, in one dict or several. `tie_weights`: a parameter that the
    module has under several names is replaced under all of them. `strict`: all must be given.
    """
    given = _merged(parameter_and_buffer_dicts)
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    own = {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }
    if strict:
        _check_names(module, given, own)
    if tie_weights:
        given = _tied(given, own)
    with _replaced(module, given):
        return module(*args, **(kwargs or {}))


def _merged(dicts: Any) -> dict[str, Any]:
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, (list, tuple)):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got"
            f" {type(dicts)}"
        )
    if not all(isinstance(d, dict) for d in dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    names = [name for d in dicts for name in d]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ValueError(
            f"{repeated} appeared in multiple dictionaries; behavior of functional call is"
            " ambiguous"
        )
    return {name: value for d in dicts for name, value in d.items()}


def _check_names(module: Module, given: dict[str, Any], own: dict[str, Any]) -> None:
    problems = []
    unexpected = sorted(name for name in given if name not in own)
    missing = sorted(name for name in own if name not in given)
    if unexpected:
        problems.append("Unexpected key(s): " + ", ".join(f"'{n}'" for n in unexpected) + ".")
    if missing:
        problems.append("Missing key(s): " + ", ".join(f"'{n}'" for n in missing) + ".")
    if problems:
        lines = "\n\t".join(problems)
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:\n\t{lines}")


def _tied(given: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The tensors under every name that the module has for the same parameter."""
    same: dict[int, list[str]] = {}
    for name, value in own.items():
        same.setdefault(id(value), []).append(name)
    made = dict(given)
    for names in same.values():
        chosen = [name for name in names if name in given]
        if not chosen:
            continue
        if any(given[name] is not given[chosen[0]] for name in chosen):
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(chosen)}, which are tied."
                " Consider using tie_weights=False"
            )
        made.update(dict.fromkeys(names, given[chosen[0]]))
    return made


@contextmanager
def _replaced(module: Module, given: dict[str, Any]) -> Iterator[None]:
    """A block in which the module holds the given tensors."""
    undo: list[tuple[dict[str, Any], str, Any]] = []
    try:
        for dotted, value in given.items():
            if not isinstance(value, Tensor):
                raise TypeError(f"{value} is not an instance of torch.Tensor")
            path, _, name = dotted.rpartition(".")
            owner = module.get_submodule(path)
            for table in (owner._parameters, owner._buffers):
                if name in table:
                    undo.append((table, name, table[name]))
                    table[name] = value
                    break
        yield
    finally:
        for table, name, value in reversed(undo):
            table[name] = value


def stack_module_state(models: Sequence[Module]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(parameters, buffers) of several modules of one class, stacked by name for `vmap`."""
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not (all(m.training for m in models) or all(not m.training for m in models)):
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if any(type(m) is not type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = {}
    for name, first in models[0].named_parameters():
        rows = [m.get_parameter(name) for m in models]
        if any(p.requires_grad != first.requires_grad for p in rows):
            raise RuntimeError(
                f"Expected {name} parameter from each model to have the same .requires_grad"
            )
        parameters[name] = stack(rows).detach().requires_grad_(first.requires_grad)
    buffers = {
        name: stack([m.get_buffer(name) for m in models]).detach()
        for name, _ in models[0].named_buffers()
    }
    return parameters, buffers


def functionalize(func: Any, *, remove: str = "mutations") -> Any:
    """The function itself: writes in place are recorded here like everything else.

    remove: "mutations" or "mutations_and_views".
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            "functionalize(f, remove='mutations'): received invalid argument for remove="
            f"{remove}. Valid options are:\n     remove='mutations': all inplace and out= operators"
            " will be removed from the program, and replaced with their out-of-place equivalents.\n"
            "     remove='mutations_and_views': In addition to the above, all aliasing operators"
            " {view} will be replaced with their non-aliasing counterparts, {view}_copy."
        )
    return func
