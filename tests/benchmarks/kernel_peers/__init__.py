"""The kernels in other packages: JAX statement by statement, JAX by an expert, PyTorch, autograd.

Functions have the kernels' names and arguments. A kernel is missing where the package cannot
differentiate it as it stands (PyTorch and autograd: most in-place algorithms).
"""
