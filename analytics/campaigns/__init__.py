"""Campaigns on Spark: run a grid in pieces, count its rows, and summarize the counts."""
