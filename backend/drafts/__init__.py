"""A scenario that somebody is writing: judged, shown at its start, made from a real cluster."""
