"""The texts about events: short sentences in every language, filled with values.

A page reads `catalogue()`; the functions below return the same texts in Python. The texts are in
the languages' folders (`sim_engine/languages`); `README.md` describes how to find and write them.
"""
