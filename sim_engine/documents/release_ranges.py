"""Ranges of releases in words: "up to 0.10.2", "0.11 to 2.0.0, from 2.7".

The ranges are of all modelled releases, not of those on the menu. A line's name includes all of its
patch releases: "up to 2.6" ends with 2.6.3.
"""

from collections.abc import Sequence

from sim_engine.languages import LANGUAGES, say
from sim_engine.releases import MODELLED, Stretch, begins_line, ends_line, line_name, releases_in
from sim_engine.scenario_reader.document import Text

_FILE = "narration/scenarios"


def ranges_in_words(stretches: Sequence[Stretch], lang: str) -> str:
    """Describe stretches of releases in a language. They are in order, and there are gaps between
    them.
    """
    if not stretches:
        return say(lang, _FILE, "noVersion")
    if tuple(stretches) == ((MODELLED[0], MODELLED[-1]),):
        return say(lang, _FILE, "everyVersion")
    return say(lang, _FILE, "comma").join(_in_words(stretch, lang) for stretch in stretches)


def ranges_text(stretches: Sequence[Stretch]) -> Text:
    """Describe stretches of releases in every language."""
    return {lang: ranges_in_words(stretches, lang) for lang in LANGUAGES}


def _in_words(stretch: Stretch, lang: str) -> str:
    first, last = stretch
    from_name = line_name(first) if begins_line(first) else first
    to_name = line_name(last) if ends_line(last) else last
    if first == MODELLED[0]:
        return say(lang, _FILE, "upTo", version=to_name)
    if last == MODELLED[-1]:
        return say(lang, _FILE, "fromOn", version=from_name)
    if from_name == to_name:
        return from_name
    if line_name(first) == line_name(last):
        inside = releases_in(stretch)
        if len(inside) <= 2:
            return say(lang, _FILE, "comma").join(inside)
        from_name, to_name = stretch
    return say(lang, _FILE, "fromTo", **{"from": from_name, "to": to_name})
