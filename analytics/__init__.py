"""Spark jobs over shared runs: which configurations lose acknowledged records, and how often."""
