from pathlib import Path

import pytest

from backend.settings import Settings, SettingsError, driver_url, read_settings


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch):
    for name in [name for name in __import__("os").environ if name.startswith("HIGHWATER_")]:
        monkeypatch.delenv(name)


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HIGHWATER_PORT", "8123")
    monkeypatch.setenv("HIGHWATER_DATABASE_URL", "postgresql://me@db/highwater")
    monkeypatch.setenv("HIGHWATER_PUBLIC_URL", "https://highwater.example/")

    settings = read_settings()

    assert settings.port == 8123
    assert settings.database_file is None
    assert settings.base_url == "https://highwater.example"


def test_proxies_may_be_addresses_and_networks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HIGHWATER_TRUSTED_PROXIES", "10.0.0.0/8, fd00::1")

    assert read_settings().trusted_proxies == "10.0.0.0/8,fd00::1"


def test_a_command_line_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HIGHWATER_PORT", "8123")

    assert read_settings(port=9000, host=None).port == 9000


def test_an_unknown_name_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HIGHWATER_DATABSE_URL", "sqlite:///x.db")

    with pytest.raises(SettingsError) as refused:
        read_settings()

    message = str(refused.value)
    assert "HIGHWATER_DATABSE_URL" in message
    assert "HIGHWATER_DATABASE_URL" in message
    assert "\n" not in message


def test_variables_of_the_tests_are_accepted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HIGHWATER_ALLOW_MISSING", "1")

    assert read_settings() == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "65536"),
        ("TRUSTED_PROXIES", "proxy.example"),
        ("TRUSTED_PROXIES", "10.0.0.1/8"),
        ("DATABASE_URL", "mysql://db/x"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "highwater.db"),
        ("PUBLIC_URL", "highwater.example"),
        ("PUBLIC_URL", 'https://x"><script>'),
        ("FRAME_ANCESTORS", "*; script-src *"),
    ],
)
def test_an_impossible_value_is_refused_by_name(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(f"HIGHWATER_{name}", value)

    with pytest.raises(SettingsError, match=f"HIGHWATER_{name}: "):
        read_settings()


def test_links_without_a_public_url_lead_to_where_the_service_listens():
    assert Settings(host="0.0.0.0", port=8123).base_url == "http://127.0.0.1:8123"
    assert Settings(host="::1", port=8123).base_url == "http://[::1]:8123"


def test_every_setting_is_described():
    assert all(field.description for field in Settings.model_fields.values())


def test_the_drivers_are_asynchronous_and_a_password_survives(tmp_path: Path):
    assert driver_url("postgresql://a:b@h/d") == "postgresql+asyncpg://a:b@h/d"
    assert driver_url(f"sqlite:///{tmp_path}/x.db") == f"sqlite+aiosqlite:///{tmp_path}/x.db"
