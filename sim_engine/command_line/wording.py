"""Values as a person reads them in a line of output."""


def plain(value: object) -> str:
    """A value of a document in words: a dash for nothing, commas between several."""
    if value is None:
        return "–"
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(item) for item in value) or "–"
    return str(value)
