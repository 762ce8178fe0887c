"""Why real brokers made no recording: a code with values, and its sentence in every language."""

from sim_engine.error_texts import WordedError, Wording, WordingValue

TEXTS = "recording_failures"
"""The file of a language that has the texts."""


def failure(code: str, /, **values: WordingValue) -> Wording:
    """Why there is no recording, as a clause. What Kafka, its tools and Maven print is a value, as
    they print it.
    """
    return Wording(code, values, TEXTS)


class RecordingFailedError(WordedError):
    """There is no recording, or not all of it."""
