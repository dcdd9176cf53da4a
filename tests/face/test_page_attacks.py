"""Attacks on the live map: stolen keys and cookies, requests of other sites, malformed paths and bodies."""

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from yarl import URL

from bot.page import sessions
from bot.runtime.client import UmpireBot
from web.server import MOST_BODY, LiveMap

from .live_page import HEADERS, ORIGIN, Browser, link, open_page
from .table import Table

OPEN_PATHS = {"/", "/favicon.ico", "/assets/app.js", "/api/symbols", "/api/session"}
"""Paths open to everyone: the page's own files, and the session by a link's key."""
ORDER = {"units": ["amarar"], "kind": "move", "args": {"to": "forward 4"}}
BODIES: dict[str, Any] = {
    "/api/session": {"key": "x" * 32},
    "/api/draft": ORDER,
    "/api/sheet": {"revision": 0, "add": ORDER},
    "/api/do": {"revision": 0, "end": True, "anyway": True},
    "/api/answer": {"key": "x", "offer": "x"},
    "/api/battle": {"battle": "x"},
    "/api/dispatch": {"to": "x", "text": "x"},
    "/api/undo": {"progress": "2-0"},
    "/api/table/preview": {"change": {"kind": "set", "unit": "amarar", "field": "figures", "value": "1"}},
    "/api/table/change": {"change": {"kind": "set", "unit": "amarar", "field": "figures", "value": "1"}},
}
"""A body that acts, for each path with a body."""


def routes(live_map: LiveMap) -> Iterator[tuple[str, str]]:
    """Yield method and path of every route."""
    for route in live_map.make_app().router.routes():
        assert route.resource is not None
        path = route.resource.canonical.replace("/assets/{name}", "/assets/app.js").replace("{name}", "0-small")
        if route.method != "HEAD":
            yield route.method, path


async def require_refused(browser: Browser, method: str, path: str, status: int = 403, **headers: str) -> None:
    """Fail unless the server refuses this request with the browser's cookies."""
    all_headers = {**HEADERS, "X-Seat": browser.seat, **headers}
    body = json.dumps(BODIES[path]) if method == "POST" else None
    answer = await browser.client.request(method, path, data=body, headers={k: v for k, v in all_headers.items() if v})
    text = await answer.text()
    assert answer.status == status, (method, path, headers, text)
    assert "amarar" not in text.casefold()


def test_every_path_that_takes_a_body_is_attacked(live_map: LiveMap) -> None:
    assert {path for method, path in routes(live_map) if method == "POST"} == {*BODIES}


async def test_a_missing_or_foreign_session_is_refused_everywhere(
    table: Table, browser: Browser, live_map: LiveMap
) -> None:
    await table.start()
    await open_page(table, table.british, browser)
    (british,), british_seat = browser.client.session.cookie_jar, browser.seat
    await open_page(table, table.mahdist, browser)
    mahdist, own, before = dict(browser_cookies(browser))[f"umpire-{browser.seat}"], browser.seat, await table.seq()
    cookies = (
        {},
        {f"umpire-{own}": british.value},
        {f"umpire-{own}": mahdist[:-1]},
        {f"umpire-{own}": ""},
        {f"umpire-{british_seat}": mahdist},
        {f"__Host-umpire-{own}": mahdist},
        {"umpire-": mahdist},
    )
    for number, cookie in enumerate(cookies):
        browser.client.session.cookie_jar.clear()
        browser.client.session.cookie_jar.update_cookies(cookie, URL(str(browser.client.make_url("/"))))
        for method, path in routes(live_map):
            if path not in OPEN_PATHS and (number < 2 or path in ("/api/view", "/api/do")):
                browser.seat = own
                await require_refused(browser, method, path)
    assert await table.seq() == before


def browser_cookies(browser: Browser) -> Iterator[tuple[str, str]]:
    """Yield name and value of each cookie."""
    for cookie in browser.client.session.cookie_jar:
        yield cookie.key, cookie.value


async def test_expired_forged_and_used_keys_are_refused(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    key, late = await link(table, table.mahdist), datetime.now(UTC) + sessions.LINK_LASTS + timedelta(seconds=1)
    with monkeypatch.context() as later:
        later.setattr(bot.web_sessions, "_now", lambda: late)
        assert await browser.open(key) == 403
    key = await link(table, table.mahdist)
    for forged in (key[:-1], key + "A", key.swapcase(), key[::-1], "%", "' OR 1=1 --", "\u202e" + key):
        assert await browser.open(forged) == 403, forged
    opened = await asyncio.gather(*(browser.open(key) for _ in range(6)))
    assert sorted(opened) == [200] + [403] * 5, "once for all simultaneous requests"


async def test_an_unused_session_ends_after_a_month(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    late = datetime.now(UTC) + sessions.IDLE_LASTS + timedelta(seconds=1)
    monkeypatch.setattr(bot.web_sessions, "_now", lambda: late)
    assert (await browser.get("/api/view"))[0] == 403


async def test_a_session_is_refused_after_its_seat_changed(table: Table, browser: Browser, live_map: LiveMap) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    await table.give(table.mahdist, "game leave")
    paths = [route for route in routes(live_map) if route[1] not in OPEN_PATHS]
    for method, path in paths:
        await require_refused(browser, method, path)
    await table.give(table.british, "game leave")
    await table.give(table.mahdist, "game join", side="british")
    for method, path in paths:
        await require_refused(browser, method, path)
    await table.give(table.mahdist, "game leave")
    await table.give(table.mahdist, "game join", side="mahdists")
    assert (await browser.get("/api/view"))[0] == 200, "the session works again in its own seat"


async def test_the_page_of_an_ended_game_is_read_only(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    await table.give(table.umpire, "game end", confirm=True)
    view = await browser.view()
    assert (view["game"]["ended"], view["sheet"], view["seat"]["mayOrder"]) == (True, None, False)
    before = await table.env.bot.games.game_by_id(view["game"]["id"])
    for path, body in BODIES.items():
        if path != "/api/session":
            status, answer_body = await browser.post(path, body)
            assert status in (400, 403, 404, 409, 422), (path, answer_body)
    assert (await table.env.bot.games.game_by_id(view["game"]["id"])).seq == before.seq


OTHER_SITES: tuple[dict[str, str], ...] = (
    {"Origin": ""},
    {"Origin": "null"},
    {"Origin": "https://evil.test"},
    {"Origin": f"{ORIGIN}.evil.test"},
    {"Origin": f"{ORIGIN}:80"},
    {"Origin": ORIGIN.replace("http", "https")},
    {"Origin": f"{ORIGIN}/"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Content-Type": "text/plain"},
    {"Content-Type": "application/x-www-form-urlencoded"},
    {"Content-Type": "multipart/form-data; boundary=x"},
)


async def test_requests_of_other_sites_are_refused(table: Table, browser: Browser) -> None:
    await table.start(at_once=True)
    await open_page(table, table.mahdist, browser)
    before = await table.seq()
    for headers in OTHER_SITES:
        for path in BODIES:
            await require_refused(browser, "POST", path, **headers)
    for path in BODIES:
        for method in ("GET", "PUT", "PATCH", "DELETE", "OPTIONS"):
            if (method, path) != ("GET", "/api/undo"):  # which only asks what an undo would do
                async with browser.client.request(method, path, params={"seat": browser.seat}) as answer:
                    assert answer.status == 405, (method, path)
                    assert "Access-Control-Allow-Origin" not in answer.headers
    assert (await table.seq(), (await browser.view())["sheet"]["revision"]) == (before, 0)


async def test_a_body_of_a_megabyte_is_refused_on_every_path(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    for path in BODIES:
        for body in (b'{"key": "' + b"x" * 1_000_000 + b'"}', b" " * MOST_BODY + b"{}"):
            answer = await browser.client.post(path, data=body, headers={**HEADERS, "X-Seat": browser.seat})
            assert answer.status == 413, (path, await answer.text())
    assert (await browser.get("/api/view"))[0] == 200


PATHS = (
    "/assets/../server.py",
    "/assets/../../bot/runtime/settings.py",
    "/assets/..%2fserver.py",
    "/assets/%2e%2e/server.py",
    "/assets/%2e%2e%2fserver.py",
    "/assets/..%252fserver.py",
    "/assets/..%5cserver.py",
    "/assets/app.js%00.html",
    "/assets/%00",
    "/assets/app.js/",
    "/assets//app.js",
    "/assets/",
    "/assets/.",
    "/assets/..",
    "/assets/__init__.py",
    "/assets/%ff%fe",
    "/assets/app.JS",
    "/assets/C:%5cwindows%5cwin.ini",
    "//etc/passwd",
    "/ground/../api/view",
    "/ground/%2e%2e%2fview-small",
    "/ground/%00-small",
    "/api/../assets/../../.env",
    "/.env",
    "/" + "a" * 7000,
)


async def test_odd_paths_are_not_found(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    host, port = browser.client.host, browser.client.port
    cookie = "; ".join(f"{name}={value}" for name, value in browser_cookies(browser))
    for path in PATHS:
        reader, writer = await asyncio.open_connection(host, port)
        head = (
            f"GET {path} HTTP/1.1\r\nHost: map\r\nX-Seat: {browser.seat}\r\nCookie: {cookie}\r\nConnection: close\r\n"
        )
        writer.write(f"{head}\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        assert answer.split()[1] in (b"400", b"404"), (path, answer[:300])
        assert b"import" not in answer
        assert path == "/assets/%ff%fe" or b"Content-Security-Policy" in answer or b" 400 " in answer[:16], path


async def test_odd_requests_are_no_fault(table: Table, browser: Browser, caplog: pytest.LogCaptureFixture) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    odd = (
        "",
        "\x00",
        "a" * 5000,
        "'; DROP TABLE entries; --",
        "<script>",
        "é",
        "-1",
        "9" * 400,
        "[]",
        "amarar,,amarar",
    )
    for path, names in (
        ("/api/unit", ("unit",)),
        ("/api/reach", ("unit",)),
        ("/api/step", ("name",)),
        ("/api/rule", ("number",)),
        ("/api/view", ("as", "seat")),
        ("/api/fields", ("unit",)),
    ):
        for name in names:
            for value in odd[:5] if path in ("/api/unit", "/api/reach") else odd:
                answer = await browser.client.get(path, params={"seat": browser.seat, name: value})
                assert answer.status in (200, 400, 403, 404, 422), (path, value, await answer.text())
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
