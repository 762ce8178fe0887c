"""Which plural form a number takes, by the rules of a language as Unicode's CLDR writes them.

A rule is what CLDR says for a category and whole numbers, such as `i = 1 and v = 0` or
`v = 0 and i % 10 = 2..4 and i % 100 != 12..14`. A browser has these rules too; the service's
drawing, which runs without one, and Python have not, so a language brings its own.
"""

import re
from collections.abc import Mapping

_RELATION = re.compile(
    r"([nivwfte])(?: ?% ?(\d+))? ?(!?=) ?(\d+(?:\.\.\d+)?(?:, ?\d+(?:\.\.\d+)?)*)"
)


def plural_category(number: int, rules: Mapping[str, str]) -> str:
    """The first category whose rule holds for a whole number; "other" where none does."""
    for category, rule in rules.items():
        if any(
            all(_holds(relation, number) for relation in re.split(" and ", alternative))
            for alternative in re.split(" or ", rule)
        ):
            return category
    return "other"


def _holds(relation: str, number: int) -> bool:
    found = _RELATION.fullmatch(relation.strip())
    assert found is not None, f"no relation of CLDR: {relation}"
    operand, modulus, sign, ranges = found.groups()
    # n and i are the number; the others count its decimals, or its exponent, and it has none.
    value = abs(number) if operand in "ni" else 0
    if modulus is not None:
        value %= int(modulus)
    inside = any(
        int(low) <= value <= int(high or low)
        for low, _, high in (part.strip().partition("..") for part in ranges.split(","))
    )
    return inside == (sign == "=")
