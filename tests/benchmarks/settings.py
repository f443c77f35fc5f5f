"""What the numbers depend on: processor, threads, versions."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
from pathlib import Path

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)
PACKAGES = ("numpy", "numba", "scipy", "jax", "torch", "autograd", "mygrad")


def single_thread() -> None:
    """One thread everywhere. Call before NumPy is imported; a later BLAS kernel choice is unset."""
    os.environ.pop("OPENBLAS_CORETYPE", None)
    for name in THREAD_VARIABLES:
        os.environ.setdefault(name, "1")
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ.setdefault("XLA_FLAGS", flags)


def installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def describe() -> str:
    versions = [f"{p} {importlib.metadata.version(p)}" for p in PACKAGES if installed(p)]
    threads = " ".join(f"{name}={os.environ.get(name, 'unset')}" for name in THREAD_VARIABLES)
    return "\n".join(
        [
            f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}",
            ", ".join(versions),
            f"{threads} OPENBLAS_CORETYPE={os.environ.get('OPENBLAS_CORETYPE', 'unset')}",
        ]
    )
