"""From a call to a node: rules applied to arrays, what is saved, the fast paths."""
