"""The settings of Kafka's clients, with their defaults by release."""

from typing import Literal

from msgspec import Struct

from sim_engine.configs import INT_MAX, ConfigValue, always, value_at
from sim_engine.releases import at_least, release_number


class ClientSetting(Struct, frozen=True, kw_only=True):
    """A setting of producers or consumers, with its defaults as in `Setting`.

    A scenario defines the behaviour of its clients step by step, so these settings are not set in
    it. They are the defaults of clients of that release.
    """

    client: Literal["producer", "consumer"]
    name: str
    defaults: tuple[tuple[tuple[int, ...], ConfigValue], ...]
    since: tuple[int, ...] = ()


CLIENT_SETTINGS: tuple[ClientSetting, ...] = (
    ClientSetting(client="producer", name="acks", defaults=(((), "1"), ((3, 0), "all"))),  # KIP-679
    ClientSetting(
        client="producer",
        name="enable.idempotence",
        defaults=(((), False), ((3, 0), True)),  # KIP-679; in force from 3.0.1 and 3.1.1 on
        since=(0, 11),
    ),
    ClientSetting(client="producer", name="retries", defaults=(((), 0), ((2, 1), INT_MAX))),
    ClientSetting(
        client="producer", name="delivery.timeout.ms", defaults=always(120_000), since=(2, 1)
    ),
    ClientSetting(
        client="producer", name="request.timeout.ms", defaults=always(30_000), since=(0, 9)
    ),
    ClientSetting(
        client="producer",
        name="max.in.flight.requests.per.connection",
        defaults=always(5),
    ),
    ClientSetting(
        client="consumer",
        name="isolation.level",
        defaults=always("read_uncommitted"),
        since=(0, 11),
    ),
    ClientSetting(client="consumer", name="auto.offset.reset", defaults=always("latest")),
)


def client_defaults(client: str, kafka: str) -> dict[str, ConfigValue]:
    """The default of each client setting in a release."""
    version = release_number(kafka)
    return {
        setting.name: value_at(setting.defaults, version)
        for setting in CLIENT_SETTINGS
        if setting.client == client and at_least(version, setting.since)
    }
