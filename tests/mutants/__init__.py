"""Mutation testing: each rule of the engine is broken on purpose, and a test must fail."""
