"""Frames as pictures, and the built pages that carry them."""
