"""A pasted text without the values of secrets."""

from pathlib import Path

import pytest

from sim_engine.cluster_import.file_reader import without_secrets
from tests.sim_engine.assessment.clusters import parsed

PASTES = sorted((Path(__file__).parents[1] / "assessment/pastes").glob("*.txt"))
SECRET = "hunter2, x"


@pytest.mark.parametrize(
    "text",
    [
        f"ssl.keystore.password={SECRET}",
        f"  ssl.key.password : {SECRET}",
        f'sasl.jaas.config=org.a.Plain required username="u" password="{SECRET}";',
        f'sasl.jaas.config=org.a.Plain required \\\n  username=u \\\n  password="{SECRET}";',
        f'{{"config": {{"ssl.key.password": "{SECRET}", "b": 1}}}}',
        f"- name: KAFKA_PASSWORD\n  value: {SECRET}",
        f'{{"name": "ssl.key.password", "value": "{SECRET}"}}',
        f"offset: 3 payload: the token is {SECRET}",
        f"ssl.keystore.key=-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----",
        f"Topic: t Configs: sasl.token={SECRET},min.insync.replicas=2",
    ],
)
def test_no_value_of_a_secret_is_left_and_every_line_stays(text: str) -> None:
    kept = without_secrets(f"Topic: a\n{text}\nlast=1")

    assert "hunter2" not in kept
    assert "2, x" not in kept
    assert kept.count("\n") == text.count("\n") + 2
    assert (kept.startswith("Topic: a\n"), kept.endswith("\nlast=1")) == (True, True)


def test_what_follows_a_secret_stays() -> None:
    line = "Topic: password-resets\tConfigs: ssl.key.password=a,min.insync.replicas=2"

    assert without_secrets(line) == (
        "Topic: password-resets\tConfigs: ssl.key.password=…,min.insync.replicas=2"
    )


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.name)
def test_an_import_reads_both_texts_alike(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    kept = without_secrets(text)

    assert parsed(kept) == parsed(text)
