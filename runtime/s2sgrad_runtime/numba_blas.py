"""Where SciPy's BLAS and LAPACK are, told to LLVM under names of ours.

Code on disk refers to them by these names, and addresses differ from process to process. SciPy
gives them in two modules of machine code, which are loaded without the rest of `scipy.linalg`:
that would take a tenth of a second.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import llvmlite.binding as binding

__all__: list[str] = []

_NAMES = {
    "cython_blas": (
        "ddot", "dtrsm", "sgemm", "dgemm", "cgemm", "zgemm", "sgemv", "dgemv", "cgemv", "zgemv",
    ),
    "cython_lapack": ("dgesv", "dgetrf"),
}  # fmt: skip


def _loaded(name: str) -> Any:
    """One module of `scipy.linalg`."""
    whole, home = f"scipy.linalg.{name}", importlib.util.find_spec("scipy")
    if "scipy.linalg" in sys.modules or home is None or home.origin is None:
        return importlib.import_module(whole)
    try:
        spec = PathFinder.find_spec(whole, [str(Path(home.origin).parent / "linalg")])
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception:  # it needs other parts of its package
        return importlib.import_module(whole)
    return module


def _name_symbols() -> None:
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    for module, names in _NAMES.items():
        capsules = _loaded(module).__pyx_capi__
        for name in names:
            capsule = capsules[name]
            binding.add_symbol(f"s2sgrad_{name}", pointer_of(capsule, name_of(capsule)))


_name_symbols()
