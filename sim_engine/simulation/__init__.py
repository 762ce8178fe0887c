"""The simulation of a cluster: steps, actions, time, and the tree of frames.

`timeline.py` keeps the frames, `frames.py` creates each of them, `step_expansion.py` turns a step
into actions, and `transition.py` performs one action on a `WorkingCopy`. Its subpackages:
`performing/` has a function for each action, `receiving/` one for each arriving message, and
`effects/` the changes that both make. `permissions.py` names what each function may change.
"""
