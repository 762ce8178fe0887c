"""A claim's range is exactly the releases in which its probe finds it correct, of all releases."""

from sim_engine.articles import articles_by_file, versions_of
from sim_engine.configs import release_groups
from sim_engine.releases import MODELLED, stretches_of
from sim_engine.versions import controls_of
from tests.sim_engine.articles.probes import PROBES, Version
from tests.tables import for_each

CLAIMS = {
    (file, number): claim
    for file, article in articles_by_file().items()
    for number, claim in enumerate(article.claims, start=1)
}


def test_every_claim_with_a_range_has_a_probe():
    assert {key for key, claim in CLAIMS.items() if claim.holds is not None} == set(PROBES)


@for_each("key", PROBES, lambda key: f"{key[0]}-{key[1]}")
def test_a_claim_holds_inside_its_range_and_not_outside_it(key: tuple[str, int]) -> None:
    """Each group of releases that behave the same is probed once, under each controller."""
    probe = PROBES[key]
    found: dict[str, set[bool]] = {}
    for group in release_groups():
        versions = (Version(group[-1], control) for control in controls_of(group[-1]))
        answers = {probe(version) for version in versions}
        found |= dict.fromkeys(group, answers)

    assert {name for name, answers in found.items() if len(answers) > 1} == set()
    holds = [name for name in MODELLED if found[name] == {True}]
    assert stretches_of(holds) == stretches_of(versions_of(CLAIMS[key]))
