"""Read-only: what the analytics found in the runs that people shared."""
