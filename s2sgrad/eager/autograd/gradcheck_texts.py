"""The texts of `gradcheck`'s failures."""

from __future__ import annotations

from typing import Any

_WORKAROUNDS = """
If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck{colon}"""

NOT_REENTRANT = (
    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple"
    " times gives different values, although analytical gradient matches numerical gradient."
    "The tolerance for nondeterminism was {}."
)
NONDETERMINISTIC = (
    """\n
NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.
"""
    + _WORKAROUNDS.format(colon=".")
    + """
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""
)
SLOW_WOULD_PASS = (
    """Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!
"""
    + _WORKAROUNDS.format(colon=":")
    + """

If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `fast_mode=False` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_fast_mode=False`
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_fast_mode=False`"""
)
NO_INPUT = (
    "gradcheck expects at least one input tensor to require gradient, but none of them have"
    " requires_grad=True."
)
NOT_DOUBLE = (
    "Input #{} requires gradient and is not a double precision floating point or complex. This"
    " check will likely fail if all the inputs are not of double precision floating point or"
    " complex. "
)
STRIDE_ZERO = (
    "The {}th input has a dimension with stride 0. gradcheck only supports inputs that are"
    " non-overlapping to be able to compute the numerical gradients correctly. You should call"
    " .contiguous on the input before passing it to gradcheck."
)
NOT_ZERO = "Numerical gradient for function expected to be zero"
_NOTES = (
    ' Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)
UNDEFINED_UNHANDLED = "Expected backward function to handle undefined output grads." + _NOTES
UNDEFINED_NOT_ZERO = (
    "Expected all input grads to be undefined or zero when all output grads are undefined or zero."
    + _NOTES
)
UNDEFINED_WARNING = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by"
    " default, but it may break existing callers of this function. If this is true for you, you"
    ' can call this function with "check_undefined_grad=False" to disable the feature'
)


def mismatch(
    found: Any, wanted: Any, where: tuple[int, int], part: str = "", forward: bool = False
) -> str:
    """The report of two Jacobians that differ. `part` is "real" or "imaginary" where split."""
    element = "inputs" if forward else "outputs"
    prefix = f"While considering the {part} part of complex {element} only, " if part else ""
    mode = "computed with forward mode " if forward else ""
    return (
        f"{prefix}Jacobian {mode}mismatch for output {where[0]} with respect to input {where[1]},\n"
        f"numerical:{wanted}\nanalytical:{found}\n"
    )


def slow_tables(found: Any, wanted: Any, largest: float, would_pass: bool) -> str:
    """What fast mode adds: the whole Jacobians."""
    text = (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {wanted}\nAnalytical:\n{found}\n\n"
        f"The max per-element difference (slow mode) is: {largest}.\n"
    )
    return text + SLOW_WOULD_PASS if would_pass else text


def batched_mismatch(found: Any, wanted: Any, where: tuple[int, int], forward: bool) -> str:
    """The report of a batched gradient that differs from the one by one."""
    return (
        f"For output {where[0]} and input {where[1]}:\n\n{batched_advice(forward)}\n\n"
        f"Got:\n{found}\n\nExpected:\n{wanted}"
    )


def batched_advice(forward: bool) -> str:
    """How to leave out the batched check."""
    mode = " with forward-mode AD" if forward else ""
    option = "check_batched_forward_grad" if forward else "check_batched_grad"
    return (
        f"\ngradcheck or gradgradcheck failed while testing batched gradient computation{mode}.\n"
        f"Call it with `{option}=False` to leave this check out.\n"
    )
