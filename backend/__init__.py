"""The HTTP service: runs the engine, stores sessions and shares, and serves the pages and the API.

Read `main.py` first: it is the only place where the parts are wired together.
"""
