"""Runs recorded on real Kafka clusters, replayed by the engine and compared step by step.

`recording_file.py` and `verbs.py` declare what a file contains, and `reader.py` checks it. The
`…_verbs.py` perform the recorded operations, `idle_wait.py` repeats the waiting times, and the
`compare_….py` compare the observed state.
"""

from sim_engine.conformance.difference import Difference
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import Recording, RecordingError
from sim_engine.conformance.replay import conform

__all__ = ["Difference", "Recording", "RecordingError", "conform", "read_recording"]
