"""Campaigns on Spark: a grid is run in pieces, its rows become counts, the counts a summary."""
