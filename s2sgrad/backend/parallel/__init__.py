"""Loops whose iterations are independent, on several threads."""
