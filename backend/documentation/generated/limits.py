"""The table of limits, with the numbers of this service."""

from backend.documentation.generated.subject import Subject, anchored, code, table
from backend.limit_table import Limit, all_limits


def limits_table(subject: Subject, lang: str) -> str:
    """Every limit: what is limited, its name, its number, and the response when it is exceeded."""
    return table(
        lang,
        ("limit", "name", "number", "past"),
        (_row(limit, lang) for limit in all_limits(subject.settings.quotas)),
    )


def limit_anchor(name: str) -> str:
    """The anchor of a limit on the page of limits."""
    return f"limit-{name}"


def _row(limit: Limit, lang: str) -> tuple[str, str, str, str]:
    number = limit.written()
    if number[-1].isdigit():  # the others already include their unit
        number = f"{number} {limit.unit}"
    past = limit.said()[lang] if limit.status is None else f"{limit.status.value} `{limit.code}`"
    return limit.what()[lang], anchored(limit_anchor(limit.name), code(limit.name)), number, past
