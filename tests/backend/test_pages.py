"""The pages: the app, and a share's page without scripts."""

import html
import re

import pytest

from tests.backend.conftest import API, PUBLIC_URL, SCENARIO, Service, StartService

HOSTILE = '</script><script>alert(1)</script> "><img src=x onerror=a> ${7*7} {{7*7}} ]]>'


async def hostile_sid(service: Service) -> str:
    title = {"en": HOSTILE, "zh": HOSTILE}
    return await service.shared(0, scenario={**SCENARIO, "title": title, "summary": title})


@pytest.mark.parametrize("path", ["/", "/new", "/glossary", "/insights", f"/x/{'1' * 26}"])
async def test_the_app_is_served_where_it_finds_out_by_itself(sqlite_service: Service, path: str):
    response = await sqlite_service.client.get(path)

    assert response.status_code == 200
    assert '<div id="app"></div>' in response.text
    assert response.headers["content-type"] == "text/html; charset=utf-8"


async def test_a_lesson_has_its_own_title_and_an_unknown_one_an_error_page(sqlite_service: Service):
    lesson = await sqlite_service.client.get("/lessons/s26?lang=zh")
    assert lesson.status_code == 200
    assert '<html lang="zh">' in lesson.text

    unknown = await sqlite_service.client.get("/lessons/nope")
    assert unknown.status_code == 404
    assert "<h1>" in unknown.text


async def test_a_run_that_cannot_exist_leads_to_its_lesson(sqlite_service: Service):
    """The app then shows where the run began; without a lesson there is only the error."""
    for lesson, status in (("kip-101-data-loss", 200), ("nope", 404), ("", 404)):
        page = await sqlite_service.client.get(f"/x/mistyped!?lesson={lesson}&step=9")
        assert page.status_code == status, lesson


async def test_a_share_shows_its_figure_and_its_card_before_any_script(
    sqlite_service: Service, sid: str
):
    response = await sqlite_service.client.get(f"/s/{sid}")

    page = response.text
    assert response.status_code == 200
    assert "<title>A &lt;loss&gt; &amp; more · Highwater</title>" in page
    assert "frame 3 light en" in page
    assert f'<meta property="og:url" content="{PUBLIC_URL}/s/{sid}" />' in page
    assert f'<link rel="canonical" href="{PUBLIC_URL}/s/{sid}" />' in page
    assert page.count("<title>Highwater</title>") == 0


async def test_a_page_is_in_chinese_on_request(sqlite_service: Service, sid: str):
    by_browser = await sqlite_service.client.get(
        f"/s/{sid}", headers={"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"}
    )
    by_link = await sqlite_service.client.get(f"/s/{sid}?lang=zh")

    for response in (by_browser, by_link):
        assert '<html lang="zh">' in response.text
        assert "丢失" in response.text
        assert "frame 3 light zh" in response.text


@pytest.mark.parametrize(
    ("frame", "shown"),
    [
        ("2", 2),
        ("-1", 0),
        ("1000000000", None),
        ("abc", 3),
        ("1_0", 3),
        ("+5", 3),
        ("٣", 3),
        ("", 3),
    ],
)
async def test_a_page_clamps_its_frame(
    sqlite_service: Service, sid: str, frame: str, shown: int | None
):
    response = await sqlite_service.client.get(f"/s/{sid}", params={"frame": frame})

    assert response.status_code == 200
    last = (await sqlite_service.read(f"shares/{sid}"))["frames"][-1]["frame"]
    assert f"frame {last if shown is None else shown} light" in response.text


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("frame=2", 200),
        ("theme=dark", 200),
        ("lang=zh", 200),
        ("frame=-1", 422),
        ("frame=1000", 404),
        ("frame=1000000000", 422),
        ("frame=abc", 422),
        ("frame=1_0", 422),
        ("frame=%2B5", 422),
        ("frame=%D9%A3", 422),
        ("frame=%00", 422),
        ("frame=1&frame=2", 422),
        ("theme=blue", 422),
        ("lang=fr", 422),
        ("theme=dark&frame=1", 503),  # the script of these tests fails here
        ("theme=dark&frame=2", 503),  # and never ends here
        ("theme=dark&frame=4", 200),  # and is as good as new then
    ],
)
async def test_a_picture_is_of_exactly_what_was_asked_for(
    sqlite_service: Service, sid: str, query: str, status: int
):
    response = await sqlite_service.client.get(f"/s/{sid}.svg?{query}")

    assert response.status_code == status, response.text
    kind = "image/svg+xml" if status == 200 else "application/problem+json"
    assert response.headers["content-type"] == kind
    if status == 200:
        assert response.text.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
        assert "<!--" not in response.text


async def test_a_figure_that_takes_too_long_names_the_limit(sqlite_service: Service, sid: str):
    failed = (await sqlite_service.client.get(f"/s/{sid}.svg?theme=dark&frame=1")).json()
    endless = await sqlite_service.client.get(f"/s/{sid}.svg?theme=dark&frame=2")

    assert (endless.json()["code"], endless.json()["limit"]) == ("figure_failed", "figure_seconds")
    assert endless.headers["retry-after"] == "5"
    assert (failed["code"], "limit" in failed) == ("figure_failed", False)


async def test_what_can_be_deleted_is_not_kept_in_caches_for_long(
    sqlite_service: Service, sid: str
):
    digest = (await sqlite_service.read(f"shares/{sid}"))["digest"]
    page = (await sqlite_service.client.get(f"/s/{sid}")).text
    linked = re.findall(rf'(/[\w/]*{sid}[^"?]*(?:\?[^"]*)?)"', page)
    assert len(linked) > 3
    formats = ("", ".svg", ".png", ".json", ".md", ".yaml", ".mmd")
    paths = [f"/s/{sid}{each}{query}" for each in formats for query in ("", f"?v={digest[:8]}")]
    for path in (*paths, *map(html.unescape, linked)):
        answer = await sqlite_service.client.get(path)
        tag = {"If-None-Match": answer.headers.get("etag", "")}
        again = await sqlite_service.client.get(path, headers=tag)

        kept = re.search(r"max-age=(\d+)", answer.headers["cache-control"])
        assert kept is None or int(kept[1]) <= 3600, path
        assert "immutable" not in answer.headers["cache-control"], path
        assert again.status_code in (200, 304), path


async def test_the_json_of_a_share_is_what_the_interface_answers(sqlite_service: Service, sid: str):
    page = await sqlite_service.client.get(f"/s/{sid}.json")
    interface = await sqlite_service.client.get(f"{API}/shares/{sid}")

    assert page.content == interface.content


async def test_a_transcript_has_a_sentence_for_each_event(sqlite_service: Service, sid: str):
    response = await sqlite_service.client.get(f"/s/{sid}.md?lang=en")

    assert response.headers["content-type"] == "text/markdown; charset=utf-8"
    assert response.text.startswith("# A \\<loss\\> & more\n")
    share = await sqlite_service.read(f"shares/{sid}")
    frames = share["frames"]
    first, *steps = share["story"]
    assert f"\n## {first['title']['en']}\n\n{first['summary']['en']}\n" in response.text
    assert all(
        f"\n## {step['step']}. {step['title']['en']}\n\n{step['summary']['en']}\n" in response.text
        for step in steps
    )
    assert response.text.count(" ◀\n") == 1
    fates = response.text.count(", acknowledged with acks=all at offset ")
    assert fates == 2
    assert response.text.count("\n- ") == len(frames) + fates + len(frames[-1]["properties"])
    assert response.text.count("\n  - ") == sum(
        len(frame["events"]) - 1 + len(frame["changes"]) for frame in frames
    )


async def test_a_hostile_title_is_inert_everywhere(service: Service):
    sid = await hostile_sid(service)

    for path in (f"/s/{sid}", f"/e/v1/s/{sid}", f"/s/{sid}.svg"):
        response = await service.client.get(path)

        assert response.status_code == 200
        assert "<script>alert" not in response.text
        assert "<img" not in response.text
    page = await service.client.get(f"/s/{sid}")
    title = re.search(r"<title>(.*?)</title>", page.text)
    assert title is not None
    assert html.unescape(title.group(1)) == f"{HOSTILE} · Highwater"
    words = (await service.client.get(f"/s/{sid}.md")).text
    assert "\\<img src=x" in words
    assert not re.search(r"(?<!\\)<", words)


async def test_a_title_cannot_turn_the_direction_of_what_follows(service: Service):
    title = {"en": "a \u202eb\u2066 e\u0301", "zh": "b"}
    sid = await service.shared(0, scenario={**SCENARIO, "title": title})

    page = (await service.client.get(f"/s/{sid}")).text

    assert "<title>a b \u00e9 · Highwater</title>" in page
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)


@pytest.mark.parametrize("prefix", ["/s/", "/e/v1/s/", "/x/"])
async def test_another_spelling_of_an_id_leads_to_the_right_one(
    sqlite_service: Service, sid: str, prefix: str
):
    response = await sqlite_service.client.get(f"{prefix}{sid.upper()}?frame=2")

    assert response.status_code == 301
    assert response.headers["location"] == f"{prefix}{sid}?frame=2"


@pytest.mark.parametrize("prefix", ["/s/", "/e/v1/s/", "/x/"])
@pytest.mark.parametrize("end", [".", ")", "_", ").", '">'])
async def test_what_a_chat_program_took_into_the_link_is_left_out(
    sqlite_service: Service, sid: str, prefix: str, end: str
):
    response = await sqlite_service.client.get(f"{prefix}{sid}{end}")

    assert response.status_code == 301
    assert response.headers["location"] == f"{prefix}{sid}"


@pytest.mark.parametrize(
    "name", ["x", "1" * 25, "1" * 27, "1" * 10_000, "%2e%2e%2f", ":key", "%00", "%0d%0a", "é" * 26]
)
@pytest.mark.parametrize("form", ["/s/{}", "/s/{}.svg", "/s/{}.json", "/e/v1/s/{}", "/x/{}"])
async def test_what_cannot_be_an_id_is_not_found_without_a_query(
    sqlite_service: Service, name: str, form: str, monkeypatch: pytest.MonkeyPatch
):
    def no_query(*_arguments: object) -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(sqlite_service.services.database, "reading", no_query)

    response = await sqlite_service.client.get(form.format(name))

    assert response.status_code == 404


@pytest.mark.parametrize(
    "path", ["/nope", "/s/", "/lessons/nope", "/e/v2/s/x", "/assets/nope.js", "/s/x/y.css", "/.env"]
)
async def test_a_broken_link_returns_an_error_page_or_a_problem_document(
    sqlite_service: Service, path: str
):
    response = await sqlite_service.client.get(path)

    assert response.status_code == 404
    if response.headers["content-type"] == "application/problem+json":
        assert response.json()["code"] == "not_found"
    else:
        assert "<h1>" in response.text
        assert ("<script" in response.text) is not path.startswith("/e/")


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../index.html",
        "/assets/%2e%2e/index.html",
        "/assets//etc/passwd",
        "/assets/",
        "/assets/%00",
        f"/assets/{'a' * 300}",
        "/embed/%00",
        f"/embed/{'a' * 300}",
    ],
)
async def test_no_file_outside_the_build_is_served(sqlite_service: Service, path: str):
    response = await sqlite_service.client.get(path)

    assert response.status_code == 404


async def test_a_hashed_file_is_kept_for_ever_and_any_site_may_load_it(sqlite_service: Service):
    hashed = await sqlite_service.client.get("/assets/index-AbCdEf12.js")
    plain = await sqlite_service.client.get("/assets/plain.css")
    loader = await sqlite_service.client.get("/embed/v1.js")

    assert hashed.headers["content-type"].startswith("text/javascript")
    assert "immutable" in hashed.headers["cache-control"]
    assert "immutable" not in plain.headers["cache-control"]
    assert loader.headers["cache-control"] == "public, max-age=3600"
    for response in (hashed, plain, loader):
        assert response.headers["access-control-allow-origin"] == "*"


async def test_head_is_answered_like_get_without_the_body(sqlite_service: Service, sid: str):
    for path in ("/", f"/s/{sid}", f"/e/v1/s/{sid}", f"/s/{sid}.svg"):
        response = await sqlite_service.client.head(path)

        assert response.status_code == 200


async def test_without_the_frontend_pages_state_how_to_build_it(
    database_url: str, start_service: StartService, tmp_path
):
    nowhere = tmp_path / "nowhere"
    async with start_service(
        database_url, frontend_folder=nowhere, figure_script=nowhere / "figure.js"
    ) as service:
        session = await service.new_session()
        sid = (await service.share(session["id"], 0))["sid"]

        for path in ("/", f"/s/{sid}", f"/e/v1/s/{sid}"):
            page = await service.client.get(path)
            assert page.status_code == 200
            assert "make run" in page.text
        picture = await service.client.get(f"/s/{sid}.svg")
        assert picture.status_code == 503
        assert picture.json()["code"] == "frontend_not_built"


@pytest.mark.parametrize("path", [f"/s/{'1' * 26}", f"/e/v1/s/{'1' * 26}"])
async def test_an_error_page_has_full_width_marks_in_chinese(sqlite_service: Service, path: str):
    response = await sqlite_service.client.get(f"{path}?lang=zh")

    assert response.status_code == 404
    assert "链接" in response.text
    assert not re.search("[\u4e00-\u9fff][,.:;?!]|[,.:;?!][\u4e00-\u9fff]", response.text)


@pytest.mark.parametrize("path", [f"/s/{'1' * 26}", "/x/wrong", "/nothing/here"])
async def test_an_error_page_is_the_app_with_the_error_for_it_to_show(
    sqlite_service: Service, path: str
):
    response = await sqlite_service.client.get(path, headers={"Accept-Language": "zh-CN"})

    assert response.status_code == 404
    assert 'data-status="404" data-code="not_found"' in response.text
    assert "<script" in response.text
    assert '<html lang="zh">' in response.text
    assert response.headers["vary"] == "Accept-Language"
