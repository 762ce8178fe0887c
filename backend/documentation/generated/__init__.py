"""References generated from the code, as Markdown. A generator receives the service and a language.

Texts that the code has only in English are generated in English.
"""

from collections.abc import Callable, Mapping

from backend.documentation.generated import reference_tables
from backend.documentation.generated.conformance_tables import (
    conformance_tables,
    older_recordings_table,
    walks_table,
)
from backend.documentation.generated.http_reference import documents_reference, requests_reference
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
    "client-errors": reference_tables.client_error_table,
    "commands": reference_tables.command_reference,
    "configs": configs_table,
    "conformance": conformance_tables,
    "defaults": _of_language(defaults_table),
    "documents": documents_reference,
    "environment": environment_table,
    "fidelity": reference_tables.fidelity_lists,
    "known-losses": reference_tables.known_losses_table,
    "limits": reference_tables.limits_table,
    "log-lines": reference_tables.log_line_list,
    "metrics": reference_tables.metric_table,
    "older-recordings": older_recordings_table,
    "requests": requests_reference,
    "rules": _of_language(rules_table),
    "run-columns": reference_tables.run_columns,
    "scenarios": reference_tables.scenarios_tables,
    "search-columns": reference_tables.search_columns,
    "searched-grids": searched_grids,
    "steps": steps_reference,
    "truncation": _of_language(truncation_table),
    "versions": _of_language(versions_table),
    "walks": walks_table,
}
"""The generators by the NAME in `<!-- generated: NAME -->`."""

__all__ = ["GENERATORS", "Generator", "Subject"]
