"""The loopback's gateway: hello, identify, heartbeats, events, and sessions that can be dropped and resumed."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from .world import APPLICATION, BOT, GUILD, World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID, HELLO, HEARTBEAT_ACK = 0, 1, 2, 6, 9, 10, 11
BEAT = 41_250  # milliseconds, as Discord asks for


@dataclass
class Session:
    """What a bot that comes back may have missed: every event, numbered from 1."""

    id: str
    events: list[str] = field(default_factory=list)


class Gateway:
    """One shard's gateway."""

    def __init__(self, world: World) -> None:
        self.url = ""
        self.identified = self.resumed = 0
        self.ready = asyncio.Event()
        self.connected = asyncio.Event()
        self._world = world
        self._session: Session | None = None
        self._socket: web.WebSocketResponse | None = None
        self._outbox: asyncio.Queue[str] = asyncio.Queue()

    def send(self, event: str, payload: dict[str, Any]) -> None:
        """Sends an event now, or when the bot resumes."""
        assert self._session is not None, "no bot has identified"
        events = self._session.events
        events.append(json.dumps({"op": DISPATCH, "s": len(events) + 1, "t": event, "d": payload}))
        if self._socket is not None:
            self._outbox.put_nowait(events[-1])

    def events(self, kind: str) -> list[dict[str, Any]]:
        """The payloads of all events of a kind sent in this session."""
        assert self._session is not None
        sent = [json.loads(event) for event in self._session.events]
        return [event["d"] for event in sent if event["t"] == kind]

    async def drop(self, code: int = 4000) -> None:
        """Closes the connection; the bot may resume."""
        socket, self._socket = self._socket, None
        self.connected.clear()
        if socket is not None:
            await socket.close(code=code)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """A connection from hello to its end."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": BEAT}})
        writer: asyncio.Task[None] | None = None
        try:
            async for frame in socket:
                if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    break
                said = json.loads(frame.data)
                if said["op"] == HEARTBEAT:
                    await socket.send_json({"op": HEARTBEAT_ACK})
                elif said["op"] in (IDENTIFY, RESUME) and await self._welcome(socket, said):
                    writer = asyncio.create_task(self._write(socket))
        finally:
            if writer is not None:
                writer.cancel()
            if self._socket is socket:
                self._socket = None
                self.connected.clear()
                self.ready.clear()
        return socket

    async def _welcome(self, socket: web.WebSocketResponse, said: dict[str, Any]) -> bool:
        self._outbox = asyncio.Queue()
        if said["op"] == IDENTIFY:
            self.identified += 1
            self._session = Session(f"session-{self.identified}")
            self._socket = socket
            self.send("READY", self._ready(said["d"].get("shard", [0, 1])))
            self.send("GUILD_CREATE", self._world.guild())
        elif self._session is not None and said["d"]["session_id"] == self._session.id:
            self.resumed += 1
            self._socket = socket
            for event in self._session.events[said["d"]["seq"] :]:
                self._outbox.put_nowait(event)
            self.send("RESUMED", {})
        else:
            await socket.send_json({"op": INVALID, "d": False})
            return False
        self.ready.set()
        self.connected.set()
        return True

    async def _write(self, socket: web.WebSocketResponse) -> None:
        while True:
            await socket.send_str(await self._outbox.get())

    def _ready(self, shard: list[int]) -> dict[str, Any]:
        assert self._session is not None
        return {
            "v": 10,
            "user": BOT,
            "guilds": [{"id": str(GUILD), "unavailable": True}],
            "session_id": self._session.id,
            "resume_gateway_url": self.url,
            "shard": shard,
            "application": {"id": str(APPLICATION), "flags": 0},
        }
