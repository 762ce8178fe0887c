"""Scenario files: what they may say, how they are read, and what they expect."""
