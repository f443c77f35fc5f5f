"""Floor 4: the classes that Python's iterators have, of what is followed while compiling."""

from __future__ import annotations

import itertools
import types

import numpy as np

from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.values import Generator

ITERATORS: dict[str, type] = {c.__name__: c for c in (range, zip, enumerate, map)}


def given_by(value: Generator) -> type:
    """The class of an iterator: of a generator, or of what is read in place of one of Python's."""
    if value.scope.globals is not vars(models):
        return types.GeneratorType
    name = value.scope.source.name.removesuffix("_from_iterable")
    if name == "keep":
        return filter
    found = getattr(itertools, name, getattr(np, name, None))
    return found if isinstance(found, type) else types.GeneratorType
