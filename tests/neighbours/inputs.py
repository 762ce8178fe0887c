"""What a visitor who never stops asks each route for: the dearest legal requests that we know, and
bodies that once froze the service.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from tests.neighbours.service import API, Neighbours, request

NOWHERE = "/nope"
_LANGUAGES = ("en", "zh")
_THEMES = ("light", "dark")


def _deep(size: int) -> bytes:
    return b"[" + (b"[" * 31 + b"]" * 31 + b",") * (size // 63) + b"0]"


# Legal JSON, as large as a body may be on some route and on most routes. Few bytes of it make much
# work for whoever looks at each value.
HOSTILE = [
    body
    for size in (250_000, 65_000)
    for body in (
        b"[" + b"{}," * (size // 3) + b"{}]",
        _deep(size),
        b"[" + b"[]," * (size // 3) + b"0]",
        b'{"a":"' + b"a" * size + b'"}',
        b'{"a":"' + b"\\u0041" * (size // 6) + b'"}',
        b'{"a":"' + b'\\"' * (size // 2) + b'"}',
        b"{" + b",".join(b'"k%d":1' % n for n in range(size // 10)) + b"}",
        b"[" + b"1.1," * (size // 4) + b"1]",
        b"[" + b'"\\u0007",' * (size // 9) + b"1]",
        b'{"after":0,"step":{"a":[' + b"{}," * (size // 3 - 20) + b"{}]}}",
    )
]


def routes(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Method and path template of every route. HEAD is answered by the route of GET."""
    for route in iter_route_contexts(app.routes):
        for method in sorted(set(route.methods or ()) - {"HEAD"}):
            yield method, str(route.path)


@dataclass
class Inputs:
    """Requests for a running service. Whatever they are about has been created in it."""

    service: Neighbours

    def __post_init__(self) -> None:
        ask = self.service.ask
        self._lesson = ask("GET", f"{API}/scenarios/two-rounds")
        made = ask("POST", f"{API}/sessions", {"scenario_id": "two-rounds"})
        self._session, self._head = made["id"], made["head"]
        shared = {"session": self._session, "at": self._head}
        self._share = ask("POST", f"{API}/shares", shared, **{"Idempotency-Key": "the-share"})[
            "sid"
        ]
        presented = {"session": self._session, "moment": {"first": 0, "frame": 0}}
        presented["moment"]["question"] = self._question(200)
        made = ask("POST", f"{API}/presentations", presented)
        self._code, self._token = made["code"], made["token"]
        self._challenges = ask("GET", f"{API}/challenges")["challenges"]
        self._lessons = [entry["id"] for entry in ask("GET", f"{API}/scenarios")["scenarios"]]
        assets = self.service.repository / "frontend/dist/assets"
        self._asset = max(assets.glob("*.js"), key=lambda file: file.stat().st_size)

    def cases(self, app: FastAPI) -> Iterator[tuple[str, Callable[[], list[bytes]]]]:
        """The name of each case, and a function of its requests: every route, and an address
        without one.
        """
        yield f"POST {NOWHERE}, hostile", partial(self.hostile, "POST", NOWHERE)
        yield f"POST {NOWHERE}, small", partial(self.legal, "POST", NOWHERE)
        for method, template in routes(app):
            yield f"{method} {template}", partial(self.legal, method, template)
            if method in ("POST", "PUT"):
                path = self._filled(template)
                yield f"{method} {template}, hostile", partial(self.hostile, method, path)

    def legal(self, method: str, template: str) -> list[bytes]:
        """The dearest requests that a route answers."""
        paths = self._paths(template)
        if method in ("GET", "DELETE"):
            return [request(method, path) for path in paths]
        headers = {"Idempotency-Key": "k" * 9, "Authorization": f"Bearer {self._token}"}
        return [
            request(method, path, json.dumps(body).encode(), **headers)
            for path in paths
            for body in self._bodies(template)
        ]

    def hostile(self, method: str, path: str) -> list[bytes]:
        """Requests with hostile bodies."""
        headers = {"Idempotency-Key": "k" * 9, "Authorization": f"Bearer {self._token}"}
        return [request(method, path, body, **headers) for body in HOSTILE]

    def _filled(self, template: str) -> str:
        for name, value in {
            "id": self._session,
            "session_id": self._session,
            "sid": self._share,
            "code": self._code,
            "scenario_id": "two-rounds",
            "challenge_id": self._challenges[0]["id"],
            "kafka": "3.9",
            "other": "0.11",
            "number": "0",
            "name": "log-4.3.1",
            "cell": "3",
            "seed": "7",
            "campaign_id": "nope",
            "page:path": "reference/limits",
            "path:path": self._asset.name,
        }.items():
            template = template.replace(f"{{{name}}}", value)
        return template

    def _paths(self, template: str) -> list[str]:
        path = self._filled(template)
        frames = range(self._head + 1)
        match template:
            case "/api/v1/sessions/{id}/timeline":
                return [f"{path}?full=1", path]
            case "/api/v1/sessions/{id}/link" | "/api/v1/shares/{sid}/story":
                return [f"{path}?at={at}" for at in frames]
            case "/api/v1/sessions/{id}/choices":
                return [f"{path}?after={at}" for at in frames]
            case "/api/v1/shares/{sid}":
                return [path, f"{path}?full=1"]
            case "/api/v1/search":
                queries = ("a%20e%20i", "leader%20epoch", "x" * 200, "%20".join("e" * 60))
                return [f"{path}?q={query}" for query in queries]
            case (
                "/api/v1/scenarios/{scenario_id}"
                | "/api/v1/scenarios/{scenario_id}/run"
                | "/api/v1/scenarios/{scenario_id}/runs/{kafka}"
                | "/api/v1/scenarios/{scenario_id}/runs/{kafka}/choices"
                | "/api/v1/scenarios/{scenario_id}/runs/{kafka}/words"
                | "/api/v1/scenarios/{scenario_id}/runs/{kafka}/comparisons/{other}"
            ):
                return [path.replace("two-rounds", lesson) for lesson in self._lessons]
            case "/api/v1/articles/{number}" | "/articles/{number}":
                return [f"{path[:-1]}{number}" for number in range(6)]
            case "/api/v1/recordings/{name}" | "/recordings/{name}":
                return [path.replace("log-4.3.1", file.stem) for file in self._recordings()]
            case "/api/v1/insights/campaign/runs/{cell}/{seed}":
                return [f"{path[:-1]}{seed}" for seed in range(20)]
            case "/e/v1/s/{sid}/frames.json":
                return [f"{path}?from=0&to=64"]
            case "/oembed":
                return [f"{path}?url=http://127.0.0.1:{self.service.port}/s/{self._share}"]
        return self._paths_of_files(template, path)

    def _paths_of_files(self, template: str, path: str) -> list[str]:
        """Those of pictures and other files."""
        frames = range(self._head + 1)
        match template:
            case "/s/{sid}.json":
                return [path, f"{path}?format=itf"]
            case "/s/{sid}.svg":
                shown = product(frames, _THEMES, _LANGUAGES)
                one = [f"{path}?frame={at}&theme={theme}&lang={lang}" for at, theme, lang in shown]
                return [*one, f"{path}?range=0-{self._head}"]
            case "/s/{sid}.png":
                return [f"{path}?w={w}&frame={at}" for w in range(100, 2000, 90) for at in frames]
            case "/s/{sid}.html" | "/s/{sid}.md" | "/s/{sid}.yaml" | "/s/{sid}.mmd":
                return [f"{path}?frame={at}" for at in frames]
            case "/lessons/{scenario_id}.png":
                return [path.replace("two-rounds", lesson) for lesson in self._lessons]
            case "/docs/{page:path}":
                pages = ("reference/limits", "explanation/promises", "reference/http")
                return [f"/docs/{page}?lang={lang}" for page in pages for lang in _LANGUAGES]
            case "/docs/images/{name}":
                images = self.service.repository / "docs/images"
                return [f"/docs/images/{next(images.iterdir()).name}"]
        return [path]

    def _recordings(self) -> list[Path]:
        return sorted((self.service.repository / "tests/conformance").rglob("*.json"))[:20]

    def _bodies(self, template: str) -> list[Any]:
        """The dearest legal bodies of a route."""
        text = self._lesson["text"]
        scenario = {**self._lesson["scenario"], "id": "q", "steps": [{"run": {"ms": 86_400_000}}]}
        scenario.pop("alias", None)
        long = "".join(f"  - produce: {{to: t-0, values: [a{n}]}}\n" for n in range(1000))
        described = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\n"
        match template.removeprefix(API):
            case "/nope":
                return [{}]
            case "/sessions":
                return [
                    {"scenario_id": "two-rounds"},
                    {"scenario": scenario},
                    {"scenario": {**scenario, "steps": [{}] * 15_000}},
                    {"session": self._session, "at": self._head, "kafka": "2.0"},
                ]
            case "/sessions/{id}/actions":
                values = [f"v{n}" for n in range(1000)]
                return [{"after": 0, "step": {"produce": {"to": "t-0", "values": values}}}]
            case "/sessions/{id}/comparisons":
                return [{"at": 8, "kafka": kafka} for kafka in ("2.0", "0.9", "4.0", "1.0")]
            case "/sessions/{id}/searches":
                return [{"seconds": 1}]
            case "/drafts":
                return [
                    {"scenario_text": text},
                    {"scenario_text": text.replace("steps:", f"steps:\n{long}"), "after": 100},
                    *({"scenario_text": hostile} for hostile in _hostile_texts()),
                ]
            case "/imports":
                replicas = f"Topic: x\tPartition: 0\tLeader: 1\tReplicas: {'1,2,' * 15_000}"
                files = (replicas, described * 1000, " " * 60_000 + "x", "a: " * 20_000)
                return [{"files": [{"name": "d", "text": text}]} for text in files]
            case "/shares":
                return [{"session": self._session, "at": self._head}]
            case "/shares/{sid}/fork" | "/presentations/{code}/fork":
                return [{}]
            case "/presentations":
                moment = {"first": 0, "frame": 0, "question": self._question(200)}
                return [{"session": self._session, "moment": moment}]
            case "/presentations/{code}":
                return [{"first": 0, "frame": 0, "question": self._question(200)}]
            case "/presentations/{code}/votes":
                return [{"question": "k", "voter": "0" * 32, "choice": 0}]
            case "/challenges/{challenge_id}/tries":
                return self._long_tries()
            case "/insights/runs":
                return [{"grid": {"grid": 1}, "cell": 0, "seed": seed} for seed in range(9)]
        raise AssertionError(f"say here what the dearest body of {template} is")

    @staticmethod
    def _question(size: int) -> dict[str, Any]:
        answers = [dict.fromkeys(_LANGUAGES, "y" * size) for _ in range(9)]
        return {"key": "k", "text": dict.fromkeys(_LANGUAGES, "x" * size), "answers": answers}

    def _long_tries(self) -> list[Any]:
        path = f"{API}/challenges/{self._challenges[0]['id']}/tries"
        moves: list[Any] = []
        for number in range(20):
            possible = self.service.ask("POST", path, {"moves": moves})["possible"]
            free = [move for move in possible if move["token"] is None] or possible
            if not free:
                break
            moves = [*moves, free[number % len(free)]["step"]]
        return [{"moves": moves}]


def _hostile_texts() -> list[str]:
    names = "abcdefghi"
    bomb = "scenario: 1\na: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]\n" for before, name in pairwise(names)
    )
    return [bomb, "[" * 50_000, "? " * 30_000, "&a " * 20_000, "'" + "''" * 25_000]
