"""The Prometheus metrics of this process. Labels never contain ids or personal data."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from backend.computing.wire import Sample
from sim_engine.identifiers import ENGINE_VERSION

# The creation times of the series would only repeat the start time of the process.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library leaves it untyped

# Seconds. Most requests take milliseconds; a long run, or the first picture, takes seconds.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SUMMED = ("counter", "histogram")
# Most of what waits, waits in the computing process.
_SUMMED_GAUGES = (
    "highwater_tasks_waiting",
    "highwater_pictures_waiting",
    "highwater_searches_running",
    "highwater_sessions_open",
)
_OF_PROCESS = "process_"
_Series = tuple[str, tuple[tuple[str, str], ...]]


class Metrics:
    """The metrics of one app, in their own registry, so that two apps in one process are
    separate."""

    def __init__(self) -> None:
        self.writing: asyncio.Task[bytes] | None = None
        """The exposition that is being written, for all who ask meanwhile."""
        registry = self._registry = CollectorRegistry()
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        histogram = partial(Histogram, buckets=_BUCKETS, registry=registry)
        self.requests = counter(
            "highwater_http_requests_total",
            "Completed requests by route, method and status class.",
            ["route", "method", "status"],
        )
        self.request_seconds = histogram(
            "highwater_http_request_duration_seconds",
            "Request duration by route and method, from the first byte of the request to the last "
            "byte of the response.",
            ["route", "method"],
        )
        self.requests_in_progress = gauge(
            "highwater_http_requests_in_progress", "Requests in progress."
        )
        self.engine_seconds = histogram(
            "highwater_sim_duration_seconds",
            "Engine time for one task: a step, a replay, or the frames of a response.",
        )
        self._query_seconds = histogram(
            "highwater_db_query_seconds",
            "Duration of a database statement, by its first keyword, or of a commit.",
            ["op"],
        )
        self.sessions_created = counter(
            "highwater_sessions_created_total", "Sessions created, by origin.", ["source"]
        )
        self.actions = counter("highwater_actions_total", "Actions by result.", ["outcome"])
        self.shares_created = counter("highwater_shares_created_total", "Shares created.")
        self.share_views = counter(
            "highwater_share_views_total", "Share views by surface.", ["surface"]
        )
        self.lesson_embeds = counter(
            "highwater_lesson_embeds_total", "Openings of a lesson's embed, by lesson.", ["lesson"]
        )
        self.invalid_input = counter(
            "highwater_invalid_input_total", "Refused requests by error code.", ["code"]
        )
        self.database_up = gauge("highwater_db_up", "1 if the database is usable, otherwise 0.")
        self.database_free_bytes = gauge(
            "highwater_db_free_bytes", "Free space on the disk of the SQLite database."
        )
        self.pool_in_use = gauge("highwater_db_pool_in_use", "Database connections in use.")
        self.pool_size = gauge("highwater_db_pool_size", "Open database connections.")
        self.database_waiting = gauge(
            "highwater_db_waiting",
            "Requests waiting for a database connection or, with SQLite, for the write lock.",
        )
        self.tasks_waiting = gauge(
            "highwater_tasks_waiting",
            "Tasks waiting for a thread, or for other work of their visitor, by lane: short, or "
            "long if a task may take seconds.",
            ["lane"],
        )
        self.pictures_waiting = gauge(
            "highwater_pictures_waiting", "Pictures waiting or being drawn, by format.", ["format"]
        )
        self.searches_running = gauge(
            "highwater_searches_running", "Searches running. None waits: further ones are refused."
        )
        self.computing_restarts = counter(
            "highwater_computing_restarts_total",
            "Times that the computing process ended, did not report or could not be started, and "
            "was started again.",
        )
        self.log_lines_dropped = counter(
            "highwater_log_lines_dropped_total",
            "Log lines dropped because the reader of the log is too slow.",
        )
        self.deleted = counter(
            "highwater_housekeeping_deleted_total", "Expired rows deleted, by kind.", ["what"]
        )
        self.clock_is_steady = gauge(
            "highwater_clock_steady",
            "1 if housekeeping trusts the clock and deletes expired rows, otherwise 0.",
        )
        self.last_success = gauge(
            "highwater_job_last_success_timestamp_seconds",
            "Time of a job's last complete run, by job.",
            ["job"],
        )
        self.sessions_open = gauge("highwater_sessions_open", "Sessions held in memory.")
        self.shares_stored = gauge("highwater_shares_stored", "Shares in the database.")

        build = gauge("highwater_build_info", "Always 1. The version is in the label.", ["version"])
        build.labels(version=ENGINE_VERSION).set(1)
        ProcessCollector(registry=registry)  # memory, processor, file descriptors

    def observe_query(self, operation: str, seconds: float) -> None:
        """Record the duration of one statement, in seconds. `operation` is one of `OPERATIONS` of
        the database module.
        """
        self._query_seconds.labels(op=operation).observe(seconds)

    def samples(self) -> list[Sample]:
        """The values of this process's own counters, histograms, and gauges of runs and waiting
        work.
        """
        return [
            Sample(family.name, sample.name, dict(sample.labels), sample.value)
            for family in self._registry.collect()
            if (family.type in _SUMMED or family.name in _SUMMED_GAUGES)
            and not family.name.startswith(_OF_PROCESS)
            for sample in family.samples
        ]

    def exposition(self, elsewhere: Iterable[Sample] = ()) -> bytes:
        """All metrics in the Prometheus text format. They include `elsewhere`: the samples of the
        computing process.
        """
        return generate_latest(_Sum(self._registry, elsewhere))


class _Sum(Collector):
    """The metrics of a registry, with the samples of another process added."""

    def __init__(self, registry: CollectorRegistry, elsewhere: Iterable[Sample]) -> None:
        self._registry = registry
        self._elsewhere: dict[str, dict[_Series, float]] = {}
        for sample in elsewhere:
            values = self._elsewhere.setdefault(sample.family, {})
            values[_series(sample.name, sample.labels)] = sample.value

    def collect(self) -> Iterator[Metric]:
        """The families of metrics, as the library asks for them."""
        for family in self._registry.collect():
            added = dict(self._elsewhere.get(family.name, {}))
            samples = [
                sample._replace(
                    value=sample.value + added.pop(_series(sample.name, sample.labels), 0.0)
                )
                for sample in family.samples
            ]
            family.samples = samples
            for (name, labels), value in added.items():
                family.add_sample(name, dict(labels), value)
            yield family


def _series(name: str, labels: Mapping[str, str]) -> _Series:
    return name, tuple(sorted(labels.items()))
