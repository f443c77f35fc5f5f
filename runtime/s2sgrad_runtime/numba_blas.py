"""Where BLAS and LAPACK are, told to LLVM under names of ours.

Code on disk refers to them by these names, and addresses differ from process to process. They are
NumPy's, so that NumPy code and compiled code share one pool of threads: the threads of SciPy's own
library and of NumPy's keep each other from the cores, for 40 ms after each change from one to the
other. Where NumPy's are not found they are SciPy's, which it gives in two modules of machine code;
these are loaded without the rest of `scipy.linalg`: that would take a tenth of a second.

NumPy's count in 64 bits, others in 32. They are given places of 64 that hold zeros above.
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


_SPELLINGS = ("scipy_{}_64_", "{}_64_", "scipy_{}_", "{}_")  # of OpenBLAS in wheels, and others


def _of_numpy() -> dict[str, int]:
    """Name -> address in the library that NumPy multiplies with; empty where any is not there."""
    home = importlib.import_module("numpy._core._multiarray_umath").__file__
    names = [name for group in _NAMES.values() for name in group]
    for spelling in _SPELLINGS if sys.platform != "win32" else ():
        try:
            library = ctypes.CDLL(home)  # it also finds what this one loads
            found = {name: getattr(library, spelling.format(name)) for name in names}
        except (AttributeError, OSError):
            continue
        return {n: ctypes.cast(f, ctypes.c_void_p).value or 0 for n, f in found.items()}
    return {}


def _of_scipy() -> dict[str, int]:
    """Name -> address in SciPy's modules."""
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    found = {}
    for module, names in _NAMES.items():
        capsules = _loaded(module).__pyx_capi__
        for name in names:
            found[name] = pointer_of(capsules[name], name_of(capsules[name]))
    return found


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
    for name, address in (_of_numpy() or _of_scipy()).items():
        binding.add_symbol(f"s2sgrad_{name}", address)


_name_symbols()
