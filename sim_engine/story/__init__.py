"""A run as a story of steps: the frames of each step, its title, and its summary.

`steps.py` defines the steps, `event_groups.py` selects a frame's headline and the events that a
summary names, without those that the same step overtakes, and `step_texts.py` writes titles and
summaries in every language and counts what a step's marks stand for. All of them use only kinds,
variants and values of events, which stored frames have as well as new ones.
"""
