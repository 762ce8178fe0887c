"""The properties of every state of a run, each with a name, a sentence and a source.

The properties are evaluated after every action and never affect it. They read states, and ghost
state (`History`) that no broker could know. `safety.py` lists them.
"""
