"""What this process counts and times, for Prometheus. No label names a person or an id."""

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from sim_engine import ENGINE_VERSION

# When each series began says nothing that the process's start does not.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library leaves it untyped

# Seconds. Most requests take milliseconds; a long run, or the first picture, takes seconds.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """One app's metrics, in a registry of its own: two apps in one process share none."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.requests = Counter(
            "highwater_http_requests_total",
            "Requests answered, by route, method and class of status.",
            ["route", "method", "status"],
            registry=registry,
        )
        self.request_seconds = Histogram(
            "highwater_http_request_duration_seconds",
            "Time from a request's first byte to its answer's last, by route and method.",
            ["route", "method"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self.requests_in_progress = Gauge(
            "highwater_http_requests_in_progress",
            "Requests that are being answered.",
            registry=registry,
        )
        self.engine_seconds = Histogram(
            "highwater_sim_duration_seconds",
            "Time of one piece of work on a run: a step, a replay, the frames of an answer.",
            buckets=_BUCKETS,
            registry=registry,
        )
        self._query_seconds = Histogram(
            "highwater_db_query_seconds",
            "Time of one statement in the database, by its first word, and of a commit.",
            ["op"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self.sessions_created = Counter(
            "highwater_sessions_created_total",
            "Sessions created, by where they came from.",
            ["source"],
            registry=registry,
        )
        self.actions = Counter(
            "highwater_actions_total",
            "Actions, by what became of them.",
            ["outcome"],
            registry=registry,
        )
        self.shares_created = Counter(
            "highwater_shares_created_total", "Shares created.", registry=registry
        )
        self.share_views = Counter(
            "highwater_share_views_total", "Shares shown, by surface.", ["surface"],
            registry=registry,
        )  # fmt: skip
        self.invalid_input = Counter(
            "highwater_invalid_input_total", "Requests refused, by code.", ["code"],
            registry=registry,
        )  # fmt: skip
        self.database_up = Gauge(
            "highwater_db_up", "1 while the database can be used.", registry=registry
        )
        self.database_free_bytes = Gauge(
            "highwater_db_free_bytes",
            "What the disk of an SQLite database has left.",
            registry=registry,
        )
        self.pool_in_use = Gauge(
            "highwater_db_pool_in_use", "Connections in use.", registry=registry
        )
        self.pool_size = Gauge(
            "highwater_db_pool_size", "Connections that are open.", registry=registry
        )
        self.database_waiting = Gauge(
            "highwater_db_waiting",
            "Who waits for a connection, or on SQLite for a turn to write.",
            registry=registry,
        )
        self.log_lines_dropped = Counter(
            "highwater_log_lines_dropped_total",
            "Log lines that could not be written because nobody reads them.",
            registry=registry,
        )
        self.deleted = Counter(
            "highwater_housekeeping_deleted_total",
            "What expired and was deleted, by what it was.",
            ["what"],
            registry=registry,
        )
        self.clock_is_steady = Gauge(
            "highwater_clock_steady",
            "1 while housekeeping believes the clock and deletes what expired.",
            registry=registry,
        )
        self.last_success = Gauge(
            "highwater_job_last_success_timestamp_seconds",
            "When a job last did all it had to do, by the job.",
            ["job"],
            registry=registry,
        )
        self.sessions_open = Gauge(
            "highwater_sessions_open", "Sessions held in memory.", registry=registry
        )
        self.shares_stored = Gauge(
            "highwater_shares_stored", "Shares in the database.", registry=registry
        )

        build = Gauge(
            "highwater_build_info", "1; the version is in the label.", ["version"],
            registry=registry,
        )  # fmt: skip
        build.labels(version=ENGINE_VERSION).set(1)
        ProcessCollector(registry=registry)  # memory, processor, file descriptors

    def observe_query(self, operation: str, seconds: float) -> None:
        """The time of one statement; `operation` is one of the words that `Database` names."""
        self._query_seconds.labels(op=operation).observe(seconds)

    def exposition(self) -> bytes:
        """All of them in Prometheus' text format."""
        return generate_latest(self._registry)
