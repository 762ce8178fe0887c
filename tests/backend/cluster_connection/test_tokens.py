"""Where the token of OAUTHBEARER comes from. A small server grants it."""

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from backend.cluster_connection.authentication import sasl_mechanism
from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.properties import SaslSettings

OPTIONS = {"clientId": "me", "clientSecret": "hunter2", "scope": "read", "extension_a": "b"}


class Granting(HTTPServer):
    """Answers every request with `status` and `answer`, and keeps the last one."""

    status = 200
    answer: object = None
    asked: tuple[str, str] = ("", "")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.paths: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Granting

    def do_GET(self) -> None:
        """What follows a redirection of a POST."""
        self.server.paths.append(self.path)
        self.send_response(200)
        self.end_headers()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.paths.append(self.path)
        self.server.asked = (self.headers["Authorization"], body)
        self.send_response(self.server.status)
        if self.server.status == 302:
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/elsewhere")
        self.end_headers()
        self.wfile.write(json.dumps(self.server.answer).encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def server() -> Iterator[Granting]:
    with Granting(("127.0.0.1", 0), _Handler) as granting:
        thread = threading.Thread(target=granting.serve_forever)
        thread.start()
        yield granting
        granting.shutdown()
        thread.join()


def first_message(url: str | None, options: dict[str, str] = OPTIONS) -> str:
    message = sasl_mechanism(SaslSettings("OAUTHBEARER", options, url)).auth_bytes()
    assert isinstance(message, bytes)
    return message.decode()


def test_an_authorization_server_grants_a_token_to_client_credentials(server: Granting) -> None:
    server.answer = {"access_token": "abc"}

    message = first_message(f"http://127.0.0.1:{server.server_port}/token")

    assert message == "n,,\x01auth=Bearer abc\x01a=b\x01\x01"
    authorization, body = server.asked
    assert base64.b64decode(authorization.removeprefix("Basic ")) == b"me:hunter2"
    assert body == "grant_type=client_credentials&scope=read"


@pytest.mark.parametrize(
    ("status", "answer", "reason"),
    [
        (401, {"error": "hunter2 is wrong"}, "it answered with status 401"),
        (302, {"access_token": "abc"}, "it answered with status 302"),
        (200, {"token": "abc"}, "its answer has no access_token"),
        (200, ["abc"], "its answer has no access_token"),
    ],
)
def test_a_token_that_is_not_granted(
    server: Granting, status: int, answer: object, reason: str
) -> None:
    server.status, server.answer = status, answer

    with pytest.raises(ConnectionFailedError) as failed:
        first_message(f"http://127.0.0.1:{server.server_port}/token")

    assert server.paths == ["/token"]
    assert str(failed.value) == f"the authorization server granted no token: {reason}"


def test_a_server_that_is_not_reached() -> None:
    with pytest.raises(ConnectionFailedError, match="it was not reached"):
        first_message("http://127.0.0.1:1/token")


def test_a_token_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "token file").write_text("abc\n")

    assert "Bearer abc\x01" in first_message(f"file://{tmp_path}/token%20file", {})
    with pytest.raises(ConnectionFailedError, match="the file cannot be read"):
        first_message(f"file://{tmp_path}/none", {})


def test_a_token_without_a_signature() -> None:
    message = first_message(None, {"unsecuredLoginStringClaim_sub": "alice"})

    head, claims, signature = message.split("Bearer ")[1].split("\x01")[0].split(".")
    assert json.loads(base64.urlsafe_b64decode(head + "==")) == {"alg": "none"}
    decoded = json.loads(base64.urlsafe_b64decode(claims + "=="))
    assert (decoded["sub"], decoded["exp"] - decoded["iat"], signature) == ("alice", 3600, "")
