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


def threads(count: int) -> None:
    """So many threads everywhere. Call before NumPy is imported; a later BLAS kernel is unset."""
    os.environ.update(environment(count))
    os.environ.pop("OPENBLAS_CORETYPE", None)


def environment(count: int) -> dict[str, str]:
    """The variables that set the number of threads."""
    single = "true" if count > 1 else "false"
    flags = f"--xla_cpu_multi_thread_eigen={single} intra_op_parallelism_threads={count}"
    return {**dict.fromkeys(THREAD_VARIABLES, str(count)), "XLA_FLAGS": flags}


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
