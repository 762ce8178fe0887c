"""Spark jobs over what people shared: which configurations lose acknowledged records, how often."""
