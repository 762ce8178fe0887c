"""The parts of a running service, and the dependencies that pass them to routes."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, params
from sqlalchemy.ext.asyncio import AsyncSession

from backend.assessments.service import Assessments
from backend.computing.process import ComputingProcess
from backend.database.database import Database
from backend.database.stored_bytes import collect
from backend.documentation.library import Library
from backend.drawing.figures import Figures
from backend.drawing.raster import Raster
from backend.html.frontend_build import FrontendBuild
from backend.http.errors import NotFoundError
from backend.insights.campaigns import OwnCampaigns
from backend.insights.searches import SearchedGrids
from backend.lessons.release import release_digest
from backend.lessons.service import LessonRuns
from backend.limit_table import (
    ACTIONS_A_MINUTE,
    MISSES_A_MINUTE,
    SEARCHES_A_MINUTE,
    SESSIONS_A_MINUTE,
    SHARES_A_MINUTE,
    STORED_BYTES_AN_HOUR,
    Limit,
)
from backend.limits.baton import Baton
from backend.limits.lanes import Lanes
from backend.limits.quotas import Quota, Quotas, VoteLimit, quotas_of
from backend.limits.visitors import current_visitor
from backend.operations.health import Health, Probe
from backend.operations.metrics import Metrics
from backend.presentations.service import Presentations
from backend.runs.shipped import ShippedRuns
from backend.searches.service import Searches
from backend.sessions.timelines import Timelines
from backend.settings import Settings
from backend.shares.service import Shares
from backend.watches.mirror import Mirror
from backend.watches.watch import Watch, Watched


@dataclass(frozen=True, slots=True)
class Services:
    """Created when the app starts, in its event loop, and closed when it stops."""

    settings: Settings
    metrics: Metrics
    database: Database
    lanes: Lanes
    timelines: Timelines
    lessons: LessonRuns
    shipped_runs: ShippedRuns
    shares: Shares
    searches: Searches
    assessments: Assessments
    campaigns: OwnCampaigns
    searched_grids: SearchedGrids
    presentations: Presentations
    misses: Quota
    quotas: Quotas
    frontend: FrontendBuild
    figures: Figures
    raster: Raster
    health: Health
    share_count: Probe[int]
    documentation: Library
    computing: ComputingProcess | None = None
    watch: Watch | None = None
    """The live cluster that the command which serves reads; null in every other service."""
    mirror: Mirror | None = None
    """The recording that the command which serves makes or has read; null in every other service.
    """
    is_copied: bool = False
    """Whether its responses become files: an embed then contains its whole run."""

    @classmethod
    def of(
        cls,
        settings: Settings,
        metrics: Metrics,
        baton: Baton,
        documentation: Library,
        computing: ComputingProcess | None = None,
        watched: Watched | None = None,
    ) -> "Services":
        """Create the services of an app with these settings, without opening any connection."""
        cluster = watched if isinstance(watched, Watch) else None

        def waited_s() -> float:
            elsewhere = 0.0 if computing is None else computing.waited_s()
            return max(lanes.waited_s(), elsewhere)

        quotas = quotas_of(settings.quotas, processes=settings.processes)

        def charge(stored_bytes: int) -> None:
            collect(stored_bytes)
            quota, network = quotas.get(STORED_BYTES_AN_HOUR.name), current_visitor().network
            if quota is not None and network and stored_bytes:
                quota.charge(network, stored_bytes)

        database = Database(settings.database_url, observe=metrics.observe_query, on_stored=charge)
        if computing is not None:
            computing.on_stored = charge
        lanes = Lanes(baton, observe=metrics.engine_seconds.observe)
        timelines = Timelines(database, lanes)
        lessons = LessonRuns(lanes)
        shares = Shares(timelines)
        return cls(
            settings=settings,
            metrics=metrics,
            database=database,
            lanes=lanes,
            timelines=timelines,
            lessons=lessons,
            shipped_runs=ShippedRuns(lessons),
            shares=shares,
            searches=Searches(timelines),
            assessments=Assessments(database, lanes, cluster),
            campaigns=OwnCampaigns(settings.campaigns),
            searched_grids=SearchedGrids(settings.campaigns),
            presentations=Presentations(
                timelines, computing, VoteLimit(processes=settings.processes)
            ),
            misses=Quota(MISSES_A_MINUTE, processes=settings.processes),
            quotas=quotas,
            frontend=FrontendBuild(settings.frontend_folder, release_digest()),
            figures=Figures(settings.figure_script, compute=lanes.compute),
            raster=Raster(settings.picture_fonts),
            health=Health(database, waited_s=waited_s),
            share_count=Probe(shares.count),
            documentation=documentation,
            computing=computing,
            watch=cluster,
            mirror=watched if isinstance(watched, Mirror) else None,
        )

    def take(self, limit: Limit) -> None:
        """Take a token from the current visitor's bucket. Raises LimitError if it is empty.

        What a request stores is counted when it is stored, so of that bucket nothing is taken here.
        """
        quota = self.quotas.get(limit.name)
        if quota is None:
            return
        if limit is STORED_BYTES_AN_HOUR:
            quota.check(current_visitor().network)
        else:
            quota.take(current_visitor().network)

    def count_unknown_id(self) -> None:
        """Count an id that does not exist. Over the limit, raises LimitError."""
        self.misses.take(current_visitor().network)

    def measure_load(self) -> None:
        """Set the gauges of the runs in this process, and of its work that waits."""
        for lane, waiting in self.lanes.waiting().items():
            self.metrics.tasks_waiting.labels(lane=lane).set(waiting)
        self.metrics.pictures_waiting.labels(format="svg").set(self.figures.waiting)
        self.metrics.pictures_waiting.labels(format="png").set(self.raster.waiting)
        self.metrics.searches_running.set(self.searches.running)
        self.metrics.sessions_open.set(len(self.timelines))

    async def close(self) -> None:
        """Stop all threads and close all connections."""
        await self.presentations.close()
        await self.searches.close()
        await self.assessments.close()
        if self.computing is not None:
            await self.computing.close()
        self.figures.close()
        await self.raster.close()
        self.lanes.close()
        await self.health.close()
        await self.share_count.close()
        await self.database.close()


def services_of(request: Request) -> Services:
    """The services of the current app."""
    services: Services = request.app.state.services
    return services


# FastAPI runs a dependency that is no coroutine function in a thread, and a request of a busy
# service waits twice for each crossing. So even these, which only look something up, are async.
# They depend on the request alone: FastAPI takes longer to resolve a dependency than to call it.
async def _services(request: Request) -> Services:
    return services_of(request)


ServicesDep = Annotated[Services, Depends(_services)]


def _part(of: Callable[[Services], object]) -> params.Depends:
    """A dependency that passes one of the services to a route."""

    async def part(request: Request) -> object:
        return of(services_of(request))

    passed: params.Depends = Depends(part)
    return passed


def _watched_cluster(services: Services) -> Watch:
    if services.watch is None:
        raise NotFoundError(
            "This service watches no cluster: run highwater connect BOOTSTRAP --watch --open."
        )
    return services.watch


def _watched_recording(services: Services) -> Mirror:
    if services.mirror is None:
        raise NotFoundError(
            "This service watches no recording: run highwater record SCENARIO -o FILE --open."
        )
    return services.mirror


SettingsDep = Annotated[Settings, _part(lambda services: services.settings)]
MetricsDep = Annotated[Metrics, _part(lambda services: services.metrics)]
LanesDep = Annotated[Lanes, _part(lambda services: services.lanes)]
TimelinesDep = Annotated[Timelines, _part(lambda services: services.timelines)]
LessonRunsDep = Annotated[LessonRuns, _part(lambda services: services.lessons)]
SharesDep = Annotated[Shares, _part(lambda services: services.shares)]
SearchesDep = Annotated[Searches, _part(lambda services: services.searches)]
AssessmentsDep = Annotated[Assessments, _part(lambda services: services.assessments)]
PresentationsDep = Annotated[Presentations, _part(lambda services: services.presentations)]
FrontendDep = Annotated[FrontendBuild, _part(lambda services: services.frontend)]
WatchDep = Annotated[Watch, _part(_watched_cluster)]
MirrorDep = Annotated[Mirror, _part(_watched_recording)]
HealthDep = Annotated[Health, _part(lambda services: services.health)]


async def _open_reader(request: Request) -> AsyncIterator[AsyncSession]:
    async with services_of(request).database.reading() as db:
        yield db


# scope="function": the transaction ends before the response is sent, so that a failure at its end
# is reported as an error instead of following a success that the client has already seen.
ReaderDep = Annotated[AsyncSession, Depends(_open_reader, scope="function")]


async def _count_unknown_ids(request: Request) -> AsyncIterator[None]:
    """Count each 404 of a route. Over the limit, unknown ids are refused with 429.

    Existing ids are always served, because many people may share an address and an id cannot be
    guessed.
    """
    try:
        yield
    except NotFoundError:
        services_of(request).count_unknown_id()
        raise


_LIMITS: dict[object, Limit] = {}


def _limited_by(limit: Limit) -> params.Depends:
    """A dependency for routes that takes a token from the visitor's bucket."""

    async def take(request: Request) -> None:
        services_of(request).take(limit)

    _LIMITS[take] = limit
    limiting: params.Depends = Depends(take)
    return limiting


def limits_of(dependencies: Sequence[params.Depends]) -> list[Limit]:
    """The quotas of one visitor among the dependencies of a route."""
    return [_LIMITS[it.dependency] for it in dependencies if it.dependency in _LIMITS]


LimitSessions = _limited_by(SESSIONS_A_MINUTE)
LimitActions = _limited_by(ACTIONS_A_MINUTE)
LimitShares = _limited_by(SHARES_A_MINUTE)
LimitSearches = _limited_by(SEARCHES_A_MINUTE)
LimitStored = _limited_by(STORED_BYTES_AN_HOUR)

# These are for the `dependencies` of a router.
CountUnknownIds = Depends(_count_unknown_ids, scope="function")
