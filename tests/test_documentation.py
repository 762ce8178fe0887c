"""The documents are up to date, and no file reveals the machine on which it was made."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.cli import build_parser
from backend.documentation.library import without_generated_parts
from backend.settings import PREFIX, Settings
from sim_engine.versions import PROFILE_NAMES

REPOSITORY = Path(__file__).resolve().parent.parent
LOCKS = sorted((REPOSITORY / "requirements").glob("*.txt"))
ADDRESS = re.compile(r"[a-z+]+://", re.IGNORECASE)
# A path on a personal machine.
PERSONAL_PATH = re.compile(r"(?<![\w.:/-])/(?:home|Users|root|work)/\w+")
# Addresses of the site, such as /new, are checked by tests/backend/documentation.
LINK = re.compile(r"\]\((?!https?://|#|/|mailto:)([^)#\s]+)")


def tracked_files() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True
    ).stdout.decode()
    return [REPOSITORY / name for name in listing.split("\0") if name]


def texts() -> Iterator[tuple[Path, str]]:
    for file in tracked_files():
        if file.suffix in {".png", ".webp", ".woff2", ".gz", ".ico", ".log"} or not file.is_file():
            continue
        yield file, file.read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: str(lock.name))
def test_python_locks_name_no_host(lock: Path) -> None:
    addresses = [line for line in lock.read_text().splitlines() if ADDRESS.search(line)]

    assert addresses == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: str(lock.name))
def test_python_locks_hold_a_hash_for_every_requirement(lock: Path) -> None:
    requirements = re.split(r"\n(?=[a-z])", lock.read_text())

    assert [text for text in requirements if "--hash=sha256:" not in text] == []


def test_smaller_locks_agree_with_the_whole() -> None:
    # Where a package is needed depends on what else is in the lock.
    pinned = re.compile(r"^[a-z0-9-]+(?:\[\w+\])?==[^\s;]+", re.MULTILINE)
    whole = set(pinned.findall((REPOSITORY / "requirements/all.txt").read_text()))

    for lock in LOCKS:
        assert set(pinned.findall(lock.read_text())) <= whole, lock.name


def test_the_npm_lock_names_no_registry() -> None:
    lock = json.loads((REPOSITORY / "frontend/package-lock.json").read_text())

    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def test_every_make_target_has_its_line_of_help() -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    targets = re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, re.MULTILINE)

    said = subprocess.run(
        ["make", "help"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout

    assert targets
    for target in targets:
        assert re.search(rf"^  make {target} +\S", said, re.MULTILINE), target


def test_every_make_target_is_phony() -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    targets = re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, re.MULTILINE)
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)

    assert phony is not None
    assert sorted(phony[1].split()) == sorted(targets)


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_a_readme_is_read_in_three_minutes_and_shows_the_first_commands(name: str) -> None:
    readme = (REPOSITORY / name).read_text(encoding="utf-8")

    assert len(readme.split()) <= 700
    assert len(re.findall(r"[\u4e00-\u9fff]", readme)) <= 1500
    for needed in ("make run", "uvx", "<highwater-replay", "highwater assess", "highwater import"):
        assert needed in readme
    assert (
        [language for language in ("README.md", "README.zh.md") if f"({language})" in readme]
    ) == [language for language in ("README.md", "README.zh.md") if language != name]


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_every_command_in_a_readme_exists(name: str) -> None:
    readme = (REPOSITORY / name).read_text(encoding="utf-8")
    commands = set(re.findall(r"^    ([a-z]+)", build_parser().format_help(), re.MULTILINE))

    named = set(re.findall(r"^highwater ([a-z]+)", readme, re.MULTILINE))

    assert named
    assert named - commands == set()


def test_every_setting_that_documents_name_exists() -> None:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    known.add("HIGHWATER_ALLOW_MISSING")

    for document in ("README.md", "CONTRIBUTING.md", "compose.yaml", "Dockerfile"):
        named = set(re.findall(r"HIGHWATER_[A-Z_]*[A-Z]", (REPOSITORY / document).read_text()))
        assert named <= known, document


def test_no_number_in_the_prose_has_to_be_kept_up_by_hand() -> None:
    """Releases, rules, recordings, cases and scenarios come; what counts them is generated."""
    generated = {
        "docs/explanation/versions.md",
        "docs/reference/scenarios.md",
        *(f"docs/{folder}explanation/verdicts.md" for folder in ("", "zh/")),
    }
    counted = re.compile(
        r"\b\d+ (?:releases|versions|rules|runs recorded|recordings|cases|scenarios)\b"
    )
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")

    counts = [
        f"{file.relative_to(REPOSITORY)}: {found[0]}"
        for file, text in texts()
        if file.suffix == ".md" and str(file.relative_to(REPOSITORY)) not in generated
        for found in counted.finditer(without_generated_parts(text))
    ]

    assert counts == []
    assert not re.search(rf"\b{re.escape(PROFILE_NAMES[-1])}\b", readme)


def test_every_list_of_exit_statuses_is_the_same() -> None:
    def rows(name: str) -> list[str]:
        return re.findall(r"^\| \d[\d, 、]* \|.*$", (REPOSITORY / name).read_text(), re.MULTILINE)

    def statuses(name: str) -> list[str]:
        return [digits for row in rows(name) for digits in re.findall(r"\d+", row.split("|")[1])]

    page = "docs/reference/command-line.md"
    assert statuses(page) == statuses(f"docs/zh{page.removeprefix('docs')}")
    assert statuses(page) == ["0", "1", "2", "130", "143"]


def test_an_operator_learns_what_differs_where_a_part_is_missing() -> None:
    """pyproject.toml leaves QuickJS out on some systems; one process computes on Windows."""
    assert "quickjs-ng" in (REPOSITORY / "pyproject.toml").read_text()

    for name in ("docs/how-to/operate.md", "docs/zh/how-to/operate.md"):
        rows = re.findall(r"^\| (\w[^|]*) \|(.*)$", (REPOSITORY / name).read_text(), re.MULTILINE)
        intel = [said for system, said in rows if "macOS" in system and "Intel" in system]
        windows = [said for system, said in rows if system == "Windows"]
        assert ["figure_failed" in said for said in intel] == [True], name
        assert ["SQLite" in said for said in windows] == [True], name


def test_every_link_of_the_documents_leads_somewhere() -> None:
    for file in tracked_files():
        if file.suffix != ".md":
            continue
        for target in LINK.findall(file.read_text()):
            assert (file.parent / target).exists(), f"{file.name}: {target}"


def test_decisions_are_numbered_in_one_sequence() -> None:
    decisions = sorted((REPOSITORY / "docs/decisions").glob("*.md"))

    for number, file in enumerate(decisions, start=1):
        assert file.name.startswith(f"{number:04d}-"), file.name
        text = file.read_text()
        assert text.startswith(f"# {number}. "), file.name
        for part in ("Context", "Decision", "Consequences", "Alternatives"):
            assert f"**{part}.**" in text, f"{file.name}: {part}"


def test_every_script_is_in_the_guide_for_contributors() -> None:
    guide = (REPOSITORY / "CONTRIBUTING.md").read_text()

    # Building a package compiles the build requirements.
    for script in filter(Path.is_file, (REPOSITORY / "scripts").iterdir()):
        assert f"`{script.name}" in guide, script.name


@pytest.mark.parametrize(("lang", "docs"), [("en", "docs"), ("zh", "docs/zh")])
def test_the_page_of_the_keys_has_those_of_the_dialog(lang: str, docs: str) -> None:
    dialog = (REPOSITORY / "frontend/src/run/Help.svelte").read_text(encoding="utf-8")
    interface = REPOSITORY / f"sim_engine/languages/{lang}/interface/run.ftl"
    texts_of = dict(re.findall(r"^(\w+) = (.+)$", interface.read_text("utf-8"), re.MULTILINE))
    page = (REPOSITORY / docs / "reference/keyboard.md").read_text("utf-8")

    rows = re.findall(r"^\| (`.+`) \| (.+) \|$", page, re.MULTILINE)

    keys = re.findall(r'\["([^"]+)", "(key\w+)"\]', dialog)
    assert len(keys) > 20
    assert rows == [
        (" ".join(f"`{key}`" for key in pressed.split()), texts_of[name]) for pressed, name in keys
    ]


def test_no_file_contains_a_path_of_a_machine() -> None:
    found = {
        str(file.relative_to(REPOSITORY)): match[0]
        for file, text in texts()
        if (match := PERSONAL_PATH.search(text))
    }

    assert found == {}


@pytest.mark.parametrize(
    ("guide", "code"),
    [
        ("sim_engine/README.md", "sim_engine"),
        ("backend/README.md", "backend"),
        ("analytics/README.md", "analytics"),
        ("frontend/README.md", "frontend/src"),
    ],
)
def test_the_table_of_rooms_names_every_folder_of_code_and_no_other(guide: str, code: str) -> None:
    text = (REPOSITORY / guide).read_text(encoding="utf-8")
    first_cells = re.findall(r"^\| (`[^|]+?`) \|", text, re.MULTILINE)
    named = {name for cell in first_cells for name in re.findall(r"`([\w/-]+/)`", cell)}
    listed = subprocess.check_output(
        ["git", "ls-files", code], cwd=REPOSITORY, text=True
    ).splitlines()
    folder = re.compile(rf"{code}/([\w-]+/)[^/]+\.(?:py|ts|svelte)$")
    folders = {found[1] for file in listed if (found := folder.match(file))}

    assert {name for name in named if not (REPOSITORY / code / name).is_dir()} == set()
    assert folders - named == set()
