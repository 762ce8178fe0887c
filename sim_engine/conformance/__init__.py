"""Runs recorded on real Kafka clusters, replayed by the engine and held step by step.

`recording_file.py` and `verbs.py` declare what a file contains, and `reader.py` checks it. The
`…_verbs.py` do what was done, `settling.py` waits as the real cluster was waited for, and the
`compare_….py` hold what was seen.
"""

from sim_engine.conformance.difference import Difference
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import Recording, RecordingError
from sim_engine.conformance.replay import conform

__all__ = ["Difference", "Recording", "RecordingError", "conform", "read_recording"]
