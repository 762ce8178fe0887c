"""Formats values for a line of output."""


def plain(value: object) -> str:
    """A value as text: a dash for null and empty values, commas between elements."""
    if value is None:
        return "–"
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(item) for item in value) or "–"
    return str(value)
