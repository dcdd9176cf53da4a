"""The live map: links from the chat, sessions of a seat, and orders that the channel is told about."""

import asyncio
import json
import re
import socket
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from unittest.mock import AsyncMock

import pytest
from aiohttp import ClientResponse, web
from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from bot.errors import BadSettings, DatabaseUnavailable, UserError
from bot.games.open_prompts import hash_offer
from bot.order_sheets import typed_lines
from bot.runtime.client import UmpireBot
from bot.store.member_tables import WEB_LINKS, WEB_SESSIONS
from rules.core.model import Cite
from rules.core.phases import PASS
from rules.core.report import Offer, Prompt
from rules.magdala.ruleset import Magdala
from web import news, rate_limit, streams
from web.ground import draw_ground
from web.server import Address, LiveMap

from .live_page import HEADERS, ORIGIN, Browser, link, open_page, read
from .table import Table, labels


async def test_a_link_opens_only_one_session(table: Table, browser: Browser) -> None:
    await table.start()
    key = await link(table, table.mahdist)
    assert await browser.open(key) == 200
    view = await browser.view()
    assert view["seat"]["side"] == "mahdists"
    assert view["seat"]["role"] == "player"
    assert await browser.open(key) == 403, "used up"


async def test_keys_and_secrets_are_stored_as_hashes(table: Table, browser: Browser) -> None:
    await table.start()
    key = await link(table, table.mahdist)
    assert isinstance(table.env.bot, UmpireBot)
    async with table.env.bot.store.query_connection() as connection:
        links = (await connection.execute(select(WEB_LINKS))).all()
    await browser.open(key)
    async with table.env.bot.store.query_connection() as connection:
        sessions = (await connection.execute(select(WEB_SESSIONS))).all()
    cookies = [cookie.value for cookie in browser.client.session.cookie_jar]
    assert cookies
    for secret in (key, *cookies):
        assert secret not in str((links, sessions))


async def test_forged_keys_and_foreign_sessions_are_refused(table: Table, browser: Browser) -> None:
    await table.start()
    assert await browser.open("x" * 32) == 403
    await open_page(table, table.mahdist, browser)
    browser.seat = "0" * 16
    assert (await browser.get("/api/view"))[0] == 403


async def test_leaving_the_seat_closes_the_page(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    await table.give(table.mahdist, "game leave")
    status, body = await browser.get("/api/view")
    assert status == 403
    assert "no longer have this seat" in body["error"]


async def test_sessions_are_listed_and_ended_in_the_chat(table: Table, browser: Browser) -> None:
    await table.start()
    assert "No browser" in (await table.give(table.mahdist, "page sessions")).private_text
    await open_page(table, table.mahdist, browser)
    answer = await table.give(table.mahdist, "page sessions")
    assert "as mahdists" in answer.private_text
    await table.press(table.mahdist, answer.private[0], "End them all")
    assert (await browser.get("/api/view"))[0] == 403


async def test_an_order_is_drafted_added_and_run_and_told_in_the_channel(table: Table, browser: Browser) -> None:
    await table.start(at_once=True)
    await open_page(table, table.mahdist, browser)
    view = await browser.view()
    assert view["sheet"]["orders"] == []
    order = {"units": ["amarar"], "kind": "move", "args": {"to": "forward 4"}}
    status, draft = await browser.post("/api/draft", order)
    assert (status, draft["words"]) == (200, "Amarar: forward 4")
    status, view = await browser.post("/api/sheet", {"revision": view["sheet"]["revision"], "add": order})
    assert [order_["words"] for order_ in view["sheet"]["orders"]] == ["Amarar: forward 4"]
    assert view["sheet"]["arrows"]
    assert "Amarar: forward 4" in (await table.give(table.mahdist, "turn orders")).private_text, "the chat's own sheet"
    status, view = await browser.post("/api/do", {"revision": view["sheet"]["revision"]})
    assert status == 200, view
    assert view["sheet"]["orders"] == []
    await read(table, "Amarar move")


async def test_an_old_revision_of_the_sheet_is_refused(table: Table, browser: Browser) -> None:
    await table.start(at_once=True)
    await open_page(table, table.mahdist, browser)
    revision = (await browser.view())["sheet"]["revision"]
    await table.give(table.mahdist, "turn orders", text="Amarar: forward 4")
    before = await table.seq()
    for path, body in (("/api/sheet", {"clear": True}), ("/api/do", {})):
        assert (await browser.post(path, {"revision": revision, **body}))[0] == 409
    assert await table.seq() == before
    assert len((await browser.view())["sheet"]["orders"]) == 1


async def test_a_press_sent_twice_runs_once(table: Table, browser: Browser) -> None:
    await table.start(at_once=True)
    await open_page(table, table.mahdist, browser)
    order = {"units": ["amarar"], "kind": "move", "args": {"to": "forward 4"}}
    _, view = await browser.post("/api/sheet", {"revision": 0, "add": order})
    press = {"revision": view["sheet"]["revision"]}
    first, second = [(await browser.post("/api/do", press))[0] for _ in range(2)]
    assert (first, second) == (200, 409)
    game = await table.env.bot.games.running_game(table.channel.id)
    assert game.counts.throws == 1, "the move's own throw alone"


async def test_units_of_others_and_unknown_actions_are_refused(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    for order in (
        {"units": ["berkshires"], "kind": "move", "args": {"to": "forward 4"}},
        {"units": ["amarar"], "kind": "fly", "args": {}},
        {"units": ["amarar"], "kind": "set", "args": {"field": "casualties", "value": "0"}},
        {"units": ["amarar"], "kind": "move", "args": {"to": ["<b>"]}},
    ):
        status, body = await browser.post("/api/sheet", {"revision": 0, "add": order})
        assert status in (403, 422), body
    assert (await browser.view())["sheet"]["orders"] == []


async def test_an_idle_turn_ends_only_after_a_second_press(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    status, body = await browser.post("/api/do", {"revision": 0, "end": True})
    assert (status, "Nothing has been done" in body["error"]) == (428, True)
    status, view = await browser.post("/api/do", {"revision": 0, "end": True, "anyway": True})
    assert (status, view["acting"]) == (200, ["british"])


async def test_a_prompt_is_answered_once(table: Table, browser: Browser) -> None:
    await table.start(at_once=True)
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="43,25,180")
    await table.give(table.mahdist, "move", unit="Amarar", to="towards Royal Marine Light Infantry")
    await open_page(table, table.british, browser)
    view = await browser.view()
    (prompt,) = [
        prompt for prompt in view["prompts"] if prompt["mine"] and prompt["required"] and len(prompt["offers"]) > 1
    ]
    answer = {"key": prompt["key"], "offer": prompt["offers"][0]["tag"]}
    for tag in (prompt["offers"][1]["label"], "0" * 16):
        assert (await browser.post("/api/answer", {**answer, "offer": tag}))[0] == 409, "this is no tag of an offer"
    assert (await browser.post("/api/answer", answer))[0] == 200
    assert (await browser.post("/api/answer", answer))[0] == 409
    await read(table, "Royal Marine Light Infantry fire at Amarar")


async def test_a_hidden_units_prompt_is_answered_like_an_unknown_one(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    offer = Offer(label="Hold", kind=PASS, side="british", key="hidden")
    prompt = Prompt(
        key="hidden", unit="lurker-1", side="british", text="Morale", cite=Cite(rule="MM-5.2"), offers=(offer,)
    )
    monkeypatch.setattr(Magdala, "open_prompts", lambda *_: (prompt,))
    answers = [{"key": key, "offer": hash_offer(offer)} for key in ("hidden", "unknown")]
    hidden, unknown = [await browser.post("/api/answer", answer) for answer in answers]
    assert hidden == unknown
    assert hidden[0] == 409


async def test_an_onlooker_sees_the_public_view_and_gives_no_orders(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.onlooker, browser)
    view = await browser.view()
    assert (view["seat"]["role"], view["sheet"]) == ("onlooker", None)
    assert (await browser.get("/api/unit", unit="amarar"))[0] == 403
    order = {"units": ["amarar"], "kind": "move", "args": {"to": "forward 4"}}
    assert (await browser.post("/api/sheet", {"revision": 0, "add": order}))[0] == 403


async def test_requests_of_other_pages_are_refused(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    body = {"revision": 0, "clear": True}
    assert (await browser.post("/api/sheet", body, Origin="https://evil.test"))[0] == 403
    assert (await browser.post("/api/sheet", body, **{"Sec-Fetch-Site": "cross-site"}))[0] == 403
    assert (await browser.post("/api/sheet", body, **{"Content-Type": "text/plain"}))[0] == 403


async def test_long_and_broken_bodies_are_refused(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    assert (await browser.post("/api/sheet", {"revision": 0, "lines": "x" * 100_000}))[0] in (400, 413)
    headers = {**HEADERS, "X-Seat": browser.seat}
    for broken in (b"{", b"\xff\xfe", b"[" * 60_000, b'{"revision": 1e400}', b"null"):
        assert (await browser.client.post("/api/sheet", data=broken, headers=headers)).status == 400, broken[:9]
    charset_headers = {**headers, "Content-Type": "application/json; charset=no-such"}
    assert (await browser.client.post("/api/sheet", data=b"{}", headers=charset_headers)).status == 400
    assert (await browser.post("/api/sheet", {"revision": 0, "unknown": 1}))[0] == 400
    for odd in (b'{"key": "\\ud800"}', b'{"key": ' + b"9" * 5000 + b"}"):
        assert (await browser.client.post("/api/session", data=odd, headers=headers)).status == 400, odd[:9]


async def test_long_arguments_and_units_named_twice_are_refused(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    for order, words in (
        ({"units": ["amarar"], "kind": "move", "args": {"to": "x" * 3000}}, "arguments are too long"),
        ({"units": ["amarar", "amarar"], "kind": "move", "args": {"to": "forward 4"}}, "named twice"),
    ):
        status, body = await browser.post("/api/sheet", {"revision": 0, "add": order})
        assert status == 400
        assert words in body["error"]


async def test_the_page_takes_the_understood_part_of_a_line(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    _, view = await browser.post("/api/sheet", {"revision": 0, "lines": "Amarar forward 3 and do a dance"})
    assert (view["sheet"]["orders"], view["sheet"]["takes"]) == ([], True)
    _, view = await browser.post("/api/sheet", {"revision": view["sheet"]["revision"], "take": True})
    assert [order["words"] for order in view["sheet"]["orders"]] == ["Amarar: forward 3"]
    assert (view["sheet"]["wrong"], view["sheet"]["takes"]) == ([], False)


async def test_too_many_lines_are_refused_before_their_preview(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    monkeypatch.setattr(typed_lines, "_add_line", lambda *_, **__: pytest.fail("they were foreseen"))
    status, body = await browser.post("/api/sheet", {"revision": 0, "lines": "Amarar: forward 1\n" * 41})
    assert (status, "A sheet holds 40 orders" in body["error"]) == (400, True)


async def test_odd_ids_and_keys_do_not_reach_the_database(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    monkeypatch.setattr(table.env.bot.store, "query_connection", lambda: pytest.fail("the database was asked"))
    for odd in ("\x00", "x" * 65, "é", "a b", ""):
        assert await browser.open(odd) == 403, odd
        browser.seat = odd
        assert (await browser.get("/api/view"))[0] == 403, odd
    cookie = {"Cookie": f"umpire-{'0' * 16}=\xff"}
    assert (await browser.client.get(f"/api/view?seat={'0' * 16}", headers=cookie)).status == 403


async def test_an_unknown_rule_gets_an_error_in_words(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    for number in ("nope", "/game undo", ""):
        status, body = await browser.get("/api/rule", number=number)
        assert (status, "no such number" in body["error"]) == (404, True)


async def test_too_many_requests_are_refused_with_the_reason(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MOST_REQUESTS", 1)
    await table.start()
    await open_page(table, table.mahdist, browser)
    answers = [(await browser.get("/api/unit", unit="amarar"))[0] for _ in range(2)]
    assert answers == [200, 429]


async def test_answers_have_security_headers_and_only_page_files_are_served(table: Table, browser: Browser) -> None:
    for path in ("/", "/assets/app.js", "/api/view", "/assets/../server.py", "/assets/..%2fserver.py", "/nothing"):
        answer = await browser.client.get(path)
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'"), path
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.status == (200 if path in ("/", "/assets/app.js") else 403 if path == "/api/view" else 404), path


async def test_page_files_are_compressed_and_cached_by_etag(browser: Browser) -> None:
    async with browser.client.get("/assets/map.js", headers={"Accept-Encoding": "gzip"}) as first:
        assert (first.status, first.headers["Content-Encoding"]) == (200, "gzip")
        tag = first.headers["ETag"]
    for known_tag, status in ((tag, 304), ('"other"', 200)):
        async with browser.client.get("/assets/map.js", headers={"If-None-Match": known_tag}) as answer:
            assert (answer.status, answer.headers["Content-Security-Policy"][:11]) == (status, "default-src")


async def test_the_ground_is_served_under_the_name_of_its_content(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.onlooker, browser)
    name = (await browser.view())["map"]["ground"]
    answer = await browser.client.get(f"/ground/{name}-small", params={"seat": browser.seat})
    assert (answer.status, answer.content_type) == (200, "image/png")
    assert "immutable" in answer.headers["Cache-Control"]
    for name_of_ground in ("0000-small", f"{name}-huge", name):
        assert (await browser.client.get(f"/ground/{name_of_ground}", params={"seat": browser.seat})).status == 404


async def test_a_ground_is_drawn_once_by_a_worker(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    await open_page(table, table.onlooker, browser)
    bot, jobs = table.env.bot, list[Any]()
    assert isinstance(bot, UmpireBot)
    run = bot.workers.run

    async def count_job(job: Any, /, *args: Any, **options: Any) -> Any:
        jobs.append(job)
        if len(jobs) == 1:
            raise UserError("the worker hangs")
        return await run(job, *args, **options)

    monkeypatch.setattr(bot.workers, "run", count_job)
    path = f"/ground/{(await browser.view())['map']['ground']}-large"
    assert (await browser.client.get(path, params={"seat": browser.seat})).status == 400
    requests = (browser.client.get(path, params={"seat": browser.seat}) for _ in range(5))
    assert [response.status for response in await asyncio.gather(*requests)] == [200] * 5
    assert jobs == [draw_ground] * 2, "the second time for all"


async def test_news_count_changes_that_the_seat_may_see(table: Table, browser: Browser, live_map: LiveMap) -> None:
    await table.start()
    await open_page(table, table.onlooker, browser)
    async with browser.client.get("/api/news", params={"seat": browser.seat}) as stream:
        await live_map._news.check_games()
        first = await stream.content.readline()
        await stream.content.readline()
        await table.give(table.mahdist, "move", unit="Amarar", to="forward 4")
        await live_map._news.check_games()
        second = await stream.content.readline()
    assert re.fullmatch(rb"data: \d+-0\.0\n", first)
    assert re.fullmatch(rb"data: \d+-0\.0\n", second)
    assert first != second


async def test_a_quiet_stream_sends_heartbeat_events(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 0.01)
    await table.start()
    await open_page(table, table.onlooker, browser)
    async with browser.client.get("/api/news", params={"seat": browser.seat}) as stream:
        lines = [await stream.content.readline() for _ in range(8)]
    assert b"event: here\ndata:\n" in b"".join(lines)  # a comment would not reach the page


async def test_many_wrong_keys_lock_nobody_out(table: Table, browser: Browser) -> None:
    await table.start()
    for _ in range(rate_limit.MOST_REQUESTS + 1):
        assert await browser.open("wrong") == 403
    await open_page(table, table.mahdist, browser)


async def test_an_orders_condition_reads_as_in_the_chat(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    body = {"revision": 0, "lines": "Amarar: forward 3 if an enemy is within 2"}
    _, view = await browser.post("/api/sheet", body)
    assert view["sheet"]["orders"][0]["condition"] == '◇ Would be left undone: no enemy is within 2".'


async def test_without_an_address_the_map_is_off(table: Table) -> None:
    await table.start()
    assert "serves no live map" in (await table.give(table.mahdist, "page open")).private_text


async def test_the_story_shows_actions_with_their_rules(table: Table, browser: Browser) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="Amarar", to="forward 4")
    await open_page(table, table.onlooker, browser)
    _, history = await browser.get("/api/history")
    newest = history["entries"][-1]
    assert newest["headline"].startswith("Amarar move")
    assert any(line["rule"] == "MM-2.5" for line in newest["lines"])
    assert len(newest["details"]) >= len(newest["lines"])
    assert not any("MM-" in line["text"] for line in newest["lines"]), "the rule is a link of its own"
    _, rule = await browser.get("/api/rule", number="MM-2.5")
    assert rule["title"].startswith("MM-2.5")


async def test_a_turn_messages_button_gives_each_presser_a_private_link(table: Table, browser: Browser) -> None:
    await table.start()
    passed = await table.pass_on(table.mahdist)
    message = passed.announced
    assert labels(message) == ["Give orders", "Open the map", "End the turn of the British"]
    link_given = await table.press(table.british, message, "Open the map")
    (key,) = re.findall(r"#([\w-]{20,})", json.dumps(link_given.private[0].components))
    assert await browser.open(key) == 200
    assert (await browser.view())["seat"]["side"] == "british"


@pytest.mark.parametrize("address", ["https://umpire.example", "http://127.0.0.1:8430"])
async def test_a_free_port_replaces_only_an_address_on_this_machine(table: Table, address: str) -> None:
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    assert bot.channel_announcer is not None
    served = LiveMap(
        bot.games, bot.store, bot.web_sessions, bot.workers, bot.channel_announcer, Address(address, "127.0.0.1", 0)
    )
    url = await served.start()
    await served.close()
    assert (url == address) == address.startswith("https")


async def test_an_unusable_port_or_host_is_reported_at_the_start(table: Table) -> None:
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        for host, number in (("127.0.0.1", port), ("203.0.113.1", 0)):
            bot.settings = bot.settings.model_copy(update={"web_host": host, "web_port": number})
            with pytest.raises(BadSettings, match=rf"cannot have port {number} at {host}.*UMPIRE_WEB_HOST"):
                await bot.start_live_map(ORIGIN)
            assert bot.live_map_url is None


async def next_news(stream: ClientResponse) -> str:
    """Return the next event of a news stream, or an empty string at its end."""
    line = (await asyncio.wait_for(stream.content.readline(), 5)).decode()
    await stream.content.readline()
    return line.removeprefix("data: ").strip()


@pytest.mark.parametrize("fault", [DatabaseUnavailable(), RuntimeError("once")])
async def test_a_fault_loses_no_news(
    table: Table, browser: Browser, live_map: LiveMap, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    async with browser.client.get("/api/news", params={"seat": browser.seat}) as stream:
        await live_map._news.check_games()
        first = await next_news(stream)
        await table.give(table.mahdist, "move", unit="Amarar", to="forward 4")
        with monkeypatch.context() as broken:
            broken.setattr(live_map._news._games, "game_by_id", AsyncMock(side_effect=fault))
            await live_map._news.check_games()
        await live_map._news.check_games()
        second = await next_news(stream)
    assert second not in (first, news.LEFT, "")


async def test_the_stream_announces_a_lost_seat_or_an_ended_session(
    table: Table, browser: Browser, live_map: LiveMap
) -> None:
    await table.start()
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    for end in (bot.web_sessions.end_sessions(table.mahdist.id), table.give(table.mahdist, "game leave")):
        await open_page(table, table.mahdist, browser)
        async with browser.client.get("/api/news", params={"seat": browser.seat}) as stream:
            await live_map._news.check_games()
            await next_news(stream)
            await end
            await live_map._news.check_games()
            assert [await next_news(stream), await next_news(stream)] == [news.LEFT, ""]


async def test_a_session_keeps_only_its_newest_streams(table: Table, browser: Browser, live_map: LiveMap) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    opened = [
        await browser.client.get("/api/news", params={"seat": browser.seat}) for _ in range(news.MOST_STREAMS + 2)
    ]
    await live_map._news.check_games()
    for oldest in opened[:2]:
        news_read = [await next_news(oldest) for _ in range(3)]
        assert news.REPLACED in news_read
        assert news_read[-1] == "", "it has ended"
    for stream in opened[2:]:
        assert await next_news(stream) not in (news.REPLACED, "")
        stream.close()


async def test_open_streams_end_when_the_map_is_closed(table: Table, browser: Browser, live_map: LiveMap) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    async with browser.client.get("/api/news", params={"seat": browser.seat}) as stream:
        await live_map._news.check_games()
        await next_news(stream)
        await live_map.close()
        assert await next_news(stream) == ""
    async with browser.client.get("/api/news", params={"seat": browser.seat}) as late:
        assert await next_news(late) == ""


async def test_reading_has_its_own_rate_limit(table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_REQUESTS", 2)
    await table.start()
    await open_page(table, table.mahdist, browser)
    assert [(await browser.get(f"/api/{path}"))[0] for path in ("view", "history", "view")] == [200, 200, 429]
    assert (await browser.post("/api/sheet", {"revision": 0, "clear": True}))[0] == 200


async def test_cookies_of_ended_sessions_are_deleted(table: Table, browser: Browser) -> None:
    await table.start()
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    await open_page(table, table.british, browser)
    for _ in range(3):
        await bot.web_sessions.end_sessions(table.mahdist.id)
        await open_page(table, table.mahdist, browser)
    cookie_names = {cookie.key for cookie in browser.client.session.cookie_jar}
    assert len(cookie_names) == 2, "of the two live sessions"
    assert f"umpire-{browser.seat}" in cookie_names
    odd = {"Cookie": f"umpire-[odd]=1; umpire-é=1; umpire-odd;id=1; umpire-{'0' * 16}=\xff; other=1"}
    key = await link(table, table.mahdist)
    answer = await browser.client.post("/api/session", data=json.dumps({"key": key}), headers={**HEADERS, **odd})
    assert answer.status == 200
    assert "other" not in answer.cookies


async def test_a_cookie_is_renewed_when_its_use_is_recorded(table: Table, browser: Browser) -> None:
    await table.start()
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    await open_page(table, table.mahdist, browser)
    for path in ("/api/view", "/api/news"):
        set_cookies = []
        used = update(WEB_SESSIONS).values(used=datetime.now(UTC) - timedelta(hours=2))
        await bot.store.writer.run(partial(Connection.execute, statement=used))
        for _ in range(2):
            answer = await browser.client.get(path, params={"seat": browser.seat})
            set_cookies.append(f"umpire-{browser.seat}" in answer.cookies)
            answer.close()
        assert set_cookies == [True, False], path


async def test_long_answers_are_compressed_but_streams_are_not(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    coded = {}
    for path in ("view", "rule", "news"):
        query = {"seat": browser.seat, "number": "nope"}
        async with browser.client.get(f"/api/{path}", params=query, headers={"Accept-Encoding": "gzip"}) as answer:
            coded[path] = answer.headers.get("Content-Encoding")
    assert coded == {"view": "gzip", "rule": None, "news": None}
    async with browser.client.get("/api/view", params=query, headers={"Accept-Encoding": "identity"}) as plain:
        assert "Content-Encoding" not in plain.headers


async def test_a_page_without_positions_has_lists_and_orders_but_no_map(table: Table, browser: Browser) -> None:
    await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", positions="none")
    await table.give(table.mahdist, "game join", side="mahdists")
    await open_page(table, table.mahdist, browser)
    view = await browser.view()
    assert view["map"]["kind"] == "none"
    assert any(unit["id"] == "amarar" for unit in view["units"])
    assert not any("at" in unit for unit in view["units"])
    assert (await browser.get("/api/reach", unit="amarar")) == (200, {})
    _, able = await browser.get("/api/unit", unit="amarar")
    assert able["options"]
    _, view = await browser.post("/api/sheet", {"revision": 0, "lines": "Amarar detach 10"})
    assert len(view["sheet"]["orders"]) == 1


async def test_the_page_removes_orders_by_their_shown_number(table: Table, browser: Browser) -> None:
    await table.give(table.umpire, "game new", rules="empire", scenario="el-teb-1884")
    await table.give(table.british, "game join", side="british")
    await open_page(table, table.british, browser)
    lines = "in movement of units: Gordons: forward 3\n1st York and Lancaster: bayonets\nGordons: bayonets"
    _, view = await browser.post("/api/sheet", {"revision": 0, "lines": lines})
    words_of_orders = [order["words"] for order in view["sheet"]["orders"]]
    assert [order["rises"] for order in view["sheet"]["orders"]] == [False, True, False], words_of_orders
    for number in (2, 0):
        removal = {"revision": view["sheet"]["revision"], "remove": number}
        _, view = await browser.post("/api/sheet", removal)
        del words_of_orders[number]
        assert [order["words"] for order in view["sheet"]["orders"]] == words_of_orders


async def test_a_draft_has_an_arrow_and_an_end_position(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.mahdist, browser)
    order = {"units": ["amarar"], "kind": "move", "args": {"to": "39.5,12 facing 200"}}
    _, moved = await browser.post("/api/draft", order)
    assert [arrow["kind"] for arrow in moved["arrows"]] == ["move"]
    (end,) = moved["ends"]
    assert (end["id"], end["at"], end["facing"]) == ("amarar", [39.5, 12], 200)
    _, far = await browser.post("/api/draft", {**order, "args": {"to": "face 90"}})
    assert far["ends"][0]["facing"] == 90


async def test_a_units_options_have_headings_and_targets(table: Table, browser: Browser) -> None:
    await table.start()
    await table.pass_on(table.mahdist)
    await open_page(table, table.british, browser)
    _, able = await browser.get("/api/unit", unit="marines")
    by_words = {option["words"]: option for option in able["options"]}
    assert (by_words["fire Amarar"]["group"], by_words["fire Amarar"]["target"]) == ("Attack", "amarar")
    assert (by_words["towards Amarar"]["group"], by_words["towards Amarar"]["goal"]) == ("Move towards", "amarar")
    assert {by_words[words]["group"] for words in ("form square", "face east", "forward 6")} == {
        "Formation",
        "Face",
        "Move",
    }
    _, both = await browser.get("/api/unit", unit="marines,g-battery")
    assert both["units"] == ["marines", "g-battery"]
    assert "fire Amarar" in {option["words"] for option in both["options"]}
    assert (await browser.get("/api/unit", unit="marines,amarar"))[1]["options"] == [], "not a unit of theirs"


async def test_the_reach_ends_at_the_longest_legal_move(table: Table, browser: Browser) -> None:
    await table.give(table.umpire, "game new", rules="charge", scenario="bridge")
    await table.give(table.british, "game join", side="prussians")
    await open_page(table, table.british, browser)
    _, reach = await browser.get("/api/reach", unit="kleist")
    _, view = await browser.get("/api/view")
    (start,) = (unit["at"] for unit in view["units"] if unit["id"] == "kleist")
    ahead = start[1] - min(y for _, y in reach["points"])
    assert 5.5 <= ahead <= 6, "CH-1.2: a company moves 6 inches"


@pytest.mark.parametrize(
    ("rules", "scenario", "side", "unit", "kind"),
    [("empire", "el-teb-1884", "british", "marines", "points"), ("great_war", "trench", "british", "deborah", "hexes")],
)
async def test_the_reach_is_for_the_units_next_phase_of_movement(
    table: Table, browser: Browser, rules: str, scenario: str, side: str, unit: str, kind: str
) -> None:
    await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    await table.give(table.british, "game join", side=side)
    await open_page(table, table.british, browser)
    _, reach = await browser.get("/api/reach", unit=unit)
    assert len(reach[kind]) > 10, "although another phase comes first"


async def test_an_entry_shows_units_and_arrows_at_its_time(table: Table, browser: Browser) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="Amarar", to="forward 4")
    await open_page(table, table.british, browser)
    _, history = await browser.get("/api/history")
    moved, joined = history["entries"][-1], history["entries"][-2]
    _, step = await browser.get("/api/step", name=moved["name"])
    _, before = await browser.get("/api/step", name=joined["name"])
    assert [arrow["kind"] for arrow in step["arrows"]] == ["move"]
    assert not before["arrows"]
    now = {unit["id"]: unit for unit in (await browser.view())["units"]}
    earlier = {unit["id"]: unit for unit in before["units"]}
    assert {unit["id"]: unit["at"] for unit in step["units"]} == {unit_id: unit["at"] for unit_id, unit in now.items()}
    assert earlier["amarar"]["at"] != now["amarar"]["at"]
    assert (await browser.get("/api/step", name="nope"))[0] == 404


async def test_a_page_closed_early_is_no_fault() -> None:
    class Closed(web.StreamResponse):
        async def prepare(self, request: web.BaseRequest) -> None:
            raise ConnectionResetError("Cannot write to closing transport")

    response: Any = Closed()
    unused: Any = None
    assert await streams.send_news(unused, response, unused, unused) is response
