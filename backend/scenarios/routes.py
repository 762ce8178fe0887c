"""The shipped scenarios, Kafka's versions and the narration's words. All responses are constant."""

from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import Query, Request, Response

from backend.http.errors import NotFoundError
from backend.http.responses import described
from backend.http.schemas import Problem
from backend.routing.compression import ConstantJson
from backend.routing.files import kept_as_file, lesson_ids, named_releases
from backend.routing.routes import API, Router
from backend.scenarios import schemas
from backend.scenarios.front_page import front_page
from backend.scenarios.lesson_plan import lesson_plan
from sim_engine.articles import list_articles, source_name
from sim_engine.challenges import list_challenges
from sim_engine.conformance.fidelity import read_fidelity_checks
from sim_engine.curriculum import (
    FAILURES,
    PATH,
    lesson_index,
    lessons_of_terms,
    lines_to_remember,
    next_lesson,
)
from sim_engine.documents.choices import producer_setting_documents, setting_documents, step_forms
from sim_engine.documents.operator_words import operator_reference
from sim_engine.documents.pages import ranges_text
from sim_engine.json_types import JsonObject
from sim_engine.narration import catalogue, source_addresses
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped, load_shipped, shipped_text
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.versions import list_versions, other_releases, resolve_profile

router = Router(prefix=API, tags=["scenarios"])


def _controls() -> tuple[str, ...]:
    return ("zookeeper", "kraft")


_LANDMARKS = ("KIP-101", "KIP-279", "KIP-320", "KIP-497", "KIP-841", "KAFKA-15021", "KIP-966")


@router.get("/scenarios", response_model=schemas.ScenarioListRead)
@kept_as_file()
async def list_scenarios(request: Request) -> Response:
    """Every shipped scenario, in teaching order."""
    return await _library.respond(request)


@router.get(
    "/scenarios/{scenario_id}",
    response_model=schemas.ScenarioRead,
    responses={404: described(Problem, "No scenario has this id or alias.")},
)
@kept_as_file(scenario_id=lesson_ids)
async def read_scenario(scenario_id: str, request: Request) -> Response:
    """One shipped scenario by its id or alias, with its complete document."""
    return await _scenario.respond(request, _canonical(scenario_id))


@router.get("/front-page", response_model=schemas.FrontPageRead)
@kept_as_file()
async def read_front_page(request: Request) -> Response:
    """The story of the front page: one lesson under two releases, with a frame for each step."""
    return await _front_page.respond(request)


@router.get("/lesson-plan", response_model=schemas.LessonPlanRead)
@kept_as_file()
async def read_lesson_plan(request: Request) -> Response:
    """The learning path for a teacher: of each lesson its steps, notes, questions and answers."""
    return await _lesson_plan.respond(request)


@router.get("/versions", response_model=schemas.VersionListRead)
@kept_as_file()
async def read_versions(request: Request) -> Response:
    """The Kafka releases on the menu, oldest first, and the other release lines."""
    return await _versions.respond(request)


@router.get(
    "/versions/{kafka}/sources",
    response_model=schemas.SourceListRead,
    responses={404: described(Problem, "No release has this name.")},
)
@kept_as_file(kafka=named_releases)
async def read_sources(kafka: str, request: Request) -> Response:
    """Links to the KIPs, issues and classes that events refer to, for one release."""
    try:
        resolve_profile(kafka)
    except UnknownVersionError:
        raise NotFoundError("No release has this name.") from None
    return await _sources.respond(request, kafka)


@router.get(
    "/versions/{kafka}/settings",
    response_model=schemas.SettingListRead,
    responses={404: described(Problem, "No release has this name, or not this controller.")},
)
@kept_as_file(kafka=named_releases, control=_controls)
async def list_settings(
    kafka: str,
    request: Request,
    control: Annotated[
        Literal["zookeeper", "kraft"] | None, Query(description="Default: the release's default.")
    ] = None,
) -> Response:
    """The settings of a release under one kind of controller, with their defaults."""
    try:
        profile = resolve_profile(kafka, control=control)
    except UnknownVersionError:
        raise NotFoundError("No release has this name, or not this controller.") from None
    return await _settings.respond(request, profile.kafka, profile.control)


@router.get("/steps", response_model=schemas.StepFormListRead)
@kept_as_file()
async def list_steps(request: Request) -> Response:
    """Every step that a session accepts, with its arguments."""
    return await _steps.respond(request)


@router.get("/operator-words", response_model=schemas.OperatorReferenceRead)
@kept_as_file()
async def read_operator_reference(request: Request) -> Response:
    """Every metric and log line that runs show, with its meaning and its releases."""
    return await _operator_words.respond(request)


@router.get("/catalogue", response_model=schemas.CatalogueRead)
@kept_as_file()
async def read_catalogue(request: Request) -> Response:
    """The narration's texts in every language. Events contain only the values for them."""
    return await _catalogue.respond(request)


def warm_up() -> None:
    """Compute constant data in advance, so that the first visitor does not wait for it."""
    for constant in (_library, _catalogue, _steps, _versions, _front_page):
        constant.prepare()
    shipped = list_shipped()
    for scenario in shipped:
        _claims(scenario.id)
    for kafka in {scenario.kafka for scenario in shipped}:
        source_addresses(kafka)
    lines_to_remember()
    list_challenges()
    _scenario.prepare(PATH[0])


def _canonical(scenario_id: str) -> str:
    try:
        return load_shipped(scenario_id).id
    except KeyError:
        raise NotFoundError("No scenario has this id or alias.") from None


@ConstantJson
def _scenario(scenario_id: str) -> JsonObject:
    scenario = load_shipped(scenario_id)
    return {
        **_summary(scenario),
        "scenario": scenario_document(scenario),
        "text": shipped_text(scenario),
        "claims": _claims(scenario.id),
        "remember": lines_to_remember()[scenario.id],
        "next": _next(scenario.id),
    }


@ConstantJson
def _versions() -> JsonObject:
    return {"versions": list_versions(), "others": other_releases()}


@ConstantJson
def _sources(kafka: str) -> JsonObject:
    return {"kafka": kafka, "sources": source_addresses(kafka)}


@ConstantJson
def _settings(kafka: str, control: str) -> JsonObject:
    return {
        "kafka": kafka,
        "control": control,
        "settings": setting_documents(kafka, control),
        "producers": producer_setting_documents(kafka),
    }


@ConstantJson
def _steps() -> JsonObject:
    return {"steps": step_forms()}


@ConstantJson
def _library() -> JsonObject:
    """The list of lessons, with the other data of the pages that show it."""
    versions = list_versions()
    checks = read_fidelity_checks()
    return {
        "scenarios": [
            {**_summary(scenario), **_listed(scenario, [str(v["kafka"]) for v in versions])}
            for scenario in list_shipped()
        ],
        "versions": [version["kafka"] for version in versions],
        "path": PATH,
        "terms": lessons_of_terms(),
        "fidelity": {
            "recordings": len(checks.recordings),
            "releases": len(checks.releases),
            "cases": checks.cases,
        },
        "landmarks": [
            {"name": name, "kafka": first["kafka"]}
            for name in _LANDMARKS
            if (first := next((v for v in versions if _has(v, name)), None)) is not None
        ],
    }


_catalogue = ConstantJson(catalogue)
_operator_words = ConstantJson(operator_reference)
_front_page = ConstantJson(front_page)
_lesson_plan = ConstantJson(lesson_plan)


def _has(version: Mapping[str, object], rule: str) -> bool:
    rules = version["rules"]
    assert isinstance(rules, Mapping)
    return bool(rules[rule])


def _listed(scenario: Scenario, versions: list[str]) -> JsonObject:
    entry = lesson_index()[scenario.id]
    return {
        "outcomes": [entry.outcome_under(kafka) for kafka in versions],
        "changes": [kafka for kafka in versions if entry.changes_at(kafka)],
        "failures": {
            outcome: ranges_text(failing)
            for outcome in FAILURES
            if (failing := entry.releases_with(outcome))
        },
        "mishaps": entry.mishaps,
        "kips": [name for name in scenario.source if name.startswith(("KIP-", "KAFKA-"))],
        "articles": [
            number
            for number, article in enumerate(list_articles())
            if scenario.id in article.lessons
        ],
        "story_steps": entry.steps,
        "minutes": entry.minutes,
        "picture": entry.picture,
    }


def _next(lesson: str) -> JsonObject | None:
    next_id = next_lesson(lesson, tuple(scenario.id for scenario in list_shipped()))
    return None if next_id is None else {"id": next_id, "title": load_shipped(next_id).title}


def _claims(lesson: str) -> list[JsonObject]:
    """The claims of the articles that a lesson shows under its own release."""
    return [
        {
            "article": number,
            "title": article.title,
            "number": place,
            "claim": claim.claim,
            "assessment": claim.assessment,
            "step": watch.step,
        }
        for number, article in enumerate(list_articles())
        for place, claim in enumerate(article.claims, start=1)
        for watch in claim.watch
        if watch.lesson == lesson and watch.kafka is None
    ]


def _summary(scenario: Scenario) -> dict[str, object]:
    return {
        "id": scenario.id,
        "alias": scenario.alias,
        "chapter": scenario.chapter,
        "title": scenario.title,
        "summary": scenario.summary,
        "source": scenario.source,
        "sources": [source_name(source) for source in scenario.source],
        "kafka": scenario.kafka,
        "control": scenario.control,
        "brokers": len(scenario.brokers),
        "steps": len(scenario.steps),
    }
