"""A package; otherwise a library of the same name would be imported."""
