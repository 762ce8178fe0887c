"""The measurements of `make bench`: each compared with a baseline in the same run, as a ratio."""
