"""Insights, read-only: the summaries of shared runs and of campaigns."""
