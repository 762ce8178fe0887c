"""The page of an assessment, as far as it is computed: the table, the headline, what to do first,
and the settings that decide.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from sim_engine.actions.steps import Start
from sim_engine.assessment.assessment import (
    AssessedCellResult,
    Assessment,
    KindAssessment,
    brokers_of,
    why_of,
)
from sim_engine.assessment.cases import FAILURES, start_of, steps_of
from sim_engine.assessment.printed import (
    ACKS,
    ELR,
    FLUSH,
    LEFT_TO_SYSTEM,
    MIN_ISR,
    UNCLEAN,
    PrintedCluster,
)
from sim_engine.assessment.verdicts import FILE, LOSES, SEVERITY, rank_of
from sim_engine.cluster.start import NEVER_FLUSHES
from sim_engine.cluster_import.conclusions import releases_for
from sim_engine.configs import ConfigValue, default_of
from sim_engine.documents.assessment import (
    AssessedCell,
    AssessedCells,
    AssessedKind,
    AssessedPart,
    AssessedRack,
    AssessedRelease,
    AssessedSetting,
    AssessmentCounts,
    AssessmentNote,
    AssessmentPage,
    FailureName,
    FirstThing,
    NoteCode,
    NotUsed,
    RefusedPart,
    SettingName,
)
from sim_engine.error_texts import Wording
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.json_types import JsonObject
from sim_engine.releases import newest_of_lines
from sim_engine.scenario_reader.document import Text

_NONE: Text = {}


def page_document(assessment: Assessment) -> AssessmentPage:
    """The page, as far as it is computed."""
    printed, parsed = assessment.printed, assessment.printed.parsed
    kinds = assessment.worst_first()
    release = printed.release
    return AssessmentPage(
        kafka=AssessedRelease(
            taken=release.kafka,
            control=printed.rules.control,
            oldest=release.oldest,
            newest=release.newest,
            why=_joined(
                [*(statement.texts() for statement in release.why), *_older_default(printed)]
            ),
        ),
        elr=printed.elr,
        brokers=len(printed.brokers),
        topics=len({name.topic for name in printed.partitions}),
        partitions=len(printed.partitions),
        settings=tuple(_settings(assessment)),
        racks=tuple(
            AssessedRack(
                broker=broker,
                rack=printed.racks.get(broker),
                pasted=printed.pasted_racks.get(broker),
            )
            for broker in printed.brokers
        ),
        kinds=tuple(_kind(assessment, kind) for kind in kinds),
        headline=tuple(_headline(kinds, judged_all=not printed.refused)),
        counts=_counts(kinds),
        first=_first(printed, kinds),
        refused=tuple(
            RefusedPart(
                partitions=tuple(map(str, one.names)),
                file=one.problem.file,
                line=one.problem.line,
                why=one.problem.said(),
            )
            for one in printed.refused
        ),
        known_losses=assessment.known_losses(),
        searches=(),
        not_known=tuple(
            {
                str(one.texts()): one.texts() for one in (*printed.unexplained, *parsed.unknown)
            }.values()
        ),
        not_used=tuple(
            NotUsed(
                file=statement.file or "",
                from_line=statement.line,
                to_line=statement.last_line,
                why=statement.texts(),
            )
            for statement in parsed.not_used
        ),
        differences=tuple(statement.texts() for statement in printed.differences),
        cells_done=assessment.done,
        cells_total=assessment.total,
        is_complete=assessment.is_complete,
    )


def _text(code: str, **values: object) -> Text:
    return Wording(code, values, FILE).said()


def _ids(brokers: Sequence[BrokerId]) -> tuple[str, ...]:
    return tuple(map(str, brokers))


def _joined(texts: Sequence[Text]) -> Text:
    return {lang: " ".join(text[lang] for text in texts) for lang in texts[0]} if texts else _NONE


# --- kinds -----------------------------------------------------------------------------------


def _kind(assessment: Assessment, kind: KindAssessment) -> AssessedKind:
    about, partition = kind.kind.about, kind.example
    starts: list[JsonObject] = []
    cells = {failure: _cell(assessment, kind, failure, starts) for failure in FAILURES}
    standings = dict(zip(partition.brokers, kind.kind.standings, strict=True))
    return AssessedKind(
        id=kind.id,
        partitions=tuple(str(one.name) for one in kind.kind.partitions),
        leader=kind.leader,
        is_preferred=kind.leader == about.replicas[0],
        isr=kind.isr,
        elr=about.elr,
        last_known_elr=about.last_known_elr,
        replicas=about.replicas,
        min_insync_replicas=kind.min_isr,
        down=tuple(one for one in about.replicas if standings[one] in ("down", "just_down")),
        unknown=tuple(one for one in about.replicas if standings[one] == "unknown"),
        notes=tuple(_notes(kind)),
        starts=tuple(starts),
        cells=AssessedCells(**cells),
    )


def _cell(
    assessment: Assessment, kind: KindAssessment, failure: FailureName, starts: list[JsonObject]
) -> AssessedCell:
    computed = kind.cells.get(failure)
    if computed is None:
        return _PENDING
    case = computed.result.case
    start = 0
    if case is not None:
        document = start_of(assessment.printed, kind.kind, kind.example, case)
        if document not in starts:
            starts.append(document)
        start = starts.index(document)
    known = kind.documents.get(failure)
    if known is None or known.start != start:
        known = kind.documents[failure] = _computed(kind, computed, start)
    return known


def _computed(kind: KindAssessment, computed: AssessedCellResult, start: int) -> AssessedCell:
    result, names = computed.result, kind.names(kind.example)
    return AssessedCell(
        verdict=result.verdict,
        undecided=result.verdict is None,
        applies=result.applies,
        brokers=brokers_of(kind, kind.example, computed),
        outcome=_text(f"outcome-{result.verdict or 'undecided'}"),
        reason=computed.reason.worded("short", names).said(),
        why=why_of(kind, kind.example, computed).said(),
        rule=computed.reason.rule,
        sources=computed.reason.sources,
        start=start,
        steps=None if result.case is None else steps_of(kind.example, result.steps),
    )


_PENDING = AssessedCell(
    verdict=None,
    undecided=False,
    applies=True,
    brokers=(),
    outcome=_text("outcome-pending"),
    reason=_text("short-pending"),
    why=_text("why-pending"),
    rule=None,
    sources=(),
    start=0,
    steps=None,
)


def _notes(kind: KindAssessment) -> Iterator[AssessmentNote]:
    """What is unusual, the worst first."""
    about, isr = kind.kind.about, kind.isr
    missing = [one for one in about.replicas if one not in isr]
    if kind.leader == NO_LEADER:
        yield _note("no_leader", "bad")
        if about.last_known_elr:
            yield _note("last_known", "warn", broker=_ids(about.last_known_elr))
    elif len(about.replicas) == 1:
        yield _note("one_replica", "warn")
    elif len(isr) < kind.min_isr:
        yield _note("writes_stopped", "warn")
    elif len(isr) == 1:
        yield _note("one_copy", "bad")
    elif missing and len(isr) == kind.min_isr:
        yield _note("none_to_spare", "warn", brokers=_ids(missing))
    elif missing:
        yield _note("missing", "warn", brokers=_ids(missing))
    if about.elr:
        yield _note("eligible", "warn", brokers=_ids(about.elr))
    down = [
        broker
        for broker, standing in zip(kind.example.brokers, kind.kind.standings, strict=True)
        if standing in ("down", "just_down")
    ]
    if down:
        yield _note("down", "warn", brokers=_ids(down))
    if about.adding or about.removing:
        yield _note("reassigning", "info")
    if kind.leader not in (NO_LEADER, about.replicas[0]) and about.replicas[0] in isr:
        yield _note("not_preferred", "info", broker=str(about.replicas[0]))


def _note(
    code: NoteCode, severity: Literal["bad", "warn", "info"], **values: object
) -> AssessmentNote:
    return AssessmentNote(code=code, severity=severity, text=_text(f"note-{code}", **values))


# --- the headline ----------------------------------------------------------------------------


def _returning(kind: KindAssessment) -> tuple[BrokerId, ...]:
    """The brokers whose return loses records without any failure, in the order in which they come
    back; empty if none does.
    """
    by_itself = kind.by_itself
    if by_itself is None or by_itself.verdict not in LOSES:
        return ()
    names = kind.names(kind.example)
    starts = [names[step.broker] for step in by_itself.following if isinstance(step, Start)]
    eligible = [one for one in starts if one in kind.kind.about.elr]
    return tuple(eligible or starts[-1:])


def _headline(kinds: Sequence[KindAssessment], *, judged_all: bool) -> Iterator[AssessedPart]:
    """At most two statements, the worst first, about different partitions."""
    found = [part for kind in kinds for part in _statements(kind)]
    found.sort(key=lambda part: part[0])
    told: list[str] = []
    for _, code, severity, kind, values in found:
        if len(told) == 2 or code in told:
            continue
        told.append(code)
        name = str(kind.example.name)
        yield AssessedPart(text=_text(code, partition=name, **values), severity=severity)
    if not told:
        is_known = all(len(kind.cells) == len(FAILURES) for kind in kinds)
        if not is_known:
            yield AssessedPart(text=_text("headline-pending"), severity="info")
        elif judged_all:
            yield AssessedPart(text=_text("headline-keeps"), severity="good")
        else:
            yield AssessedPart(text=_text("headline-keeps_judged"), severity="info")


_Statement = tuple[
    int, str, Literal["bad", "warn", "good", "info"], KindAssessment, dict[str, object]
]


def _statements(kind: KindAssessment) -> Iterator[_Statement]:
    returning = _returning(kind)
    if returning:
        one = len(returning) == 1
        code = "headline-loses_by_itself" if one else "headline-loses_once_back"
        yield 0, code, "bad", kind, {"brokers": _ids(sorted(returning))}
        return
    losing = next((failure for failure in FAILURES if _loses(kind, failure)), None)
    named: dict[str, object] = {}
    if losing is not None:
        named["failure"] = Wording(f"next-{losing}", {}, FILE)
    if kind.leader == NO_LEADER:
        code = "headline-gone" if losing is None else "headline-gone_and_loses"
        yield 1, code, "bad", kind, named
        return
    if losing is not None:
        yield 2, "headline-loses", "bad", kind, named
        return
    verdicts = {cell.result.verdict for cell in kind.cells.values()}
    if len(kind.isr) < kind.min_isr:
        yield 3, "headline-stopped", "warn", kind, {}
    elif "unavailable" in verdicts:
        yield 4, "headline-next_gone", "warn", kind, {}
    elif "writes_stop" in verdicts:
        yield 5, "headline-next_stops", "warn", kind, {}


def _counts(kinds: Sequence[KindAssessment]) -> AssessmentCounts:
    counted: Counter[str] = Counter()
    for kind in kinds:
        is_known = len(kind.cells) == len(FAILURES)
        decided = kind.loses or (is_known and kind.worst >= 0)
        worst = SEVERITY[kind.worst] if decided else "pending"
        counted[worst] += len(kind.kind.partitions)
    return AssessmentCounts(**{name: counted[name] for name in (*SEVERITY, "pending")})


def _first(printed: PrintedCluster, kinds: Sequence[KindAssessment]) -> FirstThing | None:
    """What to do, or not to do, now: it follows from what is computed about the worst kind."""
    for kind in kinds:
        returning = _returning(kind)
        name, about = str(kind.example.name), kind.kind.about
        if returning:
            losing = next((one for one in FAILURES if _loses(kind, one)), None)
            first = _first_thing(kind, losing, "do_not_start", broker=str(returning[-1]))
            closing = next(_procedures(kind), None)
            return first if closing is None else replace(first, text=closing)
        if kind.leader == NO_LEADER:
            waits_for = about.isr or about.elr
            if kind.by_itself is None or not waits_for:
                continue
            code = "find_out" if waits_for[0] in printed.waits_for(about) else "start"
            return _first_thing(kind, None, code, broker=str(waits_for[0]), partition=name)
        missing = [one for one in about.replicas if one not in kind.isr]
        if kind.worst > 0 and missing:
            worst = max(FAILURES, key=lambda one: _severity(kind, one))
            values = {"brokers": _ids(missing), "partition": name}
            return _first_thing(kind, worst, "bring_back", **values)
    return None


def _procedures(kind: KindAssessment) -> Iterator[Text]:
    """What an operator can do instead, proved by a run, if nothing more has to fail."""
    for known in kind.known or ():
        for closing in known.closed_by if known.likelihood == "now" else ():
            if closing.kind == "procedure":
                yield {
                    lang: Wording("first-procedure", {"text": text}, FILE).text(lang)
                    for lang, text in closing.text.items()
                }


def _first_thing(
    kind: KindAssessment, failure: FailureName | None, code: str, **values: object
) -> FirstThing:
    return FirstThing(
        text=_text(f"first-{code}", **values),
        partition=str(kind.example.name),
        kind=kind.id,
        failure=failure,
    )


def _loses(kind: KindAssessment, failure: FailureName) -> bool:
    return failure in kind.cells and kind.cells[failure].result.verdict in LOSES


def _severity(kind: KindAssessment, failure: FailureName) -> int:
    cell = kind.cells.get(failure)
    return rank_of(None if cell is None else cell.result.verdict)


# --- the settings ----------------------------------------------------------------------------


def _settings(assessment: Assessment) -> Iterator[AssessedSetting]:
    printed = assessment.printed
    release, profile = printed.release, printed.rules
    changed, kafka = printed.changes.settings, f"Kafka {profile.kafka}"
    lines = tuple(line.name for line in newest_of_lines())
    yield AssessedSetting(
        name="kafka",
        values=(release.kafka,),
        pasted=(releases_for(printed.parsed, None)[0].kafka,),
        is_stated=printed.changes.kafka is not None,
        choices=lines,
        is_read=True,
        why=_text("setting-changed")
        if printed.changes.kafka is not None
        else _joined([statement.texts() for statement in release.why])
        or _text("setting-assumed", value=release.kafka),
    )
    if profile.control == "kraft" and release.kafka[:1] == "4":
        told = printed.parsed.elr_enabled
        own = profile.rules.eligible_leader_replicas if told is None else told
        yield AssessedSetting(
            name="elr",
            values=(_switch(printed.elr),),
            pasted=(_switch(own),),
            is_stated=told is not None,
            choices=("on", "off"),
            is_read=True,
            why=_why(ELR in changed, told is not None, kafka),
        )
    yield AssessedSetting(
        name="acks",
        values=(str(printed.acks),),
        pasted=("all",),
        is_stated=False,
        choices=("all", "1", "0"),
        is_read=True,
        why=_text("setting-changed") if ACKS in changed else _text("setting-assumed", value="all"),
    )
    reads = profile.control == "zookeeper" or profile.rules.unclean_election_by_setting
    most = max(len(kind.kind.about.replicas) for kind in assessment.kinds)
    decisive: tuple[tuple[SettingName, str, tuple[str, ...], bool], ...] = (
        ("min.insync.replicas", MIN_ISR, tuple(map(str, range(1, most + 1))), True),
        ("unclean.leader.election.enable", UNCLEAN, ("false", "true"), reads),
        ("flush.messages", FLUSH, (LEFT_TO_SYSTEM, "1"), True),
    )
    for name, own_name, choices, is_read in decisive:
        yield _setting(assessment, name, own_name, choices, is_read)


def _setting(
    assessment: Assessment,
    name: SettingName,
    own_name: str,
    choices: tuple[str, ...],
    is_read: bool,
) -> AssessedSetting:
    printed = assessment.printed
    kafka = f"Kafka {printed.rules.kafka}"
    now: Counter[str] = Counter()
    pasted: Counter[str] = Counter()
    for kind in assessment.kinds:
        count = len(kind.kind.partitions)
        now[_shown(printed.settings_of(kind.kind).get(own_name))] += count
        pasted[_shown(printed.pasted_settings_of(kind.kind).get(own_name))] += count
    is_changed = bool({name, own_name} & printed.changes.settings.keys())
    is_stated = bool({name, own_name} & printed.stated)
    why = _why(is_changed, is_stated, kafka)
    return AssessedSetting(
        name=name,
        values=tuple(value for value, _ in now.most_common()),
        pasted=tuple(value for value, _ in pasted.most_common()),
        is_stated=is_stated,
        choices=choices,
        is_read=is_read,
        why=why if is_read else _text("setting-not_read", kafka=kafka),
    )


def _older_default(printed: PrintedCluster) -> Iterator[Text]:
    """What the verdict does not cover: the release is the newest of those that match, and an older
    one of them allows unclean elections by default.
    """
    is_known = UNCLEAN in printed.stated | printed.changes.settings.keys()
    if is_known or printed.changes.kafka is not None or default_of(UNCLEAN, printed.release.kafka):
        return
    if default_of(UNCLEAN, printed.release.oldest):
        *_, last = (line.name for line in newest_of_lines() if default_of(UNCLEAN, line.name))
        yield _text("release-older", kafka=last, setting=UNCLEAN)


def _why(is_changed: bool, is_stated: bool, kafka: str) -> Text:
    if is_changed:
        return _text("setting-changed")
    return _text("setting-stated") if is_stated else _text("setting-default", kafka=kafka)


def _switch(value: bool) -> str:
    return "on" if value else "off"


def _shown(value: ConfigValue | None) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "–"
    return LEFT_TO_SYSTEM if isinstance(value, int) and value >= NEVER_FLUSHES else str(value)
