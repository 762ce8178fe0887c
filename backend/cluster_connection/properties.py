"""Reads `client.properties`, the configuration file of Kafka's own clients.

Settings of the connection are honoured as Kafka does; one that cannot be honoured is refused by its
name. Settings of producers and consumers change nothing that is read here. No message repeats a
value.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from backend.cluster_connection.errors import ConnectionFailedError

SecurityProtocol: TypeAlias = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"]
_PROTOCOLS: Mapping[str, SecurityProtocol] = {
    "PLAINTEXT": "PLAINTEXT",
    "SSL": "SSL",
    "SASL_PLAINTEXT": "SASL_PLAINTEXT",
    "SASL_SSL": "SASL_SSL",
}
_LOGIN_MODULES = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "OAUTHBEARER": "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule",
}
"""Mechanism → the login module that its `sasl.jaas.config` names."""
_PACKAGE = "org.apache.kafka.common.security.oauthbearer."
_LOGIN_HANDLERS = {
    f"{_PACKAGE}OAuthBearerLoginCallbackHandler",
    f"{_PACKAGE}secured.OAuthBearerLoginCallbackHandler",
}
_OF_CONNECTION = re.compile(r"(?:security|sasl|ssl)\.|(?:socks|proxy)")
_NO_EFFECT = re.compile(
    # Of logins that last longer than one connection, of brokers, and of what Java needs.
    r"sasl\.login\.(?:refresh|retry|connect|read)\.|sasl\.oauthbearer\.jwks\.|"
    r"sasl\.(?:kerberos\.(?:kinit|ticket|min)|server)|ssl\.(?:secure\.random|client\.auth)|"
    r"security\.providers|ssl\.(?:trustmanager|keymanager)\.algorithm"
)
_LINE = re.compile(r"(?P<name>(?:\\.|[^\s=:\\])+)(?:\s*[=:]\s*|\s+|$)(?P<value>.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_JAAS = re.compile(
    r"\s*(?P<module>[\w.$]+)\s+(?:required|requisite|sufficient|optional)\b(?P<options>.*?);\s*",
    re.DOTALL | re.IGNORECASE,
)
_OPTION = re.compile(
    r"""\s*(?P<name>[\w.-]+)\s*=\s*(?:"(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>(?:\\.|[^'\\])*)'"""
    r"""|(?P<plain>[^\s;"']+))\s*""",
    re.DOTALL,
)
_TLS_VERSIONS = ("TLSv1.2", "TLSv1.3")


@dataclass(frozen=True)
class TlsSettings:
    """What decides whom TLS trusts, and how it identifies itself. Texts are PEM."""

    trusted: str | None = None
    """The certificates to trust; null for those that the system trusts."""
    certificates: str | None = None
    """The client's certificate chain, its own first; null if it has none."""
    key: str | None = field(default=None, repr=False)
    key_password: str | None = field(default=None, repr=False)
    checks_host: bool = True
    versions: tuple[str, ...] = _TLS_VERSIONS


@dataclass(frozen=True)
class SaslSettings:
    """How to authenticate. Values of OAUTHBEARER are null for other mechanisms."""

    mechanism: str
    options: Mapping[str, str] = field(repr=False)
    """The options of the login module."""
    token_url: str | None = None


@dataclass(frozen=True)
class ClientSettings:
    """Everything that a file decides about connections."""

    protocol: SecurityProtocol = "PLAINTEXT"
    tls: TlsSettings | None = None
    sasl: SaslSettings | None = None
    client_id: str = "highwater"
    connect_s: float = 10.0
    request_s: float = 30.0
    unused: tuple[str, ...] = ()
    """The settings that change nothing that is read here."""
    secrets: frozenset[str] = field(default=frozenset(), repr=False)


class _Properties:
    """The settings of a file, each taken once; what is left in the end is refused or unused."""

    def __init__(self, name: str, values: Mapping[str, tuple[str, int]]) -> None:
        self._name = name
        self._values = dict(values)
        self._lines = {setting: line for setting, (_, line) in values.items()}

    def take(self, setting: str, default: str | None = None) -> str | None:
        value, _ = self._values.pop(setting, (default, 0))
        return value

    def take_seconds(self, setting: str, default: float) -> float:
        text = self.take(setting)
        if text is None:
            return default
        if not re.fullmatch("[0-9]{1,9}", text) or int(text) == 0:
            raise self.wrong(setting, "is not a number of milliseconds above 0")
        return int(text) / 1000

    def take_file(self, setting: str) -> str | None:
        path = self.take(setting)
        if path is None:
            return None
        try:
            with open(path, encoding="utf-8") as file:
                return file.read()
        except OSError as error:
            raise self.wrong(setting, f"the file cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise self.wrong(setting, "the file is not PEM") from None

    def wrong(self, setting: str, reason: str) -> ConnectionFailedError:
        line = self._lines.get(setting)
        place = self._name if line is None else f"{self._name}:{line}:1"
        return ConnectionFailedError(f"{place}: {setting}: {reason}")

    def rest(self) -> Iterator[str]:
        yield from self._values


def read_properties_file(name: str, text: str) -> ClientSettings:
    """Read a file. Raises `ConnectionFailedError`, which names the line and the setting."""
    properties = _Properties(name, dict(_settings(name, text)))
    properties.take("bootstrap.servers")  # the command names them
    protocol = _protocol(properties)
    tls = _tls(properties) if protocol in ("SSL", "SASL_SSL") else None
    sasl = _sasl(properties) if protocol in ("SASL_PLAINTEXT", "SASL_SSL") else None
    return ClientSettings(
        protocol=protocol,
        tls=tls,
        sasl=sasl,
        client_id=properties.take("client.id") or "highwater",
        connect_s=properties.take_seconds("socket.connection.setup.timeout.ms", 10),
        request_s=properties.take_seconds("request.timeout.ms", 30),
        unused=tuple(sorted(_unused(properties, protocol))),
        secrets=frozenset(_secrets(tls, sasl)),
    )


def _protocol(properties: _Properties) -> SecurityProtocol:
    name = properties.take("security.protocol", "PLAINTEXT") or ""
    protocol = _PROTOCOLS.get(name.strip().upper())
    if protocol is None:
        raise properties.wrong("security.protocol", f"is not one of {', '.join(_PROTOCOLS)}")
    return protocol


def _unused(properties: _Properties, protocol: SecurityProtocol) -> Iterator[str]:
    for setting in properties.rest():
        if not _OF_CONNECTION.match(setting) or _NO_EFFECT.match(setting):
            yield setting
        elif (setting.startswith("ssl.") and protocol in ("PLAINTEXT", "SASL_PLAINTEXT")) or (
            setting.startswith("sasl.") and protocol in ("PLAINTEXT", "SSL")
        ):
            yield setting  # as for Kafka's clients, the protocol decides what counts
        else:
            raise properties.wrong(setting, "this setting is not supported here")


def _settings(name: str, text: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """The settings of a file as `java.util.Properties` reads them: value and line by name."""
    logical, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.lstrip(" \t\f")
        if not logical and (not stripped or stripped[0] in "#!"):
            continue
        first = first or number
        logical += stripped
        if (len(logical) - len(logical.rstrip("\\"))) % 2:
            logical = logical[:-1]
            continue
        setting = _setting(name, first, logical)
        logical, first = "", 0
        yield setting
    if logical:
        yield _setting(name, first, logical)


def _setting(name: str, number: int, logical: str) -> tuple[str, tuple[str, int]]:
    match = _LINE.fullmatch(logical)
    if match is None:
        raise ConnectionFailedError(f"{name}:{number}:1: this is not a setting: NAME=VALUE")
    return _unescaped(match["name"]), (_unescaped(match["value"]).strip(), number)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(
        lambda match: chr(int(match[1], 16)) if match[1] else _CONTROL.get(match[2], match[2]), text
    )


def _tls(properties: _Properties) -> TlsSettings:
    trusted = _store(properties, "truststore", "ssl.truststore.certificates")
    chain = properties.take("ssl.keystore.certificate.chain")
    key = properties.take("ssl.keystore.key")
    store = _store(properties, "keystore", None)
    if (key is None) != (chain is None):
        raise properties.wrong("ssl.keystore.key", "needs ssl.keystore.certificate.chain, and back")
    checks = properties.take("ssl.endpoint.identification.algorithm", "https") or ""
    if checks.lower() not in ("https", ""):
        raise properties.wrong(
            "ssl.endpoint.identification.algorithm", "is neither https nor empty"
        )
    enabled = properties.take("ssl.enabled.protocols") or properties.take("ssl.protocol") or ""
    properties.take("ssl.protocol")
    versions = tuple(version.strip() for version in enabled.split(",") if version.strip())
    if unknown := [version for version in versions if version not in (*_TLS_VERSIONS, "TLS")]:
        raise properties.wrong("ssl.enabled.protocols", f"{unknown[0][:20]} is not supported")
    return TlsSettings(
        trusted=trusted,
        certificates=chain or store,
        key=key or store,
        key_password=properties.take("ssl.key.password"),
        checks_host=checks.lower() == "https",
        versions=tuple(one for one in versions if one != "TLS") or _TLS_VERSIONS,
    )


def _store(properties: _Properties, store: str, inline: str | None) -> str | None:
    """The PEM text of a store; null if the file names none."""
    form = (properties.take(f"ssl.{store}.type") or "JKS").upper()
    text = None if inline is None else properties.take(inline)
    location = f"ssl.{store}.location"
    if form != "PEM" and any(name == location for name in properties.rest()):
        raise properties.wrong(
            location,
            f"a {form[:10]} store cannot be read: export it as PEM, and set ssl.{store}.type=PEM",
        )
    if form == "PEM" and f"ssl.{store}.password" in set(properties.rest()):
        raise properties.wrong(f"ssl.{store}.password", "a PEM store has no password")
    properties.take(f"ssl.{store}.password")
    return text or properties.take_file(location)


def _sasl(properties: _Properties) -> SaslSettings:
    mechanism = (properties.take("sasl.mechanism") or "GSSAPI").strip()
    if mechanism not in _LOGIN_MODULES:
        supported = ", ".join(_LOGIN_MODULES)
        raise properties.wrong(
            "sasl.mechanism", f"{mechanism[:30]} is not supported; supported are {supported}"
        )
    options = _jaas_options(properties, mechanism)
    if mechanism != "OAUTHBEARER":
        if missing := [name for name in ("username", "password") if not options.get(name)]:
            raise properties.wrong("sasl.jaas.config", f"has no {missing[0]}")
        return SaslSettings(mechanism, options)
    handler = properties.take("sasl.login.callback.handler.class")
    if handler is not None and handler not in _LOGIN_HANDLERS:
        raise properties.wrong(
            "sasl.login.callback.handler.class", "only Kafka's own handler of tokens is supported"
        )
    for setting, option in (
        ("sasl.oauthbearer.client.credentials.client.id", "clientId"),
        ("sasl.oauthbearer.client.credentials.client.secret", "clientSecret"),
        ("sasl.oauthbearer.scope", "scope"),
    ):
        value = properties.take(setting)
        options = {**options, option: value} if value is not None else options
    url = properties.take("sasl.oauthbearer.token.endpoint.url")
    _check_token(properties, options, url)
    return SaslSettings(mechanism, options, url)


def _check_token(properties: _Properties, options: Mapping[str, str], url: str | None) -> None:
    """Raise `ConnectionFailedError` unless the settings say where the token comes from."""
    if url is None:
        if "unsecuredLoginStringClaim_sub" not in options:
            raise properties.wrong(
                "sasl.oauthbearer.token.endpoint.url",
                "is missing: name an https address, or a file:// with a token",
            )
        for option in options:
            if not re.match("unsecuredLoginStringClaim_|extension_", option):
                raise properties.wrong("sasl.jaas.config", f"{option[:60]} is not supported")
    elif not re.match("https?://|file://", url):
        raise properties.wrong(
            "sasl.oauthbearer.token.endpoint.url", "is neither https:// nor file://"
        )
    elif not url.startswith("file:") and not (
        options.get("clientId") and options.get("clientSecret")
    ):
        raise properties.wrong("sasl.jaas.config", "has no clientId and clientSecret")


def _jaas_options(properties: _Properties, mechanism: str) -> dict[str, str]:
    text = properties.take("sasl.jaas.config")
    if text is None:
        raise properties.wrong("sasl.jaas.config", f"is missing, which {mechanism} needs")
    match = _JAAS.fullmatch(text)
    if match is None:
        raise properties.wrong(
            "sasl.jaas.config", 'is not one login module: MODULE required NAME="VALUE" …;'
        )
    if match["module"] != _LOGIN_MODULES[mechanism]:
        raise properties.wrong("sasl.jaas.config", f"{mechanism} needs {_LOGIN_MODULES[mechanism]}")
    options: dict[str, str] = {}
    position, written = 0, match["options"].strip()
    while position < len(written):
        option = _OPTION.match(written, position)
        if option is None:
            raise properties.wrong("sasl.jaas.config", 'an option is not NAME="VALUE"')
        quoted = option["double"] if option["double"] is not None else option["single"]
        value = option["plain"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        options[option["name"]] = value
        position = option.end()
    return options


def _secrets(tls: TlsSettings | None, sasl: SaslSettings | None) -> Iterator[str]:
    if tls is not None:
        yield from filter(None, (tls.key, tls.key_password))
    if sasl is not None:
        public = ("username", "clientId", "scope")
        for name, value in sasl.options.items():
            if name not in public and not name.startswith("unsecured"):
                yield value
