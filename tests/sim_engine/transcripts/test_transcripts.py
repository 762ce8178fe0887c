"""The main stories of the protocol are told as their transcripts say (`testdata/*.txt`)."""

from pathlib import Path

import pytest

from tests.sim_engine.transcripts.transcript import play, read, written

TRANSCRIPTS = sorted(Path(__file__).parent.glob("testdata/*.txt"))


def test_every_story_is_there() -> None:
    assert [file.stem for file in TRANSCRIPTS] == [
        "clean-election",
        "eligible-leader-replicas",
        "high-watermark-advances",
        "isr-shrinks-and-expands",
        "producer-ids-and-transactions",
        "reassignment",
        "truncation-by-epoch",
        "truncation-by-high-watermark",
        "unclean-election",
    ]


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_story_is_told_as_its_transcript_says(file: Path, rewrite: bool) -> None:
    kept = file.read_text(encoding="utf-8")

    told = written(play(read(kept)))

    if rewrite:
        file.write_text(told, encoding="utf-8")
    else:
        assert told == kept
