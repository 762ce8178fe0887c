"""What code says of itself, as Markdown: a generator is given the service and a language.

Where the code says it in English only, so does what is generated.
"""

from collections.abc import Callable, Mapping

from backend.documentation.generated.command_line import command_reference
from backend.documentation.generated.fidelity import fidelity_lists
from backend.documentation.generated.http_reference import (
    documents_reference,
    requests_reference,
)
from backend.documentation.generated.limits import limits_table
from backend.documentation.generated.settings_reference import configs_table, environment_table
from backend.documentation.generated.steps import steps_reference
from backend.documentation.generated.subject import Subject

Generator = Callable[[Subject, str], str]

GENERATORS: Mapping[str, Generator] = {
    "commands": command_reference,
    "configs": configs_table,
    "documents": documents_reference,
    "environment": environment_table,
    "fidelity": fidelity_lists,
    "limits": limits_table,
    "requests": requests_reference,
    "steps": steps_reference,
}
"""By the name that a page has in its `<!-- generated: NAME -->`."""

__all__ = ["GENERATORS", "Generator", "Subject"]
