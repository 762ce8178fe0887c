"""Frames as pictures: SVG from the frontend's own drawing, and PNG."""
