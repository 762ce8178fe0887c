"""Embeds in other sites' pages: the element, iframes, their sizes, themes, keys and policies."""

import json
import re
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Frame, Page, Response, expect

LONG: dict[str, Any] = {
    "scenario": 1,
    "id": "long",
    "title": "A long run",
    "kafka": "3.7",
    "brokers": [1, 2],
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
    "steps": [
        step
        for number in range(40)
        for step in (
            {"produce": {"to": "t-0", "values": [f"m{number}"], "as": "p1"}},
            {"fetch": {"broker": 2}},
        )
    ],
}


MESSAGES = 10_000
FLOOD = """async (count) => {
    const frame = document.querySelector('iframe').contentWindow;
    const circle = { highwater: 1, type: 'goto' };
    circle.payload = circle;
    const odd = [circle, 'x'.repeat(100_000), null, 7, [], { highwater: 1 },
        { highwater: 1, type: '__proto__', payload: { step: 1 } },
        JSON.parse('{"highwater": 1, "type": "goto", "payload": {"__proto__": {"step": 2}}}'),
        { highwater: 1, type: 'goto', payload: { step: '3' } },
        { highwater: 1, type: 'setTheme', payload: { theme: 'url(x)' } }];
    for (let n = 0; n < count; n++) {
        frame.postMessage({ highwater: 1, type: 'goto', payload: { step: n % 40 } }, '*');
        if (n % 100 === 0) frame.postMessage(odd[(n / 100) % odd.length], '*');
    }
    frame.postMessage({ highwater: 1, type: 'goto', payload: { step: 14 } }, '*');
}"""


def _post(address: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    """The answer to a request, which is made again if the service is not ready for it."""
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json", **headers}
    )
    ends = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                found: dict[str, Any] = json.load(answer)
            return found
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.SERVICE_UNAVAILABLE or time.monotonic() > ends:
                raise
            time.sleep(float(error.headers["Retry-After"]))


@pytest.fixture(scope="module")
def share(base_url: str) -> Callable[..., str]:
    """The id of a share of a lesson or a scenario, at its end."""

    def make(**body: Any) -> str:
        session = _post(f"{base_url}/api/v1/sessions", body)
        made = {"session": session["id"], "at": session["head"]}
        key = {"Idempotency-Key": session["id"]}
        return str(_post(f"{base_url}/api/v1/shares", made, **key)["sid"])

    return make


@pytest.fixture(scope="module")
def sid(share: Callable[..., str]) -> str:
    return share(scenario_id="unnoticed-bounce")


@pytest.fixture
def open_host(browser: Browser, foreign_site: Callable[..., str]) -> Iterator[Callable[..., Page]]:
    """Opens a page of another origin with a body, headers and browser settings. The page's errors
    are added to `errors` from its start.
    """
    contexts = []

    def open_(
        body: str,
        headers: dict[str, str] | None = None,
        errors: list[str] | None = None,
        **settings: Any,
    ) -> Page:
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)

        def hear(said: ConsoleMessage) -> None:
            if errors is not None and said.type == "error":
                errors.append(f"{said.text} ({said.location})")

        page.on("console", hear)
        page.goto(foreign_site(body, headers))
        return page

    yield open_
    for context in contexts:
        context.close()


def element(base_url: str, sid: str, attributes: str = "", inside: str = "") -> str:
    return (
        f'<highwater-replay src="{base_url}/s/{sid}" {attributes}>{inside}</highwater-replay>'
        f'<script type="module" src="{base_url}/embed/v1.js" async></script>'
    )


def player_of(page: Page) -> Frame:
    """The element's player, once it is there; it is in a closed shadow root."""
    for _ in range(80):
        if len(page.frames) > 1:
            break
        page.wait_for_timeout(100)
    frame = page.frames[1]
    frame.wait_for_selector("main.embed")
    return frame


def test_the_element_opens_on_a_click_and_changes_nothing_that_its_host_made(
    base_url: str, sid: str, open_host: Callable[..., Page]
) -> None:
    poster = f'<a href="{base_url}/s/{sid}"><img src="{base_url}/s/{sid}.svg" alt="A run"></a>'
    page = open_host(element(base_url, sid, inside=poster), viewport={"width": 390, "height": 800})
    replay = page.locator("highwater-replay")
    page.wait_for_function("customElements.get('highwater-replay') !== undefined")
    before = replay.evaluate("(one) => one.outerHTML")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.get_by_role("link").click()
    player = player_of(page)
    expect(player.locator(".outcome")).to_contain_text("lost: m2")

    assert replay.evaluate("(one) => one.outerHTML") == before
    page.wait_for_function(
        "document.querySelector('highwater-replay').getBoundingClientRect().height > 300"
    )
    page.evaluate("""() => {
        const one = document.querySelector('highwater-replay');
        one.remove();
        document.body.append(one);
    }""")
    expect(page.get_by_role("link")).to_be_visible()


@pytest.mark.parametrize(
    ("body", "background"),
    [
        ("class='theme-dark'", ""),
        ("data-theme='dark'", ""),
        ("", "<style>body{background:#15171c}</style>"),
    ],
)
def test_the_theme_is_the_host_s_and_not_the_system_s(
    body: str, background: str, base_url: str, sid: str, open_host: Callable[..., Page]
) -> None:
    page = open_host(
        f"{background}<body {body}>" + element(base_url, sid, "loading='eager'"),
        color_scheme="light",
    )
    player = player_of(page)
    theme = player.locator("html")
    expect(theme).to_have_attribute("data-theme", "dark")

    page.evaluate("""() => {
        document.body.removeAttribute('class');
        document.body.removeAttribute('data-theme');
        document.body.style.background = '#fff';
    }""")

    expect(theme).to_have_attribute("data-theme", "light")


def test_keys_that_it_does_not_use_are_its_host_s(
    base_url: str, sid: str, open_host: Callable[..., Page]
) -> None:
    page = open_host(
        "<script>pressed = []; addEventListener('keydown', (e) => pressed.push(e.key))</script>"
        + element(base_url, sid, "loading='eager'")
    )
    player = player_of(page)
    player.get_by_role("button", name="Previous step").click()

    for key in ("PageDown", "n", "ArrowLeft", " ", "Tab"):
        page.keyboard.press(key)

    page.wait_for_function("pressed.length >= 2")
    assert page.evaluate("pressed") == ["PageDown", "n"]


def test_in_an_isolated_page_under_strict_policies_nothing_is_refused(
    base_url: str, share: Callable[..., str], open_host: Callable[..., Page]
) -> None:
    policy = f"default-src 'none'; script-src {base_url}; frame-src {base_url}; img-src {base_url}"
    refused: list[str] = []
    sid = share(scenario=LONG)
    page = open_host(
        element(base_url, sid, "loading='eager'") + element(base_url, sid, "loading='eager'"),
        {
            "Content-Security-Policy": f"{policy}; require-trusted-types-for 'script'",
            "Cross-Origin-Embedder-Policy": "require-corp",
            "Cross-Origin-Opener-Policy": "same-origin",
        },
        refused,
    )
    player = player_of(page)
    assert page.evaluate("crossOriginIsolated")

    # Embeds far below the fold are sandboxed as well.
    asked: list[Response] = []
    page.on(
        "response", lambda answer: asked.append(answer) if "frames.json" in answer.url else None
    )
    player.get_by_role("slider").press("Home")
    expect(player.locator(".words b")).to_have_text("Start")
    expect(player.get_by_text("LEO 0").first).to_be_visible()

    assert asked[0].status == 200
    assert refused == []
    assert page.context.cookies() == []


@pytest.mark.parametrize("lesson", ["unnoticed-bounce", "three-brokers-three-epochs"])
def test_a_frame_as_tall_as_the_player_says_shows_everything_unscaled(
    lesson: str, share: Callable[..., str], base_url: str, open_host: Callable[..., Page]
) -> None:
    page = open_host(
        "<script>heights = []; addEventListener('message', ({ data }) =>"
        " data?.type === 'resize' && heights.push(data.payload.height))</script>"
        f"<iframe src='{base_url}/e/v1/s/{share(scenario_id=lesson)}' width='700' height='400'"
        " sandbox='allow-scripts' style='border:0'></iframe>"
    )
    player = page.frames[1]
    player.wait_for_selector("main.embed")
    page.wait_for_load_state("networkidle")

    page.evaluate("document.querySelector('iframe').style.height = `${heights.at(-1)}px`")

    expect(player.locator(".embed .drawing")).to_have_css("transform", "none")
    expect(player.get_by_text("Producer p1").first).to_be_in_viewport()
    bottom = player.evaluate("document.querySelector('.bar').getBoundingClientRect().bottom")
    assert abs(bottom - page.evaluate("heights.at(-1)")) <= 2


def test_without_scripts_the_picture_is_there_in_the_theme_that_is_asked_for(
    base_url: str, sid: str, browser: Browser
) -> None:
    context = browser.new_context(java_script_enabled=False, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{base_url}/e/v1/s/{sid}")

    expect(page.locator("figure > svg")).to_be_visible()
    expect(page.get_by_role("link")).to_have_count(1)
    context.close()


@pytest.mark.parametrize("why", ["policy", "network"])
def test_where_its_script_is_blocked_the_element_shows_the_picture_and_the_link(
    why: str, base_url: str, sid: str, open_host: Callable[..., Page]
) -> None:
    link, picture = f"{base_url}/s/{sid}?frame=4", f"{base_url}/s/{sid}.svg?frame=4"
    poster = (
        f'<a href="{link}"><img src="{picture}" alt="A run" width="800" height="412"'
        ' style="max-width:100%;height:auto"></a>'
    )
    body = element(base_url, sid, "step='4' height='437'", poster)
    headers = {"Content-Security-Policy": "script-src 'none'"}
    if why == "network":
        # Browsers refuse this port, so nothing is loaded.
        body, headers = body.replace(f"{base_url}/embed/", "http://127.0.0.1:9/embed/"), {}
    page = open_host(body, headers, viewport={"width": 390, "height": 800})

    image = page.get_by_role("img", name="A run")
    expect(image).to_be_visible()
    assert page.evaluate("customElements.get('highwater-replay') === undefined")
    assert image.evaluate("(one) => one.complete && one.naturalWidth > 0")
    assert image.evaluate("(one) => one.getBoundingClientRect().height > 100")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert len(page.frames) == 1
    page.get_by_role("link", name="A run").click()
    expect(page).to_have_url(re.compile(re.escape(link)))


def test_of_many_messages_the_last_one_applies(
    base_url: str, sid: str, open_host: Callable[..., Page]
) -> None:
    page = open_host(
        "<script>said = [];"
        "addEventListener('message', ({ data }) => said.push(data.type))</script>"
        f"<iframe src='{base_url}/e/v1/s/{sid}' width='700' height='500' sandbox='allow-scripts'>"
        "</iframe>"
    )
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    player = page.frames[1]
    player.wait_for_selector("main.embed")

    page.evaluate(FLOOD, MESSAGES)

    expect(player.locator(".words")).to_contain_text("message 2 of 4")
    # It moved a few times, not ten thousand times.
    assert page.evaluate("said.filter((type) => type === 'step').length") < MESSAGES / 50
    assert failed == []
    player.get_by_role("button", name="Next step").click()
    expect(player.locator(".words b")).to_contain_text("Step 5 of 15")


def test_of_a_hundred_embeds_only_those_in_sight_are_loaded(
    base_url: str, sid: str, open_host: Callable[..., Page]
) -> None:
    many = element(base_url, sid, "loading='eager' height='420'") * 100
    page = open_host(many, viewport={"width": 900, "height": 700})
    asked: Counter[str] = Counter()
    page.on("request", lambda request: asked.update([request.url.split("?")[0]]))

    def away_and_back() -> None:
        page.goto("about:blank")
        page.go_back()

    for opened_again in (page.reload, away_and_back):
        asked.clear()
        opened_again()
        player = player_of(page)
        expect(player.locator(".outcome")).to_contain_text("lost: m2")
        page.wait_for_load_state("networkidle")
        assert asked[f"{base_url}/e/v1/s/{sid}"] < 15
        assert asked[f"{base_url}/embed/v1.js"] <= 1

    loaded = len(page.frames)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    for _ in range(80):
        if len(page.frames) > loaded:
            break
        page.wait_for_timeout(100)
    expect(page.frames[-1].locator(".outcome")).to_contain_text("lost: m2")


SANDBOX = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
REACHED = """() => {
    const reached = [];
    const attempt = (name, does) => {
        try { if (does() !== null) reached.push(name); } catch { /* refused, as it should be */ }
    };
    attempt('document', () => parent.document.title);
    attempt('element', () => frameElement);
    attempt('variable', () => parent.secret);
    attempt('storage', () => parent.localStorage.length);
    attempt('script', () => parent.eval('secret'));
    attempt('navigation', () => { top.location = 'about:blank#taken'; });
    attempt('dialog', () => confirm('?') ? true : null);
    return reached;
}"""


def _sent(base_url: str) -> int:
    """How many built files the service has sent since its start."""
    with urllib.request.urlopen(f"{base_url}/metrics") as answer:
        text = answer.read().decode()
    sent = re.findall(r'_requests_total\{.*route="/assets/.* (\S+)$', text, re.MULTILINE)
    return int(sum(map(float, sent)))


def _framed(base_url: str, sid: str, frame: int, title: str = "A run") -> str:
    return (
        f'<iframe src="{base_url}/e/v1/s/{sid}?frame={frame}" title="{title}" width="100%"'
        f' height="437" style="width:100%;height:437px;border:0" sandbox="{SANDBOX}"></iframe>'
    )


@pytest.mark.parametrize("code", ["iframe", "element"])
def test_ten_embeds_of_a_page_load_the_player_once(
    code: str, base_url: str, share: Callable[..., str], open_host: Callable[..., Page]
) -> None:
    sid = share(scenario_id="unnoticed-bounce")
    body = "".join(
        _framed(base_url, sid, frame)
        if code == "iframe"
        else element(base_url, sid, f"step='{frame}' height='437' loading='eager'")
        for frame in range(1, 11)
    )

    def wait_for_players(page: Page) -> None:
        for _ in range(100):
            if len(page.frames) == 11:
                break
            page.wait_for_timeout(100)
        for frame in page.frames[1:]:
            frame.wait_for_selector("main.embed")
        page.wait_for_load_state("networkidle")
        assert len(page.frames) == 11

    before = _sent(base_url)
    page = open_host(body, viewport={"width": 800, "height": 4600})
    wait_for_players(page)
    first = _sent(base_url)
    page.reload()
    wait_for_players(page)

    assert first - before == 2  # the script and its style sheet
    assert _sent(base_url) == first


def test_a_share_cannot_touch_a_host_of_a_different_origin(
    base_url: str, sid: str, open_host: Callable[..., Page]
) -> None:
    page = open_host("<script>secret = 7</script>" + _framed(base_url, sid, 4))
    address = page.url
    player = page.frames[1]
    player.wait_for_selector("main.embed")

    reached = player.evaluate(REACHED)

    assert [name for name in reached if name != "navigation"] == []
    page.wait_for_timeout(300)
    assert page.url == address
    assert player.evaluate("[document.cookie, localStorage.length, sessionStorage.length]") == [
        "", 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize("code", ["iframe", "element"])
def test_a_share_cannot_touch_a_host_of_the_services_own_origin(
    code: str, base_url: str, sid: str, browser: Browser
) -> None:
    context = browser.new_context()
    page = context.new_page()
    body = _framed(base_url, sid, 4)
    if code == "element":
        body = element(base_url, sid, "loading='eager'")
    page.route(
        f"{base_url}/host",
        lambda route: route.fulfill(
            content_type="text/html", body=f"<title>Host</title><script>secret = 7</script>{body}"
        ),
    )
    page.goto(f"{base_url}/host")
    player = player_of(page)

    reached = player.evaluate(REACHED)

    assert [name for name in reached if name != "navigation"] == []
    page.wait_for_timeout(300)
    assert page.url == f"{base_url}/host"
    assert player.evaluate("origin") == "null"
    context.close()


LOADER = '<script type="module" src="{}/embed/v1.js" async></script>'
WATCH_SHIFTS = """async (buffered) => {
    // Two drawings of the page later, what was just revealed is where it stays.
    for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
    shifted = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered });
}"""


@pytest.mark.parametrize("width", [320, 390, 560, 680, 800])
@pytest.mark.parametrize("form", ["picture", "eager"])
def test_the_element_moves_nothing_in_sight_at_any_width(
    form: str, width: int, base_url: str, share: Callable[..., str], open_host: Callable[..., Page]
) -> None:
    # Three brokers: higher than what is reserved.
    sid = share(scenario_id="three-brokers-three-epochs")
    inside = ""
    if form == "picture":
        with urllib.request.urlopen(f"{base_url}/s/{sid}.svg") as drawn:
            size = re.search(r' width="[\d.]+" height="[\d.]+"', drawn.read().decode())
        assert size is not None
        inside = (
            f'<a href="{base_url}/s/{sid}"><img src="{base_url}/s/{sid}.svg" alt="A run"{size[0]}'
            ' style="max-width:100%;height:auto"></a>'
        )
    page = open_host(
        "<style>body { margin: 0 } highwater-replay:not(:defined) { display: block }</style>"
        + (element(base_url, sid, "", inside) if inside else LOADER.format(base_url))
        + "<p>The text below.</p>" * 40,
        viewport={"width": width, "height": 1400},
    )
    page.wait_for_function("customElements.get('highwater-replay') !== undefined")
    if form == "eager":
        page.evaluate(
            "src => { const made = document.createElement('highwater-replay');"
            " made.setAttribute('src', src); document.body.prepend(made); }",
            f"{base_url}/s/{sid}",
        )
    page.evaluate(WATCH_SHIFTS, form == "picture")
    if form == "picture":
        page.wait_for_load_state("networkidle")
        page.get_by_role("link").click()
    player = player_of(page)
    page.wait_for_timeout(1500)

    assert page.evaluate("shifted") == 0
    height = page.evaluate("document.querySelector('highwater-replay').offsetHeight")
    assert height > 500
    expect(player.locator(".bar")).to_be_in_viewport()


def test_the_element_takes_the_requested_height_where_nobody_sees_it(
    base_url: str, share: Callable[..., str], open_host: Callable[..., Page]
) -> None:
    sid = share(scenario_id="three-brokers-three-epochs")
    page = open_host(
        f"<p style='height:600px'>Above</p>{element(base_url, sid)}<p>Below</p>",
        viewport={"width": 820, "height": 900},
    )
    page.evaluate(WATCH_SHIFTS, False)
    player = player_of(page)
    expect(player.locator(".bar")).to_be_attached()

    page.wait_for_function("document.querySelector('highwater-replay').offsetHeight > 600")
    assert page.evaluate("shifted") == 0
