"""References generated from the code, as Markdown. A generator receives the service and a language.

Texts that the code has only in English are generated in English.
"""

from collections.abc import Callable, Mapping

from backend.documentation.generated.conformance_tables import conformance_tables, walks_table
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
    scenarios_tables,
    search_columns,
)
from backend.documentation.generated.searched_grids import searched_grids
from backend.documentation.generated.settings_reference import configs_table, environment_table
from backend.documentation.generated.steps import steps_reference
from backend.documentation.generated.subject import Subject
from sim_engine.documents.pages import (
    articles_tables,
    defaults_table,
    rules_table,
    truncation_table,
    versions_table,
)

Generator = Callable[[Subject, str], str]


def _of_language(generate: Callable[[str], str]) -> Generator:
    return lambda _, lang: generate(lang)


GENERATORS: Mapping[str, Generator] = {
    "articles": _of_language(articles_tables),
    "client-errors": client_error_table,
    "commands": command_reference,
    "configs": configs_table,
    "conformance": conformance_tables,
    "defaults": _of_language(defaults_table),
    "documents": documents_reference,
    "environment": environment_table,
    "fidelity": fidelity_lists,
    "known-losses": known_losses_table,
    "limits": limits_table,
    "log-lines": log_line_list,
    "metrics": metric_table,
    "requests": requests_reference,
    "rules": _of_language(rules_table),
    "run-columns": run_columns,
    "scenarios": scenarios_tables,
    "search-columns": search_columns,
    "searched-grids": searched_grids,
    "steps": steps_reference,
    "truncation": _of_language(truncation_table),
    "versions": _of_language(versions_table),
    "walks": walks_table,
}
"""The generators by the NAME in `<!-- generated: NAME -->`."""

__all__ = ["GENERATORS", "Generator", "Subject"]
