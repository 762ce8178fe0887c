"""Ranges of releases in words: of all releases, and of exactly those that they describe."""

import pytest

from sim_engine.documents.pages import ranges_in_words, ranges_text
from sim_engine.releases import MODELLED, stretches_of
from tests.sim_engine.ranges_said import releases_said


@pytest.mark.parametrize(
    ("releases", "english", "chinese"),
    [
        ((), "in no version", "没有任何版本"),
        (MODELLED, "in every version", "所有版本"),
        (MODELLED[: MODELLED.index("0.11.0.0")], "up to 0.10.2", "0.10.2 及以前"),
        (MODELLED[: MODELLED.index("2.6.1")], "up to 2.6.0", "2.6.0 及以前"),
        (MODELLED[MODELLED.index("2.6.1") :], "from 2.6.1", "2.6.1 起"),
        (("2.5.0", "2.5.1", "2.6.0"), "2.5 to 2.6.0", "2.5 到 2.6.0"),
        (("0.11.0.0", "0.11.0.1", "0.11.0.2", "0.11.0.3"), "0.11", "0.11"),
        (("2.0.0", "3.9.0", "4.0.0"), "2.0.0, 3.9.0, 4.0.0", "2.0.0、3.9.0、4.0.0"),
        (("1.0.0", "1.0.1"), "1.0.0, 1.0.1", "1.0.0、1.0.1"),
        (("2.6.1", "2.6.2", "2.6.3"), "2.6.1 to 2.6.3", "2.6.1 到 2.6.3"),
    ],
)
def test_releases_in_words(releases: tuple[str, ...], english: str, chinese: str) -> None:
    assert ranges_text(stretches_of(releases)) == {"en": english, "zh": chinese}


@pytest.mark.parametrize("first", range(0, len(MODELLED), 5))
def test_the_words_mean_the_releases_that_they_describe(first: int) -> None:
    for length in (1, 2, 3, 7, 30):
        for left_out in (None, first + 1, first + 4):
            releases = {
                name
                for place, name in enumerate(MODELLED)
                if first <= place < first + length and place != left_out
            }

            assert releases_said(ranges_in_words(stretches_of(releases), "en")) == releases
