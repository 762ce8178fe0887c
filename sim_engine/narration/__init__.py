"""The texts about events: short sentences in every language, filled with values.

A page reads `catalogue()`; the functions below return the same texts in Python. The texts are in
the languages' folders (`sim_engine/languages`); `README.md` describes how to find and write them.
"""

from sim_engine.narration.library import catalogue, source_texts, text_id, texts_in
from sim_engine.narration.sentences import (
    change_name,
    formula,
    formula_of,
    property_title,
    reason_text,
    rule_text,
    sentence,
    sentence_of,
    settings_named,
    step_label,
    value_words,
)
from sim_engine.narration.source_files import source_addresses

__all__ = [
    "catalogue",
    "change_name",
    "formula",
    "formula_of",
    "property_title",
    "reason_text",
    "rule_text",
    "sentence",
    "sentence_of",
    "settings_named",
    "source_addresses",
    "source_texts",
    "step_label",
    "text_id",
    "texts_in",
    "value_words",
]
