"""The languages that Highwater speaks: a folder each, found by being there.

A folder holds Fluent files: `language.ftl` says what the language is called and how its plurals
are formed, `interface/` holds the page's own words, `narration/` what is said of a run,
`service.ftl` what the service itself says, `limits.ftl` what is said of its limits, and
`cluster_import.ftl` what is said of an import. `README.md` says how a language is added.
"""

from sim_engine.languages.fluent import (
    LanguageFileError,
    Message,
    Pattern,
    PatternDocument,
    Selection,
    Value,
    joined,
    pattern_document,
    read_messages,
    read_pattern,
)
from sim_engine.languages.formatter import (
    MissingNumberError,
    MissingTextError,
    fill,
    placeholders,
)
from sim_engine.languages.library import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    Language,
    find_language,
    find_messages,
    in_language,
    language_called,
    messages,
    say,
)

__all__ = [
    "DEFAULT_LANGUAGE",
    "LANGUAGES",
    "Language",
    "LanguageFileError",
    "Message",
    "MissingNumberError",
    "MissingTextError",
    "Pattern",
    "PatternDocument",
    "Selection",
    "Value",
    "fill",
    "find_language",
    "find_messages",
    "in_language",
    "joined",
    "language_called",
    "messages",
    "pattern_document",
    "placeholders",
    "read_messages",
    "read_pattern",
    "say",
]
