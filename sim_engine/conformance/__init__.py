"""Runs recorded on real Kafka clusters, replayed by the engine and compared step by step.

`recording.py` declares what a file contains, and `reader.py` checks it.
`verb_replay.py` and `network_verbs.py` perform the recorded operations, `replay_state.py` repeats
the waiting times, and `compare.py` compares the observed state.
"""

from sim_engine.conformance.compare import Difference
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import Recording, RecordingError
from sim_engine.conformance.replay import conform

__all__ = ["Difference", "Recording", "RecordingError", "conform", "read_recording"]
