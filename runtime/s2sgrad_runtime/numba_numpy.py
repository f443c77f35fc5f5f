"""Numba's versions of NumPy functions that it lacks, or has without some arguments.

Importing this module teaches Numba (`numba.extending.overload`); nothing here is meant to be
called.
"""
