"""Through the graph: backward passes, hooks, user-defined Functions, forward mode."""
