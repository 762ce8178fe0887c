"""References generated from the code, as Markdown. A generator receives the service and a language.

Texts that the code has only in English are generated in English.
"""

from collections.abc import Callable, Mapping

from backend.documentation.generated.conformance_tables import conformance_tables
from backend.documentation.generated.http_reference import documents_reference, requests_reference
from backend.documentation.generated.reference_tables import (
    client_error_table,
    command_reference,
    fidelity_lists,
    known_losses_table,
    limits_table,
    log_line_list,
    metric_table,
    run_columns,
    search_columns,
)
from backend.documentation.generated.searched_grids import searched_grids
from backend.documentation.generated.settings_reference import configs_table, environment_table
from backend.documentation.generated.steps import steps_reference
from backend.documentation.generated.subject import Subject

Generator = Callable[[Subject, str], str]

GENERATORS: Mapping[str, Generator] = {
    "client-errors": client_error_table,
    "commands": command_reference,
    "configs": configs_table,
    "conformance": conformance_tables,
    "documents": documents_reference,
    "environment": environment_table,
    "fidelity": fidelity_lists,
    "known-losses": known_losses_table,
    "limits": limits_table,
    "log-lines": log_line_list,
    "metrics": metric_table,
    "requests": requests_reference,
    "run-columns": run_columns,
    "search-columns": search_columns,
    "searched-grids": searched_grids,
    "steps": steps_reference,
}
"""The generators by the NAME in `<!-- generated: NAME -->`."""

__all__ = ["GENERATORS", "Generator", "Subject"]
