"""Runs recorded on real Kafka clusters, replayed by the engine and compared step by step.

`recording.py` declares what a file contains, and `reader.py` checks it. `verb_replay.py` performs
the recorded operations, `replay_state.py` repeats the waiting times, and `replay.py` compares the
observed state.
"""
