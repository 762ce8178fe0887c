"""The known ways to lose records of one partition in its printed state: which of them lose there,
how likely each is and why, and what closes it; and in which releases each way loses records, under
each controller: the result of playing it in every release from every usual state, a table that
`scripts/write known-losses` writes.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import product

from msgspec import json

from sim_engine.actions.steps import Shutdown, Start
from sim_engine.configs import release_groups
from sim_engine.documents.assessment import (
    ClosedBy,
    FilmCell,
    FilmFigure,
    FilmRow,
    KnownLoss,
    KnownLosses,
    KnownLossLeftOut,
    Likelihood,
)
from sim_engine.identifiers import NO_LEADER, Acks, BrokerId, FrameNumber, TopicPartition
from sim_engine.json_types import JsonObject
from sim_engine.known_losses.catalogue import BY_HAND, WAYS, ClosingKind, Way
from sim_engine.known_losses.films import Film, Proof, find_film, has_scenario, prove, prove_release
from sim_engine.known_losses.start_state import (
    MIN_ISR,
    PARTITION,
    UNCLEAN,
    StartState,
    called,
    start_state,
)
from sim_engine.languages import LANGUAGES, find_language, say
from sim_engine.releases import (
    MODELLED,
    Stretch,
    begins_line,
    ends_line,
    find_release,
    is_in_a_stretch,
    line_name,
    number_of,
    stretches_of,
)
from sim_engine.scenario_reader.document import Scenario, ScenarioError, Text
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import CONTROL_TITLES, CONTROLS, Control, controls_of

Ranges = Mapping[str, Mapping[Control, tuple[Stretch, ...]]]
"""A way's id → a controller → the first and last release of each stretch in which it loses."""

_TABLE = "releases.json"
_USUAL: tuple[JsonObject, ...] = (
    {"replicas": [1, 2, 3]},
    {"replicas": [1, 2]},
    {"replicas": [1, 2, 3], "isr": [1, 2]},
)
"""Partitions of which every broker runs."""


@cache
def ranges() -> Ranges:
    """The table as it was written."""
    text = files("sim_engine.known_losses").joinpath(_TABLE).read_bytes()
    return json.decode(text, type=dict[str, dict[Control, tuple[Stretch, ...]]])


def ranges_text(table: Ranges) -> str:
    """The table as JSON, one way on each line."""
    lines = (f' "{name}": {json.encode(one).decode()}' for name, one in table.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def compute_ranges() -> Ranges:
    """Play every way in every release."""
    return {
        way.id: {
            control: found
            for control in CONTROLS
            if (found := stretches_of(tuple(_releases_with(way, control))))
        }
        for way in WAYS
    }


def _releases_with(way: Way, control: Control) -> Iterator[str]:
    for group in release_groups():
        if control in controls_of(group[0]) and loses_in(way, group[0], control):
            yield from group


def loses_in(way: Way, kafka: str, control: Control) -> bool:
    """Whether a way loses records in a release, from one of the usual states."""
    return any(find_film(way, state) is not None for state in usual_states(kafka, control))


def usual_states(kafka: str, control: Control) -> Iterator[StartState]:
    """The usual states of a partition, under the usual settings."""
    acks: Acks
    for partition, (min_isr, unclean) in product(_USUAL, ((1, False), (2, False), (1, True))):
        document = {
            "scenario": 1,
            "id": "usual",
            "kafka": kafka,
            "control": control,
            "brokers": partition["replicas"],
            "configs": {MIN_ISR: min_isr, UNCLEAN: unclean},
            "topics": [{"name": "t", "partitions": [partition]}],
            "steps": [],
        }
        try:
            scenario = read_scenario_document(document)
        except ScenarioError:
            continue
        for acks in ("all", 1):
            yield start_state(scenario, TopicPartition("t-0"), acks)


TEXTS = "known_losses"
"""The file of a language that has the texts."""
_RANKS: tuple[Likelihood, ...] = ("now", "one_failure", "depends", "rare")


def known_losses_for(
    scenario: Scenario, partition: TopicPartition, acks: Acks = "all", ways: Sequence[Way] = WAYS
) -> KnownLosses:
    """The known ways to lose acknowledged records of one partition, the likeliest first.

    Frame 0 of the scenario is the printed state. Its logs are not used: the films have two records.
    Every entry loses a record in its film, and everything that closes it keeps all of them in its
    run.
    """
    state = start_state(scenario, partition, acks)
    found: list[KnownLoss] = []
    left_out: list[KnownLossLeftOut] = []
    for way in ways:
        film = find_film(way, state) if _may_lose(way, state) else None
        if film is None:
            left_out.append(_left_out(way, state))
        else:
            found.append(_entry(way, film, partition))
    found.sort(key=lambda entry: (_RANKS.index(entry.likelihood), entry.failures))
    return KnownLosses(entries=tuple(found), left_out=tuple(left_out))


@cache
def example_of(way: Way) -> KnownLoss:
    """The way in the newest release that has it, on the first of the usual partitions that it
    loses from.
    """
    control, stretches = [*ranges()[way.id].items()][-1]
    states = usual_states(stretches[-1][1], control)
    films = (find_film(way, state) for state in states)
    film = next(film for film in films if film is not None)
    return _entry(way, film, PARTITION)


def _may_lose(way: Way, state: StartState) -> bool:
    """Whether a way has to be played. That of a lesson depends on its releases alone."""
    return way.plot is not None or _is_in(way, state)


def title_of(way: Way) -> Text:
    """The title of a way."""
    return _said(way.id)


def what_of(way: Way) -> Text:
    """What happens, in general."""
    return _said(f"{way.id}-what")


def _entry(way: Way, film: Film, partition: TopicPartition) -> KnownLoss:
    likelihood, why = _judged(way, film)
    stretch = _stretch(way, film.state)
    return KnownLoss(
        id=way.id,
        title=title_of(way),
        what=what_of(way),
        partitions=(partition,),
        likelihood=likelihood,
        likely=_said(f"likely-{likelihood}"),
        why=why,
        failures=len(film.faults),
        since=None if stretch is None else since_of(stretch, film.state),
        until=None if stretch is None else until_of(stretch, film.state),
        closed_by=tuple(_closings(way, film, partition)),
        film=_document(film.scenario, way, partition),
        figure=_figure(film),
        lessons=way.lessons,
        finding=way.finding,
    )


def _said(code: str, **values: object) -> Text:
    return {lang: _in(lang, code, **values) for lang in LANGUAGES}


def _in(lang: str, code: str, **values: object) -> str:
    """A text; a value that is a list of brokers or of texts is joined as the language joins it."""
    joined = {
        name: find_language(lang).separator.join(
            one[lang] if isinstance(one, dict) else str(one) for one in value
        )
        if isinstance(value, tuple | list)
        else value[lang]
        if isinstance(value, dict)
        else value
        for name, value in values.items()
    }
    return say(lang, TEXTS, code, **joined)


def _document(scenario: Scenario, way: Way, partition: TopicPartition) -> dict[str, object]:
    document = dict(scenario_document(called(scenario, partition)))
    document["title"] = title_of(way)
    document.pop("summary", None)
    return document


# --- how likely, and why ----------------------------------------------------------------------


def _judged(way: Way, film: Film) -> tuple[Likelihood, Text]:
    """How likely a film is, by what it still needs, and one sentence that states it."""
    faults = [
        _said(f"fault-{kind}") if broker is None else _said(f"fault-{kind}", broker=broker)
        for kind, broker in film.faults
    ]
    if way.is_race:
        return "rare", _said("why-race", faults=faults, count=len(faults))
    if way.depends_on_racks:
        return _judged_by_racks(film)
    hand = "-by-hand" if film.is_by_hand else ""
    if not faults:
        return ("one_failure" if hand else "now"), _without_failure(film)
    if len(faults) == 1 and not hand:
        return "one_failure", _said("why-one", fault=faults[0])
    likelihood: Likelihood = "rare" if len(faults) > 1 else "one_failure"
    return likelihood, _said(f"why-several{hand}", count=len(faults), faults=faults)


def _without_failure(film: Film) -> Text:
    """What leads to the loss without a failure: who comes back, or who is elected."""
    if film.is_by_hand:
        steps = [item.step for item in film.scenario.steps]
        place = max(place for place, step in enumerate(steps) if isinstance(step, BY_HAND))
        done = next(one for one in film.timeline.played_steps if one.item == place)
        starts_first = any(isinstance(step, Start) for step in steps[:place])
        code = "why-now-by-hand-started" if starts_first else "why-now-by-hand"
        return _said(code, broker=_leader(film.timeline, done.frames[-1]))
    if not film.triggers:
        return _said("why-now-moves", broker=film.state.replicas[0])
    return _said("why-now", brokers=list(dict.fromkeys(film.triggers)))


def _judged_by_racks(film: Film) -> tuple[Likelihood, Text]:
    brokers = sorted(broker for _, broker in film.faults if broker is not None)
    racks = [film.state.rack_of(broker) for broker in brokers]
    named = sorted({rack for rack in racks if rack is not None})
    if None in racks:
        return "depends", _said("why-racks-unknown", brokers=brokers)
    if len(named) == 1:
        return "one_failure", _said("why-one-rack", brokers=brokers, rack=named[0])
    return "rare", _said("why-racks", brokers=brokers, racks=named)


# --- since when -------------------------------------------------------------------------------


def _stretch(way: Way, state: StartState) -> Stretch | None:
    """The stretch of releases with the way that contains this one or, if the reader has switched a
    feature, the nearest one.
    """
    stretches = ranges()[way.id].get(state.profile.control, ())
    number = find_release(state.profile.kafka).number
    after = [one for one in stretches if number <= number_of(one[1])]
    return after[0] if after else stretches[-1] if stretches else None


def _is_in(way: Way, state: StartState) -> bool:
    """Whether the release is one with the way."""
    stretches = ranges()[way.id].get(state.profile.control, ())
    return is_in_a_stretch(state.profile.kafka, stretches)


def since_of(stretch: Stretch, state: StartState) -> str | None:
    """The first release of a stretch; None if the controller has no earlier one."""
    first, _ = stretch
    control = state.profile.control
    oldest = next(name for name in MODELLED if control in controls_of(name))
    return None if first == oldest else line_name(first) if begins_line(first) else first


def until_of(stretch: Stretch, state: StartState) -> str | None:
    """The last release of a stretch; None if the controller has no later one."""
    _, last = stretch
    newest = [name for name in MODELLED if state.profile.control in controls_of(name)][-1]
    return None if last == newest else line_name(last) if ends_line(last) else last


def _left_out(way: Way, state: StartState) -> KnownLossLeftOut:
    if way.needs_acks_1 and state.acks == "all":
        why = _said("left-out-acks")
    elif not _is_in(way, state):
        control = CONTROL_TITLES[state.profile.control]
        why = _said("left-out-release", kafka=state.profile.kafka, control=control)
    elif not has_scenario(way, state):
        why = _said("left-out-state")
    else:
        why = _said("left-out-keeps")
    return KnownLossLeftOut(id=way.id, title=title_of(way), why=why)


# --- what closes it ---------------------------------------------------------------------------


def _closings(way: Way, film: Film, partition: TopicPartition) -> Iterator[ClosedBy]:
    for closing in way.closings:
        proof = prove(way, film, closing)
        if proof is not None:
            text = _said(f"close-{closing.id}", **_values(proof, film))
            yield _closed(way, closing.id, closing.kind, text, proof, film, partition)
    kafka = _next_release(way, film.state)
    proof = None if kafka is None else prove_release(way, film, kafka)
    if kafka is not None and proof is not None:
        # The line means its newest patch, which may behave differently.
        is_line = begins_line(kafka) and prove_release(way, film, line_name(kafka)) is not None
        text = _said("close-release", kafka=line_name(kafka) if is_line else kafka)
        yield _closed(way, "release", "release", text, proof, film, partition)


def _closed(
    way: Way,
    closing: str,
    kind: ClosingKind,
    text: Text,
    proof: Proof,
    film: Film,
    partition: TopicPartition,
) -> ClosedBy:
    produced = proof.timeline.frames[proof.timeline.head].cluster.clients.produced
    ends = {one.value: "keeps" if one.fate == "safe" else one.outcome for one in produced}
    kept = [value for value in film.lost if ends.get(value) == "keeps"]
    refused = any(ends.get(value) == "failed" for value in film.lost)
    code = "keeps" if kept else "refused" if refused else "unacked"
    result = _said(f"result-{code}", values=kept or film.lost)
    run = _document(proof.scenario, way, partition)
    return ClosedBy(id=closing, kind=kind, text=text, result=result, run=run)


def _next_release(way: Way, state: StartState) -> str | None:
    """The first release after those with the way."""
    stretch = _stretch(way, state)
    if stretch is None:
        return None
    last = number_of(stretch[1])
    return next((name for name in MODELLED if number_of(name) > last), None)


def _values(proof: Proof, film: Film) -> dict[str, object]:
    """The brokers and values that the text of a closing names, from its run."""
    timeline, steps = proof.timeline, [item.step for item in proof.scenario.steps]
    values: dict[str, object] = {
        "brokers": sorted(broker for _, broker in film.faults if broker is not None),
        "count": len(film.state.replicas),
        "leader": _leader(timeline, timeline.head),
    }
    by_hand = [place for place, step in enumerate(steps) if isinstance(step, BY_HAND)]
    if by_hand:
        later = [step.broker for step in steps[by_hand[-1] :] if isinstance(step, Start)]
        done = next(one for one in timeline.played_steps if one.item == by_hand[-1])
        stopped = later[0] if later else NO_LEADER
        values["stopped"] = stopped
        if stopped not in film.state.up:
            values["now"] = "down"
        else:
            values["now"] = "running" if Shutdown(broker=stopped) in steps else "failing"
        values["elected"] = _leader(timeline, done.frames[-1])
    return values


def _leader(timeline: Timeline, frame: FrameNumber) -> BrokerId:
    return timeline.frames[frame].cluster.controller.partition(PARTITION).leader


# --- the figure -------------------------------------------------------------------------------


def _figure(film: Film) -> FilmFigure:
    """The logs at the moment of the loss; a lost record stays where it was."""
    frames = film.timeline.frames[: film.lost_in + 1]
    now = frames[-1].cluster
    lost = {
        one.id: one
        for one in now.clients.produced
        if one.fate == "lost" and one.value in film.lost and one.id is not None
    }
    acked = {one.id for one in now.clients.produced if one.outcome == "acked"}
    registration = now.controller.partition(PARTITION)
    rows: list[FilmRow] = []
    for broker_id in film.state.replicas:
        broker = now.broker(broker_id)
        replica = broker.replica(PARTITION)
        kept = () if replica is None else replica.log.records
        had = {
            record.id: record
            for frame in frames
            if (earlier := frame.cluster.broker(broker_id).replica(PARTITION)) is not None
            for record in earlier.log.records
            if record.id in lost
        }
        here = {record.offset for record in kept}
        records = [*kept, *(one for one in had.values() if one.offset not in here)]
        rows.append(
            FilmRow(
                broker=broker_id,
                leads=registration.leader == broker_id,
                runs=broker.running,
                high_watermark=None
                if replica is None or not broker.running
                else replica.high_watermark,
                cells=tuple(
                    FilmCell(
                        offset=record.offset,
                        value=record.value,
                        epoch=record.epoch,
                        kind="lost"
                        if record.id in lost
                        else "committed"
                        if record.id in acked
                        else "uncommitted",
                    )
                    for record in sorted(records, key=lambda one: one.offset)
                ),
            )
        )
    starts = [cell.offset for row in rows for cell in row.cells]
    return FilmFigure(first=min(starts, default=0), rows=tuple(rows))
