"""`torch.special` by the rules of `scipy.special`, which is loaded when a function is called."""

from __future__ import annotations

from s2sgrad.eager.operations import misc
from s2sgrad.eager.operations.misc import log_softmax, logsumexp, softmax
from s2sgrad.eager.operations.named import SPECIAL, known
from s2sgrad.eager.operations.pointwise import FUNCTIONS

globals().update(known(SPECIAL))
expit, exp2, expm1, log1p = (FUNCTIONS[n] for n in ("sigmoid", "exp2", "expm1", "log1p"))
sinc, logit = FUNCTIONS["sinc"], misc.logit

__all__ = [
    "exp2",
    "expit",
    "expm1",
    "log1p",
    "log_softmax",
    "logit",
    "logsumexp",
    "sinc",
    "softmax",
]
