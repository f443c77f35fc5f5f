"""`utils`: activation checkpointing and data loading."""

from s2sgrad.eager.utils import checkpoint, data

__all__ = ["checkpoint", "data"]
