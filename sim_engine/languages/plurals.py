"""Selects the plural form of a number, by a language's rules in the syntax of Unicode's CLDR.

A rule is CLDR's condition of a category for whole numbers, such as `i = 1 and v = 0` or `v = 0 and
i % 10 = 2..4 and i % 100 != 12..14`. Browsers include these rules, but Python and the service's
drawing engine do not, so each language has its own.
"""

import re
from collections.abc import Mapping

_RELATION = re.compile(
    r"([nivwfte])(?: ?% ?(\d+))? ?(!?=) ?(\d+(?:\.\.\d+)?(?:, ?\d+(?:\.\.\d+)?)*)"
)


def plural_category(number: int, rules: Mapping[str, str]) -> str:
    """The first category whose rule matches a whole number; "other" if none does."""
    for category, rule in rules.items():
        if any(
            all(_holds(relation, number) for relation in re.split(" and ", alternative))
            for alternative in re.split(" or ", rule)
        ):
            return category
    return "other"


def _holds(relation: str, number: int) -> bool:
    found = _RELATION.fullmatch(relation.strip())
    assert found is not None, f"not a CLDR relation: {relation}"
    operand, modulus, sign, ranges = found.groups()
    # n and i are the number itself. The others are about its decimals or exponent, and whole
    # numbers have none.
    value = abs(number) if operand in "ni" else 0
    if modulus is not None:
        value %= int(modulus)
    inside = any(
        int(low) <= value <= int(high or low)
        for low, _, high in (part.strip().partition("..") for part in ranges.split(","))
    )
    return inside == (sign == "=")
