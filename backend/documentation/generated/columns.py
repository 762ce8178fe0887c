"""The columns of the rows in Parquet files, from the structs that declare them."""

from collections.abc import Callable

from msgspec import Struct

from backend.documentation.generated.subject import Subject, code, table
from sim_engine import RunRow, SearchRow, columns_of


def _columns_table(row: type[Struct]) -> Callable[[Subject, str], str]:
    def generate(_subject: Subject, lang: str) -> str:
        return table(
            lang,
            ("field", "value", "meaning"),
            (
                (
                    code(column.name),
                    f"{column.type} or null" if column.is_nullable else column.type,
                    column.description,
                )
                for column in columns_of(row)
            ),
        )

    return generate


run_columns = _columns_table(RunRow)
"""The columns of a campaign's rows."""

search_columns = _columns_table(SearchRow)
"""The columns of the rows of a searched grid."""
