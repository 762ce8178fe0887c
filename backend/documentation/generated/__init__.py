"""What code says of itself, as Markdown: a generator is given the service and a language.

Where the code says it in English only, so does what is generated.
"""

from collections.abc import Callable, Mapping

from backend.documentation.generated.limits import limits_table
from backend.documentation.generated.subject import Subject

Generator = Callable[[Subject, str], str]

GENERATORS: Mapping[str, Generator] = {
    "limits": limits_table,
}
"""By the name that a page has in its `<!-- generated: NAME -->`."""

__all__ = ["GENERATORS", "Generator", "Subject"]
