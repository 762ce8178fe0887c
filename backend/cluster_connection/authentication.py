"""TLS contexts and SASL mechanisms from a client's settings."""

import base64
import json
import os
import ssl
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from kafka.net.sasl.abc import SaslMechanism
from kafka.net.sasl.oauth import AbstractTokenProvider, SaslMechanismOAuth
from kafka.net.sasl.plain import SaslMechanismPlain
from kafka.net.sasl.scram import SaslMechanismScram

from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.properties import SaslSettings, TlsSettings

_VERSIONS = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
_TOKEN_TIMEOUT_S = 10


def tls_context(settings: TlsSettings) -> ssl.SSLContext:
    """A context that trusts and identifies itself as these settings say. Raises
    `ConnectionFailedError` if a text is not PEM or a password is wrong.
    """
    context = ssl.create_default_context()
    if settings.trusted is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            context.load_verify_locations(cadata=settings.trusted)
        except (ssl.SSLError, ValueError):
            raise ConnectionFailedError("ssl.truststore: has no certificate in PEM") from None
    context.check_hostname = settings.checks_host
    versions = sorted(_VERSIONS[name] for name in settings.versions)
    context.minimum_version, context.maximum_version = versions[0], versions[-1]
    if settings.certificates is not None:
        _load_identity(context, settings)
    return context


def _load_identity(context: ssl.SSLContext, settings: TlsSettings) -> None:
    """Python reads a key from files only: they are readable by this user alone, and deleted."""
    with tempfile.TemporaryDirectory() as folder:
        chain, key = Path(folder, "chain.pem"), Path(folder, "key.pem")
        for file, text in ((chain, settings.certificates), (key, settings.key)):
            with open(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600), "w") as opened:
                opened.write(text or "")
        try:
            context.load_cert_chain(chain, key, password=settings.key_password or "")
        except (ssl.SSLError, ValueError):
            raise ConnectionFailedError(
                "ssl.keystore: is no certificate with its key in PEM, or ssl.key.password is wrong"
            ) from None


def sasl_mechanism(settings: SaslSettings) -> SaslMechanism:
    """One authentication by these settings. For OAUTHBEARER this fetches a token, which can take
    seconds. Raises `ConnectionFailedError`.
    """
    options = settings.options
    if settings.mechanism == "OAUTHBEARER":
        extensions = {
            name.removeprefix("extension_"): value
            for name, value in options.items()
            if name.startswith("extension_")
        }
        return SaslMechanismOAuth(sasl_oauth_token_provider=_Token(_token(settings), extensions))
    if settings.mechanism == "PLAIN":
        return SaslMechanismPlain(
            sasl_plain_username=options["username"], sasl_plain_password=options["password"]
        )
    return SaslMechanismScram(
        # RFC 5802: these two characters structure the message.
        sasl_plain_username=options["username"].replace("=", "=3D").replace(",", "=2C"),
        sasl_plain_password=options["password"],
        sasl_mechanism=settings.mechanism,
    )


class _Token(AbstractTokenProvider):  # type: ignore[misc]  # the library has no types
    def __init__(self, token: str, extensions: Mapping[str, str]) -> None:
        super().__init__()
        self._token = token
        self._extensions = extensions

    def token(self) -> str:
        return self._token

    def extensions(self) -> Mapping[str, str]:
        return self._extensions


def _token(settings: SaslSettings) -> str:
    url = settings.token_url
    if url is None:
        return _unsecured(settings.options)
    if url.startswith("file:"):
        try:
            return Path(urllib.parse.unquote(urllib.parse.urlsplit(url).path)).read_text().strip()
        except (OSError, UnicodeDecodeError):
            raise ConnectionFailedError(
                "sasl.oauthbearer.token.endpoint.url: the file cannot be read"
            ) from None
    return _granted(url, settings.options)


def _unsecured(options: Mapping[str, str]) -> str:
    """A token without a signature, as Kafka's clients make it for development."""
    now = int(time.time())
    claims: dict[str, str | int] = {"iat": now, "exp": now + 3600}
    for name, value in options.items():
        if name.startswith("unsecuredLoginStringClaim_"):
            claims[name.removeprefix("unsecuredLoginStringClaim_")] = value
    parts = ({"alg": "none"}, claims)
    encoded = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts)
    return f"{'.'.join(part.rstrip('=') for part in encoded)}."


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Credentials go to the named address only."""

    def redirect_request(self, *_: object) -> None:
        """Follow no redirection: it is the answer."""


def _granted(url: str, options: Mapping[str, str]) -> str:
    """The access token that an authorization server grants to these client credentials."""
    body = {"grant_type": "client_credentials"}
    if options.get("scope"):
        body["scope"] = options["scope"]
    identity = f"{options['clientId']}:{options['clientSecret']}".encode()
    request = urllib.request.Request(  # noqa: S310  # the scheme was checked
        url,
        data=urllib.parse.urlencode(body).encode(),
        headers={
            "Accept": "application/json",
            "Authorization": f"Basic {base64.b64encode(identity).decode()}",
            "Content-Type": "application/x-www-form-urlencoded",
        },
    )
    reason = "its answer has no access_token"
    try:
        opener = urllib.request.build_opener(_NoRedirect)
        with opener.open(request, timeout=_TOKEN_TIMEOUT_S) as response:
            token = json.load(response).get("access_token")
    except urllib.error.HTTPError as error:
        token, reason = None, f"it answered with status {error.code}"
    except (urllib.error.URLError, TimeoutError, OSError) as error:
        token, reason = None, f"it was not reached: {getattr(error, 'reason', error)}"
    except (ValueError, AttributeError):
        token = None
    if not isinstance(token, str):
        raise ConnectionFailedError(f"the authorization server granted no token: {reason}")
    return token
