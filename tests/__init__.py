"""A package, because a library of the same name would be found otherwise."""
