"""The recordings of real clusters, by name."""

from sim_engine.conformance.fidelity import RecordingEntry, read_fidelity_checks


def find_recording(name: str) -> RecordingEntry | None:
    """The recording with this name; None if there is none."""
    return next((one for one in read_fidelity_checks().recordings if one.name == name), None)
