"""Arrays with a batch axis that NumPy functions do not see: what `vmap` computes with."""

from s2sgrad.eager.batches import functions, indexing, reductions, ufuncs

__all__ = ["functions", "indexing", "reductions", "ufuncs"]
