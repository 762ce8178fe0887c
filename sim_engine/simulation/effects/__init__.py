"""The effects of an action: functions that change a `WorkingCopy`, each in only one way.

Each takes the part of it that it changes, as one of the protocols in `permissions.py`. The modules
depend on each other in the order of the contract in `pyproject.toml`. Nothing here refuses an
action: the caller has checked before.
"""
