"""What is found, what is counted, and where it leads."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from backend.documentation.contents import PAGES, page_address
from backend.documentation.generated import Subject
from backend.documentation.library import Library
from backend.main import create_app
from backend.pages.site import SITE_PAGES
from backend.settings import Settings
from backend.site_search.entry import menu
from backend.site_search.index import SearchIndex
from backend.site_search.vocabulary import Vocabulary, written
from sim_engine.articles import list_articles
from sim_engine.challenges import list_challenges
from sim_engine.curriculum import lesson_index
from sim_engine.left_out import LEFT_OUT
from sim_engine.narration import catalogue
from sim_engine.operator_words.log_lines import LINES
from sim_engine.operator_words.metrics import METRICS


def test_every_kind_of_thing_can_be_found(index: SearchIndex) -> None:
    kinds = {entry.kind: entry for entry in index.entries}

    assert len(kinds) == 14
    for entry in kinds.values():
        for lang in entry.title:
            found = index.search(entry.title[lang], lang).hits
            assert entry.address in {hit.entry.address for hit in found[:5]}, entry.title[lang]


def test_every_address_is_an_exact_place(index: SearchIndex) -> None:
    """A step that exists, an element with that id, a filter with results."""
    settings = Settings()
    library = Library(Subject(settings, create_app(settings).openapi))
    anchors = {
        page_address(page): set(re.findall(r' id="([^"]+)"', library.read(page, "en").laid.body))
        for page in PAGES
    }
    parts = {
        "/glossary": {*catalogue()["languages"]["en"]["terms"], *METRICS, *LINES},
        **{
            f"/articles/{number}": {
                *(f"claim-{place + 1}" for place, _ in enumerate(article.claims)),
                *(f"question-{place + 1}" for place, _ in enumerate(article.questions)),
            }
            for number, article in enumerate(list_articles())
        },
        **anchors,
    }
    challenges = {f"/challenges/{challenge.id}" for challenge in list_challenges()}
    for entry in index.entries:
        address = urlsplit(entry.address)
        if address.path.startswith("/lessons/"):
            lesson = lesson_index()[address.path.removeprefix("/lessons/")]
            steps = parse_qs(address.query).get("step", ["0"])
            assert 0 <= int(steps[0]) <= lesson.steps, entry.address
        elif address.fragment:
            assert address.fragment in parts[address.path], entry.address
        elif address.path.startswith("/challenges/"):
            assert address.path in challenges
        else:
            assert address.path in {*(page.path for page in SITE_PAGES), *anchors}, entry.address


def test_the_counts_are_of_everything_that_was_found(index: SearchIndex) -> None:
    found = index.search("leader", "en")

    assert sum(found.counts.values()) == len(found.hits) > 500
    lessons = index.search("leader", "en", kind="lesson")
    assert len(lessons.hits) == found.counts["lesson"] > 50
    assert lessons.counts == found.counts


def test_a_title_comes_before_a_text(index: SearchIndex) -> None:
    """ "Rejected, but written" was first once, for the order of the chapters."""
    lessons = index.search("unclean election", "en", kind="lesson").hits

    assert [hit.entry.id for hit in lessons][:1] == ["unclean-election"]


def test_the_words_of_the_site_are_searched_too_unless_only_what_was_typed_is_wanted(
    index: SearchIndex,
) -> None:
    meant = index.search("高水印", "zh")
    typed = index.search("高水印", "zh", as_typed=True)

    assert list(meant.also) == ["高水位", "HW", "high watermark"]
    assert not typed.also
    assert [hit.entry.id for hit in typed.hits] == ["3#claim-6"]


def test_a_misspelt_word_is_corrected_and_a_known_one_is_not(index: SearchIndex) -> None:
    found = index.search("trucation", "en")
    assert "truncation" in found.corrected
    assert found.hits[0].entry.id == "truncation"

    # A misspelt name is still one: otherwise this is a clean election.
    assert index.search("unclaen election", "en").hits[0].entry.id == "unclean-election"
    assert not index.search("truncation", "en").corrected
    assert not index.search("trucation", "en", as_typed=True).hits


def test_a_beginning_finds_what_is_being_typed(index: SearchIndex) -> None:
    first = [hit.entry.id for hit in index.search("reassignm", "en", kind="lesson").hits[:4]]

    assert "reassignment-last-word" in first


def test_a_part_of_a_name_is_not_the_concept(index: SearchIndex) -> None:
    """`acks=1` is not about acknowledgements in general."""
    assert index.search("acks=1", "en").hits[0].entry.id == "acks-1-loses-on-failover"
    assert index.search("acks=-1", "en").hits[0].entry.id == "acknowledged"


def test_a_pasted_log_line_is_found_with_its_numbers_and_names(index: SearchIndex) -> None:
    lines = {
        "[Partition t-0 broker=1] Shrinking ISR from 1,2,3 to 1.": "isr-shrinks",
        "INFO Truncating orders-7 to 5 below high watermark 7": "truncated-below-high-watermark",
        "Cached zkVersion [12] not equal to that in zookeeper, skip": "isr-not-written",
    }

    firsts = {line: index.search(line, "en").hits[0].entry.id for line in lines}

    assert firsts == lines


def test_a_query_of_two_names_asks_what_these_are(index: SearchIndex) -> None:
    """Almost every entry is about them: their terms come first only if nothing else is named."""
    first = {hit.entry.id for hit in index.search("LEO和HW的区别", "zh").hits[:3]}

    assert {"high-watermark", "log-end-offset"} <= first


def test_words_between_those_of_a_name_and_their_endings_do_not_matter(index: SearchIndex) -> None:
    for words in ("the leader was set to -1", "leaders: -1", "leader -1"):
        also = index.search(words, "en").also
        assert "OfflinePartitionsCount" in also, words


@pytest.mark.parametrize(
    ("words", "concept"),
    [
        ("every machine dies", "whole-cluster"),  # typed: all nodes down
        ("控制器坏了", "controller-failover"),  # typed: 控制器宕机
        ("flapping isr", "isr-change"),  # typed: isr flapping
        ("flapping of the ISR", "isr-change"),
    ],
)
def test_a_name_may_have_other_words_or_two_in_the_other_order(words: str, concept: str) -> None:
    assert [found.id for _, _, found in Vocabulary().find(words.lower())] == [concept]


def test_who_asks_for_a_metric_gets_metrics_first(index: SearchIndex) -> None:
    for words, lang in (
        ("which metric shows that a follower is behind", "en"),
        ("哪个指标能看出 follower 落后", "zh"),
    ):
        first = index.search(words, lang).hits[0].entry
        assert first.id in METRICS, (words, first.id)
    assert index.search("follower is behind", "en").hits[0].entry.id not in METRICS


def test_a_sentence_that_nothing_contains_much_of_still_finds_the_nearest(
    index: SearchIndex,
) -> None:
    assert index.search(
        "our nightly billing exporter misbehaved terribly when the watermark wandered", "en"
    ).hits


@pytest.mark.parametrize("words", ["zzzqqq", "ㅋㅋㅋ", "龘龘龘"])
def test_nothing_found_has_the_nearest_names(index: SearchIndex, words: str) -> None:
    found = index.search(words, "en")

    assert not found.hits
    assert len(found.nearest) == 5


@pytest.mark.parametrize("words", ["", "   ", '"', "()*:^-", "zzz(", '" OR zzz:qqq', "\x00", "?!"])
def test_signs_are_no_syntax(index: SearchIndex, words: str) -> None:
    assert not index.search(words, "en").hits


def test_what_is_left_out_is_found_by_each_of_its_names_and_titles(index: SearchIndex) -> None:
    for row in LEFT_OUT:
        names = [name.replace("*", "x") for name in row.names]
        for words in (*names, row.title.text("en"), row.title.text("zh")):
            first = [(hit.entry.kind, hit.entry.id) for hit in index.search(words, "en").hits[:5]]
            assert ("left_out", row.id) in first, (words, first)


def test_a_word_belongs_to_one_concept() -> None:
    owners: dict[str, str] = {}
    for concept in Vocabulary().concepts.values():
        for word in concept.typed:
            owner = owners.setdefault(written(word), concept.id)
            assert owner == concept.id, f"{word}: {owner} and {concept.id}"
    assert len(owners) > 500


def test_a_claim_states_in_which_releases_it_is_correct(index: SearchIndex) -> None:
    claims = {entry.id: entry for entry in index.entries if entry.kind == "claim"}
    without = [entry for entry in index.entries if entry.kind != "claim"]

    default = claims["0#claim-2"].holds
    assert default is not None
    assert dict(zip(menu(), default, strict=True))["2.4"] is False
    assert default[-1] is True
    assert claims["4#question-1"].holds is None
    assert all(entry.holds is None for entry in without)


@pytest.mark.parametrize(
    ("query", "lang", "wanted"),
    [
        pytest.param("maybeIncrementLeaderHW", "en", "term:high-watermark", id="a name of code"),
        pytest.param("what if all replicas go down", "en", "loss:all-lose-power", id="all of them"),
        pytest.param("我的集群会丢数据吗", "zh", "doc:how-to/assess", id="a whole title"),
        pytest.param("升级到 4.0", "zh", "release:4.0", id="the number of a release"),
    ],
)
def test_what_a_query_names_is_read_as_a_whole(
    index: SearchIndex, query: str, lang: str, wanted: str
) -> None:
    first = [f"{hit.entry.kind}:{hit.entry.id}" for hit in index.search(query, lang).hits[:3]]

    assert wanted in first
