"""The document of a cluster's assessment: what the next failure of each sort does to each kind of
partition, the known ways to lose records there, played on a partition of the reader's, and what to
do first.

A cell that is not computed yet has null as its verdict. Sentences are in every language.
"""

from typing import Literal

from sim_engine.json_types import Document, PublishedJson, Step
from sim_engine.scenario_reader.document import Text
from sim_engine.versions import Control

Likelihood = Literal["now", "one_failure", "depends", "rare"]
"""`now`: nothing more has to fail. `one_failure`: one failure, or one command, is enough.
`depends`: several brokers fail at the same time if they share their power. `rare`: several failures
one after another, or messages in a particular order.
"""


class FilmCell(Document, frozen=True, kw_only=True):
    """One record of a replica's log in a figure."""

    offset: int
    value: str
    epoch: int | None
    """The record's leader epoch; null before 0.11."""
    kind: Literal["committed", "uncommitted", "lost"]
    """`lost`: the replica had this acknowledged record, and no replica that counts has it now."""


class FilmRow(Document, frozen=True, kw_only=True):
    """One replica in a figure."""

    broker: int
    leads: bool
    """Whether it is the leader according to the controller."""
    runs: bool
    high_watermark: int | None
    """Null if the broker is down."""
    cells: tuple[FilmCell, ...]


class FilmFigure(Document, frozen=True, kw_only=True):
    """The logs at the moment of the loss, with the lost records where they were before."""

    first: int
    """The offset of the first cell."""
    rows: tuple[FilmRow, ...]


class ClosedBy(Document, frozen=True, kw_only=True):
    """What closes a known way to lose, proved by a run."""

    id: str
    kind: Literal["setting", "release", "procedure"]
    text: Text
    """What to do, with the reader's brokers."""
    result: Text
    """What becomes of the record in that run."""
    run: PublishedJson | None
    """The scenario of the run that keeps everything; null if it is not a run."""


class KnownLoss(Document, frozen=True, kw_only=True):
    """A known way to lose acknowledged records under this release and these settings."""

    id: str
    title: Text
    what: Text
    """What happens, in general."""
    partitions: tuple[str, ...]
    likelihood: Likelihood
    likely: Text
    """The likelihood in words."""
    why: Text
    """Why it is judged so: what still has to happen, with the reader's brokers."""
    failures: int
    """How many failures it still needs."""
    since: str | None
    """The first release with it; null if all have it."""
    until: str | None
    """The last release with it; null if the newest has it."""
    closed_by: tuple[ClosedBy, ...]
    film: PublishedJson
    """The scenario that shows it, with the reader's brokers. Its last step loses the record."""
    figure: FilmFigure
    lessons: tuple[str, ...]
    """The ids of the lessons that show it."""
    finding: str | None
    """The name of its page in the documentation of findings; null if it has none."""


class KnownLossLeftOut(Document, frozen=True, kw_only=True):
    """A known way to lose that does not lose here, with the reason."""

    id: str
    title: Text
    why: Text


class KnownLosses(Document, frozen=True, kw_only=True):
    """The known ways to lose records of one partition, the likeliest first, and those that do not
    apply to it.
    """

    entries: tuple[KnownLoss, ...]
    left_out: tuple[KnownLossLeftOut, ...]


# --- the assessment -------------------------------------------------------------------------------


AssessmentVerdict = Literal["keeps", "writes_stop", "unavailable", "can_lose", "lost"]
"""The outcomes of a failure, the best first. `lost`: acknowledged records are lost whatever happens
next. `can_lose`: in at least one order of what can happen next. `unavailable`: none are lost, and
the partition has no leader until a broker returns. `writes_stop`: it has a leader that refuses
acks=all. `keeps`: none of these.
"""

FailureName = Literal["crash", "power_loss", "disk_loss", "isolated_leader", "unclean_election"]
"""The failures of an assessment. `isolated_leader`: the leader loses its contact with the
controller. `unclean_election`: an administrator's.
"""


class AssessedCell(Document, frozen=True, kw_only=True):
    """What one failure does to one kind of partition, at worst."""

    verdict: AssessmentVerdict | None
    """Null while it is not computed, or if it is undecided."""
    undecided: bool
    """Whether its computation was ended before everything was tried."""
    applies: bool
    """Whether the failure can happen: without a leader, none can be cut off."""
    brokers: tuple[int, ...]
    """The brokers that lead to the verdict if the failure strikes them; empty if none is struck."""
    outcome: Text
    """The verdict in words; empty while it is not computed."""
    reason: Text
    """What it depends on, in at most five words."""
    why: Text
    """One sentence: the brokers, what happens, and the rule."""
    rule: str | None
    """The rule of the engine that decides; null if none was needed."""
    sources: tuple[str, ...]
    """The sources of that rule: issues, KIPs and classes of Kafka."""
    start: int
    """The entry of the kind's `starts` from which the steps play."""
    steps: tuple[Step, ...] | None
    """A run that shows it, with the reader's brokers, from the printed state; null while it is not
    computed, and if there is nothing to show.
    """


class AssessedCells(Document, frozen=True, kw_only=True):
    """The cells of one kind of partition, one for each failure."""

    crash: AssessedCell
    power_loss: AssessedCell
    disk_loss: AssessedCell
    isolated_leader: AssessedCell
    unclean_election: AssessedCell


NoteCode = Literal[
    "no_leader",
    "one_copy",
    "none_to_spare",
    "writes_stopped",
    "eligible",
    "last_known",
    "not_preferred",
    "missing",
    "down",
    "reassigning",
    "one_replica",
]


class AssessmentNote(Document, frozen=True, kw_only=True):
    """What is unusual about a kind of partition."""

    code: NoteCode
    severity: Literal["bad", "warn", "info"]
    text: Text


class AssessedKind(Document, frozen=True, kw_only=True):
    """Partitions that are alike up to the names of their brokers. The brokers are those of the
    first of them.
    """

    id: str
    partitions: tuple[str, ...]
    """The names as in the input, the example first."""
    leader: int
    """The leader; -1 if there is none."""
    is_preferred: bool
    """Whether the leader is the first replica."""
    isr: tuple[int, ...]
    elr: tuple[int, ...]
    last_known_elr: tuple[int, ...]
    replicas: tuple[int, ...]
    min_insync_replicas: int
    down: tuple[int, ...]
    """The replicas whose brokers are down."""
    unknown: tuple[int, ...]
    """The replicas of whose brokers the input does not say whether they are up."""
    notes: tuple[AssessmentNote, ...]
    starts: tuple[PublishedJson, ...]
    """The scenarios, without steps, whose frame 0 is the printed state. They differ in what the
    input leaves open: which replicas have the last acknowledged record, which brokers are up.
    """
    cells: AssessedCells


class AssessedPart(Document, frozen=True, kw_only=True):
    """A part of a sentence, with its severity."""

    text: Text
    severity: Literal["bad", "warn", "good", "info"]


class AssessmentCounts(Document, frozen=True, kw_only=True):
    """The numbers of partitions, each counted once, by the worst of its cells."""

    lost: int
    can_lose: int
    unavailable: int
    writes_stop: int
    keeps: int
    pending: int
    """Those of which a cell is not computed yet and none of the others can lose."""


class FirstThing(Document, frozen=True, kw_only=True):
    """The one thing to do, or not to do, now."""

    text: Text
    partition: str
    kind: str
    """The id of the kind of partition from which it follows."""
    failure: FailureName | None
    """The cell whose run shows it; null if it follows from the state itself."""


SearchQuestion = Literal["no_failure", "crashes", "power", "cut_off"]
"""What a search asks: can an acknowledged record be lost without a further failure, with crashes
and restarts, with one power loss, with a leader that is cut off from the controller?
"""


class AssessedSearch(Document, frozen=True, kw_only=True):
    """The result of a search from the printed state of one partition, as far as it is decided."""

    partition: str
    question: SearchQuestion
    outcome: Literal["found", "none", "stopped"]
    """`found`: a record is lost. `none`: every state within the scope was tried, and none loses
    one. `stopped`: a limit or the reader ended it before that, or there was nothing to lose.
    """
    text: Text
    """The result, in a sentence that can be quoted."""
    scope: Text
    """What was tried, and how many states. For a loss: its steps."""
    left_out: Text
    """What was not tried; empty for a loss."""
    states: int
    """The number of states that were examined."""
    start: PublishedJson | None
    """The scenario, without steps, from which a loss plays; null if none was found."""
    steps: tuple[Step, ...] | None
    """The steps that lose a record; null if none were found."""


class AssessedSearches(Document, frozen=True, kw_only=True):
    """The searches of one partition, as far as they are decided."""

    partition: str
    searches: tuple[AssessedSearch, ...]
    running: Text | None
    """What is being searched; null if it has ended."""
    is_interrupted: bool
    """Whether the reader ended it."""


SettingName = Literal[
    "kafka",
    "elr",
    "acks",
    "min.insync.replicas",
    "unclean.leader.election.enable",
    "flush.messages",
]


class AssessedSetting(Document, frozen=True, kw_only=True):
    """A setting that decides verdicts, and that the reader can change."""

    name: SettingName
    values: tuple[str, ...]
    """The values of the partitions, the most frequent first; one if it was changed."""
    pasted: tuple[str, ...]
    """The values of the input, or the defaults of the release."""
    is_stated: bool
    """Whether the input states it."""
    choices: tuple[str, ...]
    is_read: bool
    """Whether this release reads it in elections: KRaft reads `unclean.leader.election.enable`
    from 3.9 on.
    """
    why: Text
    """Where the value is from, or why it makes no difference."""


class AssessedRelease(Document, frozen=True, kw_only=True):
    """The release under which the verdicts hold."""

    taken: str
    control: Control
    oldest: str
    """The oldest line that matches the input."""
    newest: str
    why: Text
    """What in the input shows the range; empty if nothing does."""


class NotUsed(Document, frozen=True, kw_only=True):
    """A part of the input that was not used."""

    file: str
    from_line: int | None
    to_line: int | None
    why: Text


class AssessedRack(Document, frozen=True, kw_only=True):
    """The rack of a broker, which the reader can change. Brokers of one rack share their power."""

    broker: int
    rack: str | None
    """Null if it is unknown."""
    pasted: str | None
    """The rack in the input; null if it does not name one."""


class RefusedPart(Document, frozen=True, kw_only=True):
    """Partitions that are alike and could not be judged, because no history of the release leads
    to their printed state.
    """

    partitions: tuple[str, ...]
    file: str
    line: int
    """Where the first of them is described."""
    why: Text
    """The rule that excludes the state of the first of them."""


class AssessmentPage(Document, frozen=True, kw_only=True):
    """The assessment of a cluster, as far as it is computed."""

    kafka: AssessedRelease
    elr: bool
    """Whether eligible leader replicas are on (KIP-966)."""
    brokers: int
    topics: int
    partitions: int
    settings: tuple[AssessedSetting, ...]
    racks: tuple[AssessedRack, ...]
    """Of each broker."""
    kinds: tuple[AssessedKind, ...]
    """The worst first."""
    headline: tuple[AssessedPart, ...]
    counts: AssessmentCounts
    first: FirstThing | None
    """Null if nothing is urgent."""
    refused: tuple[RefusedPart, ...] = ()
    """The partitions that could not be judged; they are in no count and in no kind."""
    known_losses: tuple[KnownLoss, ...]
    searches: tuple[AssessedSearch, ...]
    not_known: tuple[Text, ...]
    """What was assumed because the input does not say it."""
    not_used: tuple[NotUsed, ...]
    differences: tuple[Text, ...]
    """What the start does not keep of the printed state."""
    cells_done: int
    cells_total: int
    is_complete: bool
