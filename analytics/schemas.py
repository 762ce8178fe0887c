"""The schemas that are read and written. `README.md` describes one row of each.

Columns with a struct in the engine are derived from it.
"""

import pyarrow as pa

from analytics.columns import arrow_fields, spark_schema
from sim_engine.documents.schemas import columns_of
from sim_engine.documents.shares import (
    FactsDocument,
    SharedCause,
    SharedFault,
    SharedLesson,
    SharedLoss,
)

# The export, as in the Parquet file. The facts stay text until Spark parses them, so that a share
# with invalid facts is counted and does not stop the export.
SHARES = pa.schema(
    [
        pa.field("sid", pa.string(), nullable=False),
        pa.field("created_at", pa.timestamp("us", tz="UTC"), nullable=False),
        pa.field("facts", pa.string(), nullable=False),
        pa.field("digest", pa.string(), nullable=False),
        pa.field("as_shipped", pa.bool_(), nullable=False),
    ]
)

FACTS = spark_schema(columns_of(FactsDocument))
"""The keys of a share's facts; all others are ignored."""

TITLES = tuple(field.name for field in FACTS if field.name.startswith("title_"))
"""A lesson's title in each language that the facts have."""

# The summary tables, without the columns that the database fills in (`id`, `summary_id`).
# PostgreSQL receives rows in binary, so the widths of the integers must match the columns.
SUMMARY_LOSS = pa.schema(arrow_fields(columns_of(SharedLoss)))
SUMMARY_FAULTS = pa.schema(arrow_fields(columns_of(SharedFault)))
SUMMARY_CAUSES = pa.schema(arrow_fields(columns_of(SharedCause)))
SUMMARY_LESSONS = pa.schema(arrow_fields(columns_of(SharedLesson)))
