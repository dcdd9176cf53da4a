"""A small Discord on this machine, with the REST routes and gateway events that the bot uses.

The bot runs against it as a separate process, over real sockets and in real time. The loopback stores every request of
the bot, and checks its body against Discord's OpenAPI document if that file exists.
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

from .faults import Faults, as_json, make_refusal
from .gateway import Gateway, Session
from .interaction import DEFERRED, DEFERRED_UPDATE, UPDATE, Interaction, list_components, list_words
from .openapi import find_errors
from .world import APPLICATION, BOT, GORDON, KITCHENER, ONLOOKER, Person, World

Handler = Callable[[web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]
SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2
COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
UNKNOWN = 404, 10062, "Unknown interaction"
ANSWER_TIME = 3.0
"""Seconds in which Discord takes the first answer to an interaction."""
TEXT_INPUT, LABEL = 4, 18


class RunningBot(Protocol):
    """A bot in a separate process."""

    async def kill(self) -> int:
        """Kill the bot if it still runs."""
        ...


@dataclass
class SentRequest:
    """A request of the bot."""

    at: float
    method: str
    path: str
    raw: bytes
    body: Any
    status: int = 0


class Loopback:
    """The small Discord: start it, start a bot with its URLs, then `ask` and `press` like users."""

    def __init__(self, check_bodies: bool = True) -> None:
        self.world = World()
        self.gateway = Gateway(self.world)
        self.requests: list[SentRequest] = []
        self.errors: list[str] = []
        self.commands: list[dict[str, Any]] = []
        self.sync_count = 0
        self.interactions: dict[str, Interaction] = {}
        self.sent_files: dict[str, bytes] = {}
        self.uploads: dict[str, bytes] = {}
        self.fetched_uploads: list[bytes] = []
        """Uploaded files that the bot began to download."""
        self.may_send_uploads = asyncio.Event()
        """While cleared, downloads of uploaded files do not finish."""
        self.may_send_uploads.set()
        self.faults = Faults()
        self.posts: list[dict[str, Any]] = []
        self._nonces: dict[tuple[str, str], dict[str, Any]] = {}
        self._check = check_bodies
        self._unchecked: list[tuple[str, str, str]] = []
        self._runner: web.AppRunner | None = None
        self.programs: list[RunningBot] = []
        """Bots that were started. `close` kills bots that still run, for example after a failed test."""

    async def start(self) -> None:
        """Listen on a free port of 127.0.0.1."""
        app = web.Application(client_max_size=30 * 2**20)
        app.router.add_get("/gateway", self.gateway.serve)
        for method, path, handler in self._routes():
            app.router.add_route(method, f"/api/v10{path}", self._record_requests(handler))
        app.router.add_get("/given/{file}", self._serve_upload)
        app.router.add_route("*", "/{rest:.*}", self._record_requests(self._refuse_unknown))
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.uploads_url = f"http://127.0.0.1:{port}/given"
        self.api_url = f"http://127.0.0.1:{port}/api/v10"
        self.gateway_url = self.gateway.url = f"ws://127.0.0.1:{port}/gateway"

    async def close(self) -> None:
        """Kill running bots and stop listening. Then check the stored bodies: the check is slow."""
        for program in self.programs:
            await program.kill()
        await self.gateway.drop(1000)
        if self._runner is not None:
            await self._runner.cleanup()
        while self._unchecked:
            method, path, body = self._unchecked.pop()
            self.errors += find_errors(method, path, json.loads(body))

    # Actions of users

    def ask(
        self, command: str, person: Person, channel: int, *, heard_by: Session | None = None, **options: Any
    ) -> Interaction:
        """Run `command` ("game new") as `person`, with options by name; bytes are a file.

        An underscore at the end of an option's name is dropped, for names that Python reserves.
        With `heard_by`, only that process receives the interaction.
        """
        return self._interact(COMMAND, self._build_command(command, options), person, channel, heard_by=heard_by)

    def type_in(self, command: str, person: Person, channel: int, option: str, text: str) -> Interaction:
        """Type into an option of `command`; the answer's data has the offered choices."""
        data = self._build_command(command, {option: text}, focused=option)
        return self._interact(AUTOCOMPLETE, data, person, channel)

    def _build_command(self, command: str, options: dict[str, Any], focused: str = "") -> dict[str, Any]:
        """Return the data of a command interaction, as Discord's client sends it."""
        root, *path = command.split()
        root_command = next((item for item in self.commands if item["name"] == root), None)
        assert root_command is not None, f"/{root} is not among the synced commands"
        leaf = root_command
        for name in path:
            leaf = next(item for item in leaf["options"] if item["name"] == name)
        declared = {item["name"]: item["type"] for item in leaf.get("options", ())}
        files = {name: self._store_upload(data) for name, data in options.items() if isinstance(data, bytes)}
        options |= {name: file["id"] for name, file in files.items()}
        values = [
            {"name": name.rstrip("_"), "type": declared[name.rstrip("_")], "value": value}
            | ({"focused": True} if name == focused else {})
            for name, value in options.items()
        ]
        nested: list[dict[str, Any]] = values
        for depth, name in enumerate(reversed(path)):
            nested = [{"name": name, "type": SUBCOMMAND if depth == 0 else SUBCOMMAND_GROUP, "options": nested}]
        resolved = {"resolved": {"attachments": {file["id"]: file for file in files.values()}}} if files else {}
        return {"id": root_command["id"], "name": root, "type": 1, "options": nested, **resolved}

    def _store_upload(self, data: bytes) -> dict[str, Any]:
        """Store an uploaded file for the bot to download; return its attachment object."""
        ident = str(self.world.make_snowflake())
        self.uploads[ident] = data
        url = f"{self.uploads_url}/{ident}"
        return {"id": ident, "filename": "file", "size": len(data), "url": url, "proxy_url": url}

    def press(
        self, message: dict[str, Any], custom_id: str, person: Person, heard_by: Session | None = None
    ) -> Interaction:
        """Press a button of a message."""
        data = {"component_type": 2, "custom_id": custom_id, "id": 1}
        return self._interact(COMPONENT, data, person, int(message["channel_id"]), message, heard_by)

    def fill_in(self, form: Interaction, words: str, person: Person, heard_by: Session | None = None) -> Interaction:
        """Send a form with one text field, which the bot showed after a press."""
        field = next(part for part in list_components(form.data["components"]) if part.get("type") == TEXT_INPUT)
        filled = {"type": TEXT_INPUT, "id": 2, "custom_id": field["custom_id"], "value": words}
        data = {"custom_id": form.data["custom_id"], "components": [{"type": LABEL, "id": 1, "component": filled}]}
        return self._interact(FORM, data, person, form.channel, form.source, heard_by)

    def deliver_to(self, interaction: Interaction, to: Session) -> None:
        """Deliver the interaction to another process too."""
        event = next(
            message
            for message in self.gateway.list_events("INTERACTION_CREATE")
            if message["id"] == str(interaction.id)
        )
        self.gateway.send("INTERACTION_CREATE", event, to)

    def _interact(
        self,
        kind: int,
        data: dict[str, Any],
        person: Person,
        channel: int,
        source: dict[str, Any] | None = None,
        heard_by: Session | None = None,
    ) -> Interaction:
        ident = self.world.make_snowflake()
        interaction = Interaction(ident, f"token-{ident}", channel, source)
        self.interactions[interaction.token] = interaction
        self.gateway.send(
            "INTERACTION_CREATE",
            self.world.build_interaction(ident, interaction.token, kind, data, person, channel, source),
            heard_by,
        )
        return interaction

    def read_all_bodies(self) -> bytes:
        """Return the bodies of all requests of the bot."""
        return b"\n".join(request.raw for request in self.requests)

    # Requests of the bot

    def _routes(self) -> list[tuple[str, str, Handler]]:
        original = "/webhooks/{app}/{token}/messages/{message}"
        return [
            ("GET", "/users/@me", self._read_user),
            ("GET", "/oauth2/applications/@me", self._read_application),
            ("GET", "/applications/@me", self._read_application),
            ("GET", "/gateway/bot", self._read_gateway),
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
            ("GET", "/channels/{channel}/messages/{message}", self._read_message),
            ("GET", "/channels/{channel}/messages", self._read_history),
            ("GET", "/channels/{channel}", self._read_channel),
            ("POST", "/channels/{channel}/threads", self._create_thread),
            ("PUT", "/channels/{channel}/thread-members/{user}", self._add_thread_member),
            ("GET", "/guilds/{guild}/members/{user}", self._read_member),
        ]

    def _record_requests(self, handler: Handler) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def record(request: web.Request) -> web.StreamResponse:
            raw = await request.read()
            body = self._body(request.headers.get("Content-Type", ""), raw)
            entry = SentRequest(monotonic(), request.method, request.path.removeprefix("/api/v10"), raw, body)
            self.requests.append(entry)
            if self._check and body is not None:
                self._unchecked.append((entry.method, entry.path, json.dumps(body)))
            response = await self.faults.respond(entry.method, entry.path, partial(handler, request, body))
            entry.status = response.status
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
                self.sent_files[name[1].decode()] = content.removesuffix(b"\r\n")
        return body

    async def _serve_upload(self, request: web.Request) -> web.StreamResponse:
        data = self.uploads[request.match_info["file"]]
        self.fetched_uploads.append(data)
        await self.may_send_uploads.wait()
        return web.Response(body=data)

    async def _refuse_unknown(self, request: web.Request, _body: Any) -> web.StreamResponse:
        self.errors.append(f"no such route here: {request.method} {request.path}")
        return make_refusal(404, 0, "404: Not Found")

    async def _read_user(self, _request: web.Request, _body: Any) -> web.StreamResponse:
        return as_json(BOT)

    async def _read_application(self, _request: web.Request, _body: Any) -> web.StreamResponse:
        return as_json(self.world.build_application())

    async def _read_gateway(self, _request: web.Request, _body: Any) -> web.StreamResponse:
        limits = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return as_json({"url": self.gateway_url, "shards": 1, "session_start_limit": limits})

    async def _list_commands(self, _request: web.Request, _body: Any) -> web.StreamResponse:
        return as_json(self.commands)

    async def _sync(self, _request: web.Request, body: Any) -> web.StreamResponse:
        self.sync_count += 1
        self.commands = [
            {
                "description": "",
                **item,
                "id": str(self.world.make_snowflake()),
                "application_id": str(APPLICATION),
                "version": "1",
            }
            for item in body
        ]
        return as_json(self.commands)

    async def _callback(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        interaction = self.interactions.get(request.match_info["token"])
        if interaction is None or str(interaction.id) != request.match_info["id"]:
            return make_refusal(*UNKNOWN)
        if interaction.answered_at is not None:
            return make_refusal(400, 40060, "Interaction has already been acknowledged.")
        if monotonic() - interaction.at > ANSWER_TIME:
            interaction.forget()
            return make_refusal(*UNKNOWN)
        kind, data = body["type"], body.get("data") or {}
        if kind in (4, DEFERRED):
            loading = 1 << 7 if kind == DEFERRED else 0
            interaction.original = self.world.create_message(
                interaction.channel, data, flags=data.get("flags", 0) | loading
            )
            interaction.messages.append(interaction.original)
        elif kind in (DEFERRED_UPDATE, UPDATE) and interaction.source is not None:
            interaction.original = interaction.source
            interaction.messages.append(interaction.source)
            if kind == UPDATE:
                self.world.edit(interaction.source, data)
        interaction.answer(kind, data)
        answer: dict[str, Any] = {"interaction": {"id": str(interaction.id), "type": COMMAND}}
        if interaction.original is not None:
            answer["interaction"]["response_message_id"] = interaction.original["id"]
            answer["resource"] = {"type": kind, "message": interaction.original}
        return as_json(answer)

    async def _follow_up(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        interaction = self.interactions.get(request.match_info["token"])
        if interaction is None:
            return make_refusal(404, 10015, "Unknown Webhook")
        if interaction.kind == DEFERRED and not interaction.is_acknowledged and not interaction.placeholder_edited:
            assert interaction.original is not None
            message = self.world.edit(interaction.original, body, flags=interaction.data.get("flags", 0))
        else:
            message = self.world.create_message(interaction.channel, body)
            interaction.messages.append(message)
        interaction.finish()
        return as_json(message)

    def _find_answer(self, request: web.Request) -> tuple[Interaction, dict[str, Any]] | None:
        interaction = self.interactions.get(request.match_info["token"])
        message_id = request.match_info["message"]
        if interaction is None:
            return None
        if message_id == "@original":
            return None if interaction.original is None else (interaction, interaction.original)
        return next(((interaction, message) for message in interaction.messages if message["id"] == message_id), None)

    async def _read_answer(self, request: web.Request, _body: Any) -> web.StreamResponse:
        answer = self._find_answer(request)
        return as_json(answer[1]) if answer else make_refusal(404, 10008, "Unknown Message")

    async def _edit_answer(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        if (answer := self._find_answer(request)) is None:
            return make_refusal(404, 10008, "Unknown Message")
        interaction, message = answer
        self.world.edit(message, body, flags=interaction.data.get("flags", 0) | body.get("flags", 0))
        interaction.placeholder_edited = True
        if not _is_placeholder(message):
            interaction.finish()
        return as_json(message)

    async def _delete_answer(self, request: web.Request, _body: Any) -> web.StreamResponse:
        if (answer := self._find_answer(request)) is None:
            return make_refusal(404, 10008, "Unknown Message")
        interaction, message = answer
        interaction.messages.remove(message)
        self.world.messages.pop(int(message["id"]), None)
        if not _is_placeholder(message):
            interaction.finish()
        return web.Response(status=204)

    async def _post(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        channel, nonce = request.match_info["channel"], body.get("nonce")
        if body.get("enforce_nonce") and (channel, nonce) in self._nonces:
            return as_json(self._nonces[channel, nonce])
        message = self.world.create_message(int(channel), body)
        self._nonces[channel, str(nonce)] = message
        self.posts.append(message)
        return as_json(message)

    async def _edit(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        message = self.world.messages.get(int(request.match_info["message"]))
        if message is None:
            return make_refusal(404, 10008, "Unknown Message")
        return as_json(self.world.edit(message, body))

    async def _delete(self, request: web.Request, _body: Any) -> web.StreamResponse:
        self.world.messages.pop(int(request.match_info["message"]), None)
        return web.Response(status=204)

    async def _read_message(self, request: web.Request, _body: Any) -> web.StreamResponse:
        message = self.world.messages.get(int(request.match_info["message"]))
        return make_refusal(404, 10008, "Unknown Message") if message is None else as_json(message)

    async def _read_history(self, request: web.Request, _body: Any) -> web.StreamResponse:
        query = request.query
        before, after = int(query.get("before", 2**63)), int(query.get("after", 0))
        messages = [
            message
            for message in self.world.messages.values()
            if message["channel_id"] == request.match_info["channel"]
        ]
        page = sorted(
            (message for message in messages if after < int(message["id"]) < before),
            key=lambda message: -int(message["id"]),
        )
        return as_json(page[: int(query.get("limit", 50))])

    async def _read_channel(self, request: web.Request, _body: Any) -> web.StreamResponse:
        return as_json(self.world.build_channel(int(request.match_info["channel"])))

    async def _create_thread(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return as_json(self.world.create_thread(int(request.match_info["channel"]), body))

    async def _add_thread_member(self, request: web.Request, _body: Any) -> web.StreamResponse:
        self.world.in_thread[int(request.match_info["channel"])].add(int(request.match_info["user"]))
        return web.Response(status=204)

    async def _read_member(self, request: web.Request, _body: Any) -> web.StreamResponse:
        people = (GORDON, KITCHENER, ONLOOKER)
        member = next((person for person in people if str(person.id) == request.match_info["user"]), None)
        return (
            make_refusal(404, 10007, "Unknown Member")
            if member is None
            else as_json(self.world.build_member(member.build_user()))
        )


def _is_placeholder(message: dict[str, Any]) -> bool:
    """Whether the message is a placeholder, which the bot deletes when its answer is ready."""
    return list_words(message) == ["…"]
