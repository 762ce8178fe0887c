"""What is said of events: one catalogue of short texts in English and Chinese, filled with numbers.

`catalogue()` is what a page reads; the functions below say the same in Python. The texts are data,
in `texts/`; `README.md` says how they are written, and how a template is filled in any language.
"""

from sim_engine.narration.library import LANGUAGES, catalogue
from sim_engine.narration.sentences import (
    formula,
    formula_of,
    property_title,
    reason_text,
    sentence,
    sentence_of,
    step_label,
)
from sim_engine.narration.source_files import source_addresses
from sim_engine.narration.template import MissingNumberError, MissingTextError, fill, placeholders

__all__ = [
    "LANGUAGES",
    "MissingNumberError",
    "MissingTextError",
    "catalogue",
    "fill",
    "formula",
    "formula_of",
    "placeholders",
    "property_title",
    "reason_text",
    "sentence",
    "sentence_of",
    "source_addresses",
    "step_label",
]
