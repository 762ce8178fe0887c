"""Campaigns: many runs of a failure model over a grid of settings. Each run can be reproduced
alone.

A cell defines a workload, the rates and durations of faults, and the length of a run. The engine
plays it in virtual time. A run is a function of its key (campaign, cell, run), its cell and the
engine's version.
"""
