"""What is said of events: short texts in every language, filled with numbers.

`catalogue()` is what a page reads; the functions below say the same in Python. The texts are in the
languages' folders (`sim_engine/languages`); `README.md` says how they are found and written.
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
    "source_addresses",
    "source_texts",
    "step_label",
    "text_id",
    "texts_in",
    "value_words",
]
