"""What happens to a cluster: steps, actions, time, and the tree of frames they make.

`timeline.py` keeps the frames, `step_expansion.py` turns a step into actions, and `transition.py`
performs one action on a `Turn`. The rooms below it: `performing/` for each action, `receiving/` for
each message that arrives, `effects/` for what both change.
"""
