"""Embeds in documents that Python builds: links, options, markup, fences, downloads, notebooks."""

import http.server
import threading
from collections.abc import Callable, Iterator
from html import escape
from html.parser import HTMLParser

import pytest

import highwater_kafka
from highwater_kafka.embedding import fetching, markup
from highwater_kafka.embedding.addresses import NotAShareError, SharedMoment
from highwater_kafka.embedding.fetching import FetchError
from highwater_kafka.embedding.markup import OptionError, Options, replaced

LINK = "https://h.example/s/7k2m?frame=12"
MOMENT = SharedMoment("https://h.example", "7k2m", 12)
MESSAGE = SharedMoment("https://h.example", "7k2m", 12, by_message=True)
HOSTILE = 'A "record" <script>alert(1)</script>'


class Tags(HTMLParser):
    """The tags of a piece of HTML, with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize(
    ("link", "moment"),
    [
        (LINK, MOMENT),
        (" https://h.example/s/7k2m ", SharedMoment("https://h.example", "7k2m")),
        (
            "http://127.0.0.1:8000/e/v1/s/7k2m?theme=dark&frame=0",
            SharedMoment("http://127.0.0.1:8000", "7k2m", 0),
        ),
        ("https://h.example/s/7k2m.svg?frame=3", SharedMoment("https://h.example", "7k2m", 3)),
        (f"{LINK}&level=story", MOMENT),
        (f"{LINK}&level=message", MESSAGE),
    ],
)
def test_a_link_is_read_in_every_form_that_people_copy(link: str, moment: SharedMoment):
    assert SharedMoment.at(link) == moment


@pytest.mark.parametrize(
    "link",
    [
        "",
        "7k2m",
        "javascript:alert(1)",
        "file:///s/7k2m",
        "https:///s/7k2m",
        "https://h.example/x/7k2m",
        "https://h.example/s/../7k2m",
        f"{LINK}x",
        "https://h.example/s/7k2m?frame=-1",
    ],
)
def test_what_is_no_link_to_a_share_is_refused(link: str):
    with pytest.raises(NotAShareError):
        SharedMoment.at(link)


def test_the_element_has_its_picture_inside_and_its_texts_are_inert():
    html = markup.element(MOMENT, Options(title=HOSTILE, height=551, theme="dark"))

    (replay, link, image, script) = Tags(html).found
    assert replay == (
        "highwater-replay",
        {"src": "https://h.example/s/7k2m", "step": "12", "height": "551", "theme": "dark"},
    )
    assert link == ("a", {"href": LINK})
    assert image[1]["alt"] == HOSTILE
    assert image[1]["src"] == "https://h.example/s/7k2m.svg?frame=12&theme=dark"
    assert script[1]["src"] == "https://h.example/embed/v1.js"


def test_a_link_to_a_message_stays_one_in_everything_that_is_made_of_it():
    html = markup.element(MESSAGE, Options())

    (replay, link, image, _) = Tags(html).found
    assert replay[1]["level"] == "message"
    assert link[1]["href"] == MESSAGE.page == f"{LINK}&level=message"
    assert image[1]["src"] == "https://h.example/s/7k2m.svg?frame=12&level=message"
    assert MESSAGE.player() == "https://h.example/e/v1/s/7k2m?frame=12&level=message"
    assert MESSAGE.file_name("svg") == "7k2m-12-message.svg"


@pytest.mark.parametrize(
    "given",
    [{"height": "50"}, {"height": "tall"}, {"height": "5000"}, {"theme": "blue"}, {"hight": "400"}],
)
def test_an_option_that_cannot_be_is_named(given: dict[str, str]):
    with pytest.raises(OptionError, match=next(iter(given))):
        Options.read(given)


def test_a_fence_becomes_an_embed_and_other_fences_stay():
    text = (
        f"Before.\n\n```highwater\n{LINK}\ntitle: A loss: m2\nheight: 551\n```\n\n"
        "````md\n```highwater\nhttps://h.example/s/7k2m\n```\n````\n\n```python\nhighwater\n```\n"
    )

    changed = replaced(text, lambda moment, options: f"[{moment.frame} {options}]")

    own, rest = changed.split("\n\n````md")
    assert own == "Before.\n\n[12 " + str(Options(title="A loss: m2", height=551)) + "]"
    assert rest == text.split("\n\n````md")[1]


@pytest.mark.parametrize("body", ["", "no link\n", f"{LINK}\nheight 400\n"])
def test_a_fence_that_cannot_be_read_is_refused(body: str):
    with pytest.raises(ValueError, match=r"link|option"):
        replaced(f"```highwater\n{body}```\n", markup.element)


@pytest.fixture
def service() -> Iterator[Callable[[], str]]:
    """A service with one picture and one deleted run."""

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status = 200 if "7k2m" in self.path else 410
            self.send_response(status)
            self.end_headers()
            self.wfile.write(f"<svg>{self.path}</svg>".encode())

        def log_message(self, format: str, *arguments: object) -> None:
            """Logs nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield lambda: f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(10)
    server.server_close()


def test_what_a_site_needs_offline_is_downloaded(service: Callable[[], str]):
    moment = SharedMoment(service(), "7k2m", 3)

    assert (
        fetching.file_of(moment, "svg", theme="dark")
        == b"<svg>/s/7k2m.svg?frame=3&theme=dark</svg>"
    )
    assert fetching.file_of(moment, "html", lang="zh") == b"<svg>/s/7k2m.html?frame=3&lang=zh</svg>"
    assert moment.file_name("svg") == "7k2m-3.svg"
    assert moment.file_name("html", theme="dark", lang="zh") == "7k2m-3-dark-zh.html"


def test_what_cannot_be_had_says_why(service: Callable[[], str]):
    with pytest.raises(FetchError, match="deleted"):
        fetching.file_of(SharedMoment(service(), "gone"), "svg")
    with pytest.raises(FetchError, match="not a web address"):
        fetching.fetched("file:///etc/hosts")
    with pytest.raises(FetchError, match=r"127\.0\.0\.1:9"):
        fetching.fetched("http://127.0.0.1:9/s/7k2m.svg")


def test_a_notebook_shows_the_player_or_keeps_the_picture(service: Callable[[], str]):
    shown = highwater_kafka.embed(LINK, title="A loss", height=551)._repr_mimebundle_()
    ((tag, attributes),) = Tags(shown["text/html"]).found
    assert (tag, attributes["title"], attributes["height"]) == ("iframe", "A loss", "551")
    assert "allow-same-origin" in str(attributes["sandbox"])
    assert shown["text/plain"] == LINK

    kept = highwater_kafka.embed(f"{service()}/s/7k2m", offline=True)._repr_mimebundle_()
    assert kept["image/svg+xml"].startswith("<svg>")
    assert "text/html" not in kept

    frame = highwater_kafka.embed(f"{service()}/s/7k2m", offline=True, run=True)
    played = frame._repr_mimebundle_()
    ((tag, attributes),) = Tags(played["text/html"]).found
    assert (tag, attributes["srcdoc"]) == ("iframe", "<svg>/s/7k2m.html</svg>")
    assert "src" not in attributes
    # The document itself is the player's origin.
    assert "allow-same-origin" not in str(attributes["sandbox"])
    assert played["image/svg+xml"] == "<svg>/s/7k2m.svg</svg>"


def test_the_link_of_a_lesson_names_its_step_and_its_release():
    lesson = SharedMoment.at("https://h.example/lessons/two-rounds?step=3&message=2&kafka=0.11")

    assert lesson.page == "https://h.example/lessons/two-rounds?step=3&message=2&kafka=0.11"
    assert lesson.player(theme="dark") == (
        "https://h.example/e/v1/lessons/two-rounds?step=3&message=2&kafka=0.11&theme=dark"
    )
    assert lesson.file("svg").startswith("https://h.example/lessons/two-rounds.svg?step=3&")
    assert lesson.file_name("svg") == "two-rounds-3-2-0.11.svg"
    assert f'src="{escape(lesson.page)}" height=' in markup.element(lesson, markup.Options())
