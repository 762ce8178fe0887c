"""The functions that perform actions: each takes a working copy and an action.

Each checks first whether the action is possible. If it is not, the function raises `RefusedError`
with the reason, and the caller discards the working copy. The functions' docstrings do not repeat
this.

The type of the working copy states what the action may change: one of the permissions in
`working_copy.py`. None of them takes the whole `WorkingCopy`. Actions that let a broker handle a
request or a response (`deliver`, `produce`, `fetch`) take `AppliesOutcomes`: any
outcome of a protocol function can follow.

Each module also has the predicates for whether its actions are possible now, which the choices and
virtual time use too. Each module ends with its part of the table from action to function, which
`transition.py` joins.
"""
