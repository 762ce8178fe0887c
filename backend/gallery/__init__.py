"""Shares whose authors want them to be found."""
