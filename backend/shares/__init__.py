"""Shares: stored timelines with permanent links, their formats, and their deletion."""
