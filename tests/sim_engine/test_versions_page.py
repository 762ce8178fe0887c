"""The generated documentation matches the profiles."""

from pathlib import Path

from backend.documentation.contents import DOCUMENTED
from sim_engine.command_line import main
from sim_engine.documents.versions import (
    README_BEGINS,
    README_ENDS,
    versions_page,
    versions_table,
)
from sim_engine.languages import LANGUAGES
from sim_engine.versions import PROFILE_NAMES, RULE_NAMES

REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_page_is_up_to_date():
    """`scripts/write-versions` brings it up to date."""
    written = (REPOSITORY / "docs/explanation/versions.md").read_text(encoding="utf-8")

    assert written == versions_page(DOCUMENTED)


def test_the_command_prints_it_in_every_language(capsys):
    assert main(["versions", "--markdown"]) == 0

    assert capsys.readouterr().out == versions_page(LANGUAGES)


def test_the_table_of_the_readme_is_up_to_date(capsys):
    """`scripts/write-versions` brings it up to date."""
    assert main(["versions"]) == 0

    printed = capsys.readouterr().out
    assert f"{README_BEGINS}\n\n{printed}\n{README_ENDS}" in (REPOSITORY / "README.md").read_text(
        encoding="utf-8"
    )


def test_every_rule_and_profile_is_on_the_page():
    page = versions_page()

    for rule in RULE_NAMES:
        assert f"\n| {rule} |" in page
    assert f"| rule | {' | '.join(PROFILE_NAMES)} |" in page


def test_a_rule_is_brought_by_one_profile_and_marked_from_there_on():
    page = versions_page().splitlines()
    kip_101 = next(line for line in page if line.startswith("| KIP-101 |")).split(" | ")[1:]

    assert [
        line.split(" | ")[0] for line in versions_table().splitlines() if "KIP-101" in line
    ] == ["| 0.11"]
    first = PROFILE_NAMES.index("0.11")
    assert not any("●" in cell for cell in kip_101[:first])
    assert all("●" in cell for cell in kip_101[first:])
