"""Text as the index has it and as a query names it.

Latin letters and digits form words. Chinese has no spaces, so a run of characters is indexed as its
overlapping pairs: 高水位 is "高水 水位", and a phrase of pairs is exactly that run. No dictionary
decides what a word is, so every part of a text can be found.
"""

import re
import unicodedata
from functools import cache

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_PIECE = re.compile(rf"[{_HAN}]+|[0-9a-z\u00df-\u024f]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MINUS_ONE = re.compile(r"(?<![0-9a-z])-1(?![0-9a-z])")
_IS_HAN = re.compile(rf"[{_HAN}]")
_ENDING = re.compile(
    r"(?<=[a-z]{3})(?:(?:at)?(?:ions?|ing|ed|es|e|ors?)|ies|ied|e?ments?|ab(?:le|ility)|s|y)$"
)
_DOUBLED = re.compile(r"([bdglmnprst])\1$")


def plain(text: str) -> str:
    """The text in lower case, with full-width letters and digits as usual ones. -1 is a word: it
    is Kafka's number for "all" and for "none".
    """
    return _MINUS_ONE.sub(" minus1", unicodedata.normalize("NFKC", text).lower())


def pieces(text: str) -> list[str]:
    """The words of a text, and its runs of Chinese characters, in order."""
    return _PIECE.findall(plain(text))


def is_han(piece: str) -> bool:
    """Whether a piece is a run of Chinese characters."""
    return _IS_HAN.match(piece) is not None


def pairs(run: str) -> list[str]:
    """The overlapping pairs of a run of Chinese characters; a single one stays alone."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def tokens(text: str) -> list[str]:
    """What is indexed of a text, in order."""
    return [
        token for piece in pieces(text) for token in (pairs(piece) if is_han(piece) else (piece,))
    ]


def without_humps(name: str) -> str:
    """A name in camel case as words: "Under Replicated Partitions"."""
    return _HUMP.sub(" ", name)


@cache
def stem(word: str) -> str:
    """A word without its ending: "truncates" and "truncation" are the same to a search."""
    return _DOUBLED.sub(r"\1", _ENDING.sub("", word))
