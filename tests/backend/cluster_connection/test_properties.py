"""`client.properties`, as Kafka's own clients read it; the rest is refused by name."""

from pathlib import Path

import pytest

from backend.cluster_connection.errors import ConnectionFailedError, without_secrets
from backend.cluster_connection.properties import ClientSettings, read_properties_file

PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
OAUTH = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"


def read(text: str) -> ClientSettings:
    return read_properties_file("client.properties", text)


def refusal(text: str) -> str:
    with pytest.raises(ConnectionFailedError) as refused:
        read(text)
    return str(refused.value)


def test_an_empty_file_connects_in_the_clear() -> None:
    settings = read("# nothing\n\n! nothing\n")

    assert (settings.protocol, settings.tls, settings.sasl) == ("PLAINTEXT", None, None)
    assert (settings.client_id, settings.connect_s, settings.request_s) == ("highwater", 10, 30)


def test_the_syntax_is_that_of_java() -> None:
    settings = read(
        "security.protocol : SASL_PLAINTEXT\n"
        "sasl.mechanism SCRAM-SHA-512\n"
        f"sasl.jaas.config={SCRAM} required \\\n"
        '    username="al\\u0069ce" \\\n'
        "    password='it''s'; \n".replace("it''s", "a b")
        + "client.id=\\:mine\n"
        "request.timeout.ms=1500\n"
        "socket.connection.setup.timeout.ms=500\n"
    )

    assert settings.sasl is not None
    assert settings.sasl.mechanism == "SCRAM-SHA-512"
    assert settings.sasl.options == {"username": "alice", "password": "a b"}
    assert (settings.client_id, settings.connect_s, settings.request_s) == (":mine", 0.5, 1.5)


def test_quoted_values_may_have_anything() -> None:
    settings = read(
        "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n"
        f'sasl.jaas.config={PLAIN} required username="a;b" password="q\\\\"=; \\\\\\\\";\n'
    )

    assert settings.sasl is not None
    assert settings.sasl.options == {"username": "a;b", "password": 'q"=; \\'}


def test_pem_stores_are_read(tmp_path: Path) -> None:
    store = tmp_path / "trusted.pem"
    store.write_text("-----BEGIN CERTIFICATE-----")

    settings = read(
        f"security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.location={store}\n"
        "ssl.keystore.type=PEM\nssl.keystore.key=key\nssl.keystore.certificate.chain=chain\n"
        "ssl.key.password=secret\nssl.endpoint.identification.algorithm=\n"
        "ssl.enabled.protocols=TLSv1.3\n"
    )

    assert settings.tls is not None
    assert settings.tls.trusted == "-----BEGIN CERTIFICATE-----"
    assert (settings.tls.certificates, settings.tls.key) == ("chain", "key")
    assert not settings.tls.checks_host
    assert settings.tls.versions == ("TLSv1.3",)


def test_settings_without_effect_are_named() -> None:
    settings = read(
        "acks=all\ngroup.id=g\nbootstrap.servers=a:1\nssl.truststore.location=/nowhere.jks\n"
        "sasl.login.refresh.window.factor=0.8\n"
    )

    assert settings.unused == (
        "acks",
        "group.id",
        "sasl.login.refresh.window.factor",
        "ssl.truststore.location",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("security.protocol=TLS\n", "1:1: security.protocol: is not one of PLAINTEXT, SSL"),
        ("=1\n", "1:1: this is not a setting: NAME=VALUE"),
        (
            "security.protocol=SSL\nssl.truststore.location=a.jks\n",
            "2:1: ssl.truststore.location: a JKS store cannot be read",
        ),
        (
            "security.protocol=SSL\nssl.truststore.type=PKCS12\nssl.truststore.location=a\n",
            "3:1: ssl.truststore.location: a PKCS12 store cannot be read",
        ),
        (
            "security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.location=/no/such\n",
            "3:1: ssl.truststore.location: the file cannot be read",
        ),
        (
            "security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.password=abc\n",
            "3:1: ssl.truststore.password: a PEM store has no password",
        ),
        (
            "security.protocol=SSL\nssl.cipher.suites=X\n",
            "2:1: ssl.cipher.suites: this setting is not supported here",
        ),
        (
            "security.protocol=SSL\nssl.enabled.protocols=TLSv1\n",
            "2:1: ssl.enabled.protocols: TLSv1 is not supported",
        ),
        (
            "security.protocol=SSL\nssl.keystore.key=k\n",
            "2:1: ssl.keystore.key: needs ssl.keystore.certificate.chain",
        ),
        (
            "security.protocol=SASL_SSL\n",
            "client.properties: sasl.mechanism: GSSAPI is not supported; supported are PLAIN,",
        ),
        (
            "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n",
            "client.properties: sasl.jaas.config: is missing, which PLAIN needs",
        ),
        (
            f"security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config={SCRAM} required;",
            f"3:1: sasl.jaas.config: PLAIN needs {PLAIN}",
        ),
        (
            "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n"
            f'sasl.jaas.config={PLAIN} required username="alice";',
            "3:1: sasl.jaas.config: has no password",
        ),
        (
            "security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\n"
            f'sasl.jaas.config={OAUTH} required clientId="a" clientSecret="b";',
            "client.properties: sasl.oauthbearer.token.endpoint.url: is missing",
        ),
        (
            "security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\n"
            f"sasl.jaas.config={OAUTH} required;\n"
            "sasl.oauthbearer.token.endpoint.url=https://a/b",
            "3:1: sasl.jaas.config: has no clientId and clientSecret",
        ),
        (
            "security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\n"
            f"sasl.jaas.config={OAUTH} required;\n"
            "sasl.login.callback.handler.class=com.example.Mine",
            "4:1: sasl.login.callback.handler.class: only Kafka's own handler",
        ),
        ("request.timeout.ms=soon\n", "1:1: request.timeout.ms: is not a number of milliseconds"),
    ],
)
def test_what_cannot_be_honoured_is_refused_by_name(text: str, expected: str) -> None:
    message = refusal(text)

    assert expected in message
    assert message.startswith("client.properties:")


@pytest.mark.parametrize(
    "line",
    [
        f'{PLAIN} required username="alice" password="hunter2"',
        f'{PLAIN} required username="alice" password="hunter2" oops;',
        "hunter2;",
        f'{PLAIN} required username=alice password="hunter2"; {PLAIN} required;',
    ],
)
def test_no_refusal_repeats_a_secret(line: str) -> None:
    message = refusal(
        f"security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config={line}\n"
    )

    assert "hunter2" not in message


def test_secrets_are_neither_shown_nor_repeated() -> None:
    settings = read(
        "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nssl.key.password=sesame\n"
        f'sasl.jaas.config={PLAIN} required username="alice" password="hunter2";\n'
    )

    assert settings.secrets == {"hunter2", "sesame"}
    assert "hunter2" not in repr(settings)
    assert "sesame" not in repr(settings)
    assert without_secrets("no hunter2\nat sesame", settings.secrets) == "no … at …"
