"""Computations in processes of their own, which those who ask the same share."""
