"""Finished runs, stored or shipped: their frames, and their forms for readers and programs."""
