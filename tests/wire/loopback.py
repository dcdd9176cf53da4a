"""A small Discord on this machine: its REST routes and gateway as far as the bot uses them.

The bot runs as a process of its own against it, over real sockets and on real time. Everything the bot sends is kept,
and checked against Discord's API document where that is at hand.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Protocol

from aiohttp import web

from .asked import DEFERRED, DEFERRED_UPDATE, UPDATE, Asked, parts, words
from .faults import Faults, as_json, refused
from .gateway import Gateway, Session
from .openapi import complaints
from .world import APPLICATION, BOT, GORDON, KITCHENER, ONLOOKER, Person, World

Handler = Callable[[web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]
SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2
COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
UNKNOWN = 404, 10062, "Unknown interaction"
REMEMBERED = 3.0
"""Seconds in which Discord takes the first answer to an interaction."""
TEXT_INPUT, LABEL = 4, 18


class Program(Protocol):
    """A bot as a process of its own."""

    async def kill(self) -> int:
        """End it at once, if it still runs."""
        ...


@dataclass
class Sent:
    """One request of the bot."""

    at: float
    method: str
    path: str
    raw: bytes
    body: Any
    status: int = 0


class Loopback:
    """Start it, point the bot at `api` and `gateway`, then `ask` and `press` as people do."""

    def __init__(self, check_bodies: bool = True) -> None:
        self.world = World()
        self.link = Gateway(self.world)
        self.sent: list[Sent] = []
        self.wrong: list[str] = []
        self.commands: list[dict[str, Any]] = []
        self.syncs = 0
        self.asked: dict[str, Asked] = {}
        self.files: dict[str, bytes] = {}
        self.given: dict[str, bytes] = {}
        self.fetched: list[bytes] = []
        """The files that the bot has begun to fetch."""
        self.sends_files = asyncio.Event()
        """Cleared, a file that is fetched does not arrive."""
        self.sends_files.set()
        self.faults = Faults()
        self.posted: list[dict[str, Any]] = []
        self._nonces: dict[tuple[str, str], dict[str, Any]] = {}
        self._check = check_bodies
        self._unchecked: list[tuple[str, str, str]] = []
        self._runner: web.AppRunner | None = None
        self.programs: list[Program] = []
        """The bots that were started against it. Those that still run end with it, as where a test failed."""

    async def start(self) -> None:
        """Listens on any free port of 127.0.0.1."""
        app = web.Application(client_max_size=30 * 2**20)
        app.router.add_get("/gateway", self.link.serve)
        for method, path, handler in self._routes():
            app.router.add_route(method, f"/api/v10{path}", self._recorded(handler))
        app.router.add_get("/given/{file}", self._given_file)
        app.router.add_route("*", "/{rest:.*}", self._recorded(self._unknown))
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.files_at = f"http://127.0.0.1:{port}/given"
        self.api = f"http://127.0.0.1:{port}/api/v10"
        self.gateway = self.link.url = f"ws://127.0.0.1:{port}/gateway"

    async def close(self) -> None:
        """Ends the bots that still run, and stops listening; then checks what came, which nobody is waiting for."""
        for program in self.programs:
            await program.kill()
        await self.link.drop(1000)
        if self._runner is not None:
            await self._runner.cleanup()
        while self._unchecked:
            method, path, body = self._unchecked.pop()
            self.wrong += complaints(method, path, json.loads(body))

    # What people do

    def ask(self, command: str, who: Person, channel: int, *, heard_by: Session | None = None, **options: Any) -> Asked:
        """Runs `command` ("game new") as `who`; options by name, a trailing underscore for Python's own words.

        An option of bytes is a file.

        `heard_by`: that process alone, as yet.
        """
        return self._interact(COMMAND, self._given(command, options), who, channel, heard_by=heard_by)

    def type_in(self, command: str, who: Person, channel: int, option: str, typed: str) -> Asked:
        """Types in an option of `command`; what is offered is the answer's data."""
        data = self._given(command, {option: typed}, focused=option)
        return self._interact(AUTOCOMPLETE, data, who, channel)

    def _given(self, command: str, options: dict[str, Any], focused: str = "") -> dict[str, Any]:
        """A command with its options, as the client sends it."""
        root, *path = command.split()
        found = next((item for item in self.commands if item["name"] == root), None)
        assert found is not None, f"/{root} is not among the synced commands"
        leaf = found
        for name in path:
            leaf = next(item for item in leaf["options"] if item["name"] == name)
        declared = {item["name"]: item["type"] for item in leaf.get("options", ())}
        files = {name: self._file(data) for name, data in options.items() if isinstance(data, bytes)}
        options |= {name: file["id"] for name, file in files.items()}
        given = [
            {"name": name.rstrip("_"), "type": declared[name.rstrip("_")], "value": value}
            | ({"focused": True} if name == focused else {})
            for name, value in options.items()
        ]
        nested: list[dict[str, Any]] = given
        for depth, name in enumerate(reversed(path)):
            nested = [{"name": name, "type": SUBCOMMAND if depth == 0 else SUBCOMMAND_GROUP, "options": nested}]
        resolved = {"resolved": {"attachments": {file["id"]: file for file in files.values()}}} if files else {}
        return {"id": found["id"], "name": root, "type": 1, "options": nested, **resolved}

    def _file(self, data: bytes) -> dict[str, Any]:
        """A file that somebody gives, which the bot fetches by its address."""
        ident = str(self.world.snowflake())
        self.given[ident] = data
        url = f"{self.files_at}/{ident}"
        return {"id": ident, "filename": "file", "size": len(data), "url": url, "proxy_url": url}

    def press(self, message: dict[str, Any], custom_id: str, who: Person, heard_by: Session | None = None) -> Asked:
        """Presses a button of a message."""
        data = {"component_type": 2, "custom_id": custom_id, "id": 1}
        return self._interact(COMPONENT, data, who, int(message["channel_id"]), message, heard_by)

    def fill_in(self, form: Asked, words: str, who: Person, heard_by: Session | None = None) -> Asked:
        """Sends a form of one field, which was the answer to a press."""
        field = next(part for part in parts(form.data["components"]) if part.get("type") == TEXT_INPUT)
        filled = {"type": TEXT_INPUT, "id": 2, "custom_id": field["custom_id"], "value": words}
        data = {"custom_id": form.data["custom_id"], "components": [{"type": LABEL, "id": 1, "component": filled}]}
        return self._interact(FORM, data, who, form.channel, form.source, heard_by)

    def pass_on(self, asked: Asked, to: Session) -> None:
        """Has another process hear of it too."""
        event = next(one for one in self.link.events("INTERACTION_CREATE") if one["id"] == str(asked.id))
        self.link.send("INTERACTION_CREATE", event, to)

    def _interact(
        self,
        kind: int,
        data: dict[str, Any],
        who: Person,
        channel: int,
        source: dict[str, Any] | None = None,
        heard_by: Session | None = None,
    ) -> Asked:
        ident = self.world.snowflake()
        asked = Asked(ident, f"token-{ident}", channel, source)
        self.asked[asked.token] = asked
        self.link.send(
            "INTERACTION_CREATE", self.world.interaction(ident, asked.token, kind, data, who, channel, source), heard_by
        )
        return asked

    def everything_sent(self) -> bytes:
        """Every byte of every body the bot ever sent."""
        return b"\n".join(sent.raw for sent in self.sent)

    # What the bot does

    def _routes(self) -> list[tuple[str, str, Handler]]:
        original = "/webhooks/{app}/{token}/messages/{message}"
        return [
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/applications/@me", self._application),
            ("GET", "/gateway/bot", self._gateway_address),
            ("GET", f"/applications/{APPLICATION}/commands", self._list_commands),
            ("PUT", f"/applications/{APPLICATION}/commands", self._sync),
            ("POST", "/interactions/{id}/{token}/callback", self._callback),
            ("POST", "/webhooks/{app}/{token}", self._follow_up),
            ("GET", original, self._read_answer),
            ("PATCH", original, self._edit_answer),
            ("DELETE", original, self._delete_answer),
            ("POST", "/channels/{channel}/messages", self._post),
            ("PATCH", "/channels/{channel}/messages/{message}", self._edit),
            ("DELETE", "/channels/{channel}/messages/{message}", self._delete),
            ("GET", "/channels/{channel}/messages/{message}", self._read),
            ("GET", "/channels/{channel}/messages", self._history),
            ("GET", "/channels/{channel}", self._channel),
            ("POST", "/channels/{channel}/threads", self._thread),
            ("PUT", "/channels/{channel}/thread-members/{user}", self._let_in),
            ("GET", "/guilds/{guild}/members/{user}", self._member),
        ]

    def _recorded(self, handler: Handler) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def record(request: web.Request) -> web.StreamResponse:
            raw = await request.read()
            body = self._body(request.headers.get("Content-Type", ""), raw)
            sent = Sent(monotonic(), request.method, request.path.removeprefix("/api/v10"), raw, body)
            self.sent.append(sent)
            if self._check and body is not None:
                self._unchecked.append((sent.method, sent.path, json.dumps(body)))
            response = await self.faults.befall(sent.method, sent.path, partial(handler, request, body))
            sent.status = response.status
            return response

        return record

    def _body(self, content_type: str, raw: bytes) -> Any:
        if not raw:
            return None
        if not content_type.startswith("multipart/"):
            return json.loads(raw)
        body: Any = {}
        boundary = b"--" + content_type.partition("boundary=")[2].strip('"').encode()
        for part in raw.split(boundary)[1:-1]:
            head, _, content = part.partition(b"\r\n\r\n")
            if b'name="payload_json"' in head:
                body = json.loads(content)
            elif name := re.search(rb'filename="([^"]+)"', head):
                self.files[name[1].decode()] = content.removesuffix(b"\r\n")
        return body

    async def _given_file(self, request: web.Request) -> web.StreamResponse:
        data = self.given[request.match_info["file"]]
        self.fetched.append(data)
        await self.sends_files.wait()
        return web.Response(body=data)

    async def _unknown(self, request: web.Request, _body: Any) -> web.StreamResponse:
        self.wrong.append(f"no such route here: {request.method} {request.path}")
        return refused(404, 0, "404: Not Found")

    async def _me(self, _request: web.Request, _body: Any) -> web.StreamResponse:
        return as_json(BOT)

    async def _application(self, _request: web.Request, _body: Any) -> web.StreamResponse:
        return as_json(self.world.application())

    async def _gateway_address(self, _request: web.Request, _body: Any) -> web.StreamResponse:
        limits = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return as_json({"url": self.gateway, "shards": 1, "session_start_limit": limits})

    async def _list_commands(self, _request: web.Request, _body: Any) -> web.StreamResponse:
        return as_json(self.commands)

    async def _sync(self, _request: web.Request, body: Any) -> web.StreamResponse:
        self.syncs += 1
        self.commands = [
            {
                "description": "",
                **item,
                "id": str(self.world.snowflake()),
                "application_id": str(APPLICATION),
                "version": "1",
            }
            for item in body
        ]
        return as_json(self.commands)

    async def _callback(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        asked = self.asked.get(request.match_info["token"])
        if asked is None or str(asked.id) != request.match_info["id"]:
            return refused(*UNKNOWN)
        if asked.answered_at is not None:
            return refused(400, 40060, "Interaction has already been acknowledged.")
        if monotonic() - asked.at > REMEMBERED:
            asked.forget()
            return refused(*UNKNOWN)
        kind, data = body["type"], body.get("data") or {}
        if kind in (4, DEFERRED):
            loading = 1 << 7 if kind == DEFERRED else 0
            asked.original = self.world.message(asked.channel, data, flags=data.get("flags", 0) | loading)
            asked.messages.append(asked.original)
        elif kind in (DEFERRED_UPDATE, UPDATE) and asked.source is not None:
            asked.original = asked.source
            asked.messages.append(asked.source)
            if kind == UPDATE:
                self.world.edit(asked.source, data)
        asked.answer(kind, data)
        answer: dict[str, Any] = {"interaction": {"id": str(asked.id), "type": COMMAND}}
        if asked.original is not None:
            answer["interaction"]["response_message_id"] = asked.original["id"]
            answer["resource"] = {"type": kind, "message": asked.original}
        return as_json(answer)

    async def _follow_up(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        asked = self.asked.get(request.match_info["token"])
        if asked is None:
            return refused(404, 10015, "Unknown Webhook")
        if asked.kind == DEFERRED and not asked.acknowledged and not asked.placeholder_edited:
            assert asked.original is not None
            message = self.world.edit(asked.original, body, flags=asked.data.get("flags", 0))
        else:
            message = self.world.message(asked.channel, body)
            asked.messages.append(message)
        asked.finish()
        return as_json(message)

    def _answer_of(self, request: web.Request) -> tuple[Asked, dict[str, Any]] | None:
        asked = self.asked.get(request.match_info["token"])
        wanted = request.match_info["message"]
        if asked is None:
            return None
        if wanted == "@original":
            return None if asked.original is None else (asked, asked.original)
        return next(((asked, message) for message in asked.messages if message["id"] == wanted), None)

    async def _read_answer(self, request: web.Request, _body: Any) -> web.StreamResponse:
        found = self._answer_of(request)
        return as_json(found[1]) if found else refused(404, 10008, "Unknown Message")

    async def _edit_answer(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        if (found := self._answer_of(request)) is None:
            return refused(404, 10008, "Unknown Message")
        asked, message = found
        self.world.edit(message, body, flags=asked.data.get("flags", 0) | body.get("flags", 0))
        asked.placeholder_edited = True
        if not _gives_way(message):
            asked.finish()
        return as_json(message)

    async def _delete_answer(self, request: web.Request, _body: Any) -> web.StreamResponse:
        if (found := self._answer_of(request)) is None:
            return refused(404, 10008, "Unknown Message")
        asked, message = found
        asked.messages.remove(message)
        self.world.messages.pop(int(message["id"]), None)
        if not _gives_way(message):
            asked.finish()
        return web.Response(status=204)

    async def _post(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        channel, nonce = request.match_info["channel"], body.get("nonce")
        if body.get("enforce_nonce") and (channel, nonce) in self._nonces:
            return as_json(self._nonces[channel, nonce])
        message = self.world.message(int(channel), body)
        self._nonces[channel, str(nonce)] = message
        self.posted.append(message)
        return as_json(message)

    async def _edit(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        message = self.world.messages.get(int(request.match_info["message"]))
        if message is None:
            return refused(404, 10008, "Unknown Message")
        return as_json(self.world.edit(message, body))

    async def _delete(self, request: web.Request, _body: Any) -> web.StreamResponse:
        self.world.messages.pop(int(request.match_info["message"]), None)
        return web.Response(status=204)

    async def _read(self, request: web.Request, _body: Any) -> web.StreamResponse:
        message = self.world.messages.get(int(request.match_info["message"]))
        return refused(404, 10008, "Unknown Message") if message is None else as_json(message)

    async def _history(self, request: web.Request, _body: Any) -> web.StreamResponse:
        asked = request.query
        before, after = int(asked.get("before", 2**63)), int(asked.get("after", 0))
        here = [one for one in self.world.messages.values() if one["channel_id"] == request.match_info["channel"]]
        found = sorted((one for one in here if after < int(one["id"]) < before), key=lambda one: -int(one["id"]))
        return as_json(found[: int(asked.get("limit", 50))])

    async def _channel(self, request: web.Request, _body: Any) -> web.StreamResponse:
        return as_json(self.world.channel(int(request.match_info["channel"])))

    async def _thread(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return as_json(self.world.thread(int(request.match_info["channel"]), body))

    async def _let_in(self, request: web.Request, _body: Any) -> web.StreamResponse:
        self.world.in_thread[int(request.match_info["channel"])].add(int(request.match_info["user"]))
        return web.Response(status=204)

    async def _member(self, request: web.Request, _body: Any) -> web.StreamResponse:
        people = (GORDON, KITCHENER, ONLOOKER)
        found = next((one for one in people if str(one.id) == request.match_info["user"]), None)
        return refused(404, 10007, "Unknown Member") if found is None else as_json(self.world.member(found.user()))


def _gives_way(message: dict[str, Any]) -> bool:
    """Whether a message is only a placeholder about to be deleted; the answer follows it."""
    return words(message) == ["…"]
