"""How near a query is to what people ask."""

import pytest

from backend.site_search.asked import AskedSentences, sentences
from backend.site_search.vocabulary import FORM, Vocabulary


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary()


def meant(vocabulary: Vocabulary, text: str) -> set[str]:
    return {sense for sense in vocabulary.senses(text) if not sense.startswith(FORM)}


def test_everyday_words_and_kafkas_are_the_same_in_both_languages(vocabulary: Vocabulary) -> None:
    kafkas = meant(vocabulary, "leader 宕机 follower 落后")

    assert meant(vocabulary, "主库挂了，从库跟不上") == kafkas
    assert meant(vocabulary, "首领死掉，备份节点追不上") == kafkas
    assert meant(vocabulary, "the master died, the slave lags") == kafkas


def test_chinese_is_divided_at_the_longest_word(vocabulary: Vocabulary) -> None:
    """The 后 of 落后 is not "after", and 读不到 is not 读."""
    assert meant(vocabulary, "落后之后") == {"same.behind"}
    assert "same.read" not in meant(vocabulary, "读不到")
    assert meant(vocabulary, "割接") == {"割接"}


def test_sentences_end_at_marks_and_not_within_names() -> None:
    assert list(sentences("Is min.insync.replicas=1 safe? Yes. 会丢吗？不会。")) == [
        "Is min.insync.replicas=1 safe",
        "Yes",
        "会丢吗",
        "不会",
    ]


def test_the_nearest_sentence_counts_and_not_the_longest_text(vocabulary: Vocabulary) -> None:
    long = "a leader that died and a disk and a network and a consumer and an order sent twice"
    told = ("the same order twice", long, "is it safe")
    asked = AskedSentences([*enumerate({*vocabulary.senses(one)} for one in told)])

    near = asked.near({*vocabulary.senses("every order arrives twice")})

    assert near.keys() == {0, 1}
    assert near[0] > 2 * near[1]


def test_details_that_nobody_else_mentions_hardly_count(vocabulary: Vocabulary) -> None:
    asked = AskedSentences([(0, {*vocabulary.senses("the same order twice")})])

    plain = asked.near({*vocabulary.senses("order twice")})[0]
    told = asked.near({*vocabulary.senses("order twice at Zanzibar")})[0]

    assert 0.5 * plain < told < plain
