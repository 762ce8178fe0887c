"""The HTTP service: runs the engine, stores what was done, serves what it showed.

Read `main.py` first: it is the one place where the parts are wired together.
"""
