"""The functions of the namespace, each by the rule of a NumPy function."""
