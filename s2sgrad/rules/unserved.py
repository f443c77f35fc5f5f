"""Floor 2: arguments for which a rule does not serve, so that other code is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


class Given:
    """All values of an argument but None."""

    def __contains__(self, value: Any) -> bool:
        return value is not None


GIVEN = Given()

Ranks = dict[str, str]  # what one item of a stack is, by the parameter's name
RANKS = {"vector": 1, "matrix": 2, "either": 2}  # the most that each may have

_PAIR = {"a": "matrix", "b": "matrix"}
_RICCATI = dict.fromkeys("abqres", "matrix")
STACKED: dict[str, Ranks] = {  # of scipy.linalg: what takes stacks of matrices one by one
    "cholesky_banded": {"ab": "matrix"},
    "diagsvd": {"s": "vector"},
    "eig": _PAIR,
    "eig_banded": {"a_band": "matrix"},
    "eigh": _PAIR,
    "eigh_tridiagonal": {"d": "vector", "e": "vector"},
    "eigvals": _PAIR,
    "eigvals_banded": {"a_band": "matrix"},
    "eigvalsh": _PAIR,
    "eigvalsh_tridiagonal": {"d": "vector", "e": "vector"},
    "expm_frechet": {"A": "matrix", "E": "matrix"},
    "funm": {"A": "matrix"},
    "hessenberg": {"a": "matrix"},
    "khatri_rao": _PAIR,
    "ldl": {"A": "matrix"},
    "lstsq": {"a": "matrix", "b": "either"},
    "null_space": {"A": "matrix"},
    "orthogonal_procrustes": {"A": "matrix", "B": "matrix"},
    "polar": {"a": "matrix"},
    "rq": {"a": "matrix"},
    "schur": {"a": "matrix"},
    "solve_banded": {"ab": "matrix", "b": "either"},
    "solve_continuous_are": _RICCATI,
    "solve_continuous_lyapunov": {"a": "matrix", "q": "matrix"},
    "solve_discrete_are": _RICCATI,
    "solve_discrete_lyapunov": {"a": "matrix", "q": "matrix"},
    "solve_sylvester": {"a": "matrix", "b": "matrix", "q": "matrix"},
    "solveh_banded": {"ab": "matrix", "b": "either"},
    "subspace_angles": {"A": "matrix", "B": "matrix"},
}
_STACKS_OF_ONE = ("eig", "eigh", "eigvals", "eigvalsh")  # which rules know without a second matrix


def is_one_by_one(name: str, bound: Mapping[str, Any], rank: Callable[[Any], int]) -> bool:
    """Whether a function of scipy.linalg gets stacks of matrices that its rule does not know.
    bound: its arguments; rank: of one, 0 if it is none."""
    home, _, name = name.rpartition(".")
    ranks = STACKED.get(name, {}) if home == "scipy.linalg" else {}
    beyond = any(rank(bound[n]) > RANKS[r] for n, r in ranks.items() if n in bound)
    return beyond and not (name in _STACKS_OF_ONE and rank(bound["b"]) == 0)
