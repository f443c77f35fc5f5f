"""Floor 2: the runtime's lazy wrappers of SciPy functions share those functions' rules.

A rule body says `scipy_digamma(x)`; its second derivative needs digamma's rule.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.rules.declare import register, rule_of_path
from s2sgrad_runtime import scipy_helpers


def register_wrappers() -> None:
    """Enter the rule of `scipy.special.digamma` for `scipy_digamma` too, and so on."""
    for name in scipy_helpers.__all__:
        wrapper = getattr(scipy_helpers, name)
        rule = rule_of_path(getattr(wrapper, "path", ""))
        if rule is not None:
            register(wrapper, replace(rule, function=wrapper))


register_wrappers()
