"""Floor 8: the callables that grad, vjp, jvp, jacobian and their kin give back."""
