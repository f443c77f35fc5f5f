"""`func`: transforms of functions of tensors, composable with each other.

Arguments and results may be nests of dicts, lists and tuples.
"""

from s2sgrad.eager.func.batching import vmap
from s2sgrad.eager.func.forward import jvp, linearize
from s2sgrad.eager.func.jacobians import hessian, jacfwd, jacrev
from s2sgrad.eager.func.modules import functional_call, functionalize, stack_module_state
from s2sgrad.eager.func.reverse import grad, grad_and_value, vjp

__all__ = [
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]
