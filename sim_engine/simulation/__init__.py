"""The simulation of a cluster: steps, actions, time, and the tree of frames.

`timeline.py` keeps the frames, `step_expansion.py` turns a step into actions, and `transition.py`
performs one action on a `WorkingCopy`. `performing/` has a function for each action, `receiving/`
one for each arriving message, and `effects/` the changes that both make. `working_copy.py` names
what each function may change.
"""
