"""The schemas that are read and written. `README.md` describes one row of each."""

import pyarrow as pa
from pyspark.sql import types as t

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

# The keys of a share's facts that the jobs read; they ignore all others.
FACTS = t.StructType(
    [
        t.StructField("kafka", t.StringType()),
        t.StructField("scenario_id", t.StringType()),
        t.StructField("title_en", t.StringType()),
        t.StructField("title_zh", t.StringType()),
        t.StructField("replication_factor", t.IntegerType()),
        t.StructField("min_insync_replicas", t.IntegerType()),
        t.StructField("acked_all", t.LongType()),
        t.StructField("acked_1", t.LongType()),
        t.StructField("lost_all", t.LongType()),
        t.StructField("lost_1", t.LongType()),
        t.StructField("faults", t.MapType(t.StringType(), t.LongType())),
        t.StructField("last_fault_before_loss", t.StringType()),
        t.StructField("exercised", t.BooleanType()),
    ]
)

# The summary tables, without the columns that the database fills in (`id`, `summary_id`).
# PostgreSQL receives rows in binary, so the widths here must match the columns.
SUMMARY_LOSS = pa.schema(
    [
        pa.field("dimension", pa.string(), nullable=False),
        pa.field("kafka", pa.string()),
        pa.field("acks", pa.string()),
        pa.field("min_insync_replicas", pa.int32()),
        pa.field("replication_factor", pa.int32()),
        pa.field("runs", pa.int32(), nullable=False),
        pa.field("exercised", pa.int32(), nullable=False),
        pa.field("not_exercised", pa.int32(), nullable=False),
        pa.field("lost", pa.int32(), nullable=False),
    ]
)

SUMMARY_FAULTS = pa.schema(
    [
        pa.field("fault", pa.string(), nullable=False),
        pa.field("runs", pa.int32(), nullable=False),
        pa.field("lossy_runs", pa.int32(), nullable=False),
        pa.field("last_before_loss", pa.int32(), nullable=False),
    ]
)

SUMMARY_LESSONS = pa.schema(
    [
        pa.field("scenario_id", pa.string(), nullable=False),
        pa.field("title", pa.string(), nullable=False),  # JSON: {"en": …, "zh": …}
        pa.field("shares", pa.int32(), nullable=False),
    ]
)
