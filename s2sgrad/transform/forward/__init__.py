"""Floor 5: forward mode: tangent statements beside the primal ones."""
