"""The functions that perform actions: each takes a `Turn` and an action, and refuses first.

Beside each function stands the question whether its action is possible now, which the choices and
virtual time ask too. Each module ends with its part of the table from action to function, which
`transition.py` joins.
"""
