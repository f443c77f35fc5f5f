"""Floor 8: what runs on dynamic-graph tensors where code can't be transformed."""
