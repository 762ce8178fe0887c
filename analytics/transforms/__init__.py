"""Frames in, frame out. Nothing here reads, writes or collects."""
