"""Runs recorded on real Kafka clusters, replayed by the engine and held step by step."""

from sim_engine.conformance.compare import Difference
from sim_engine.conformance.recording import Recording, RecordingError, read_recording
from sim_engine.conformance.replay import conform

__all__ = ["Difference", "Recording", "RecordingError", "conform", "read_recording"]
