"""A run as a story of steps: the frames of each step, its title, and its summary.

`steps.py` defines the steps, writes their titles and summaries in every language, and counts what a
step's marks stand for. `event_groups.py` selects a frame's headline and the events that a summary
names, without those that the same step overtakes. Both use only kinds, variants and values of
events, which stored frames have as well as new ones.
"""
