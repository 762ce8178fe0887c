"""The effects of an action: functions that change a `WorkingCopy`, each in only one way.

Each takes the part of it that it changes, as one of the permissions in `working_copy.py`. Nothing
here refuses an action: the caller has checked before.
"""
