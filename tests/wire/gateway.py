"""Gateway of the loopback Discord: hello, identify, heartbeats, events, and sessions that resume."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from .world import APPLICATION, BOT, GUILD, World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID, HELLO, HEARTBEAT_ACK = 0, 1, 2, 6, 9, 10, 11
HEARTBEAT_INTERVAL = 41_250  # milliseconds, as at Discord


@dataclass
class Session:
    """A gateway session of one process. Stores every event, numbered from 1, so that the bot can resume."""

    id: str
    events: list[str] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None
    outbox: asyncio.Queue[str] = field(default_factory=asyncio.Queue)

    def send(self, event: str, payload: dict[str, Any]) -> None:
        """Send an event now, or when the bot resumes."""
        self.events.append(json.dumps({"op": DISPATCH, "s": len(self.events) + 1, "t": event, "d": payload}))
        if self.socket is not None:
            self.outbox.put_nowait(self.events[-1])

    async def drop(self, code: int) -> None:
        """Close the connection; the bot may resume."""
        socket, self.socket = self.socket, None
        if socket is not None:
            await socket.close(code=code)


class Gateway:
    """Gateway of one shard. Like Discord, it sends every event to each process that identified for the shard."""

    def __init__(self, world: World) -> None:
        self.url = ""
        self.identify_count = self.resume_count = 0
        self.ready = asyncio.Event()
        self.connected = asyncio.Event()
        self.sessions: list[Session] = []
        self._world = world
        self._sent: list[tuple[str, dict[str, Any]]] = []

    def send(self, event: str, payload: dict[str, Any], to: Session | None = None) -> None:
        """Send an event to every session, or only to the session `to`."""
        assert self.sessions, "no bot has identified"
        self._sent.append((event, payload))
        for session in self.sessions if to is None else [to]:
            session.send(event, payload)

    def list_events(self, kind: str) -> list[dict[str, Any]]:
        """Return the payloads of all sent events of this kind."""
        return [payload for event, payload in self._sent if event == kind]

    async def drop(self, code: int = 4000) -> None:
        """Close every connection; the bot may resume."""
        self.connected.clear()
        for session in self.sessions:
            await session.drop(code)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection, from hello until it closes."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_INTERVAL}})
        writer: asyncio.Task[None] | None = None
        session: Session | None = None
        try:
            async for frame in socket:
                if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    break
                message = json.loads(frame.data)
                if message["op"] == HEARTBEAT:
                    await socket.send_json({"op": HEARTBEAT_ACK})
                elif message["op"] in (IDENTIFY, RESUME) and (session := await self._welcome(socket, message)):
                    writer = asyncio.create_task(self._write(session))
        finally:
            if writer is not None:
                writer.cancel()
            if session is not None and session.socket is socket:
                session.socket = None
            if not any(session.socket for session in self.sessions):
                self.connected.clear()
                self.ready.clear()
        return socket

    async def _welcome(self, socket: web.WebSocketResponse, message: dict[str, Any]) -> Session | None:
        if message["op"] == IDENTIFY:
            session = self._identify(socket, message["d"].get("shard", [0, 1]))
        else:
            matches = (candidate for candidate in self.sessions if candidate.id == message["d"]["session_id"])
            if (session := next(matches, None)) is None:
                await socket.send_json({"op": INVALID, "d": False})
                return None
            self._resume(session, socket, message["d"]["seq"])
        self.ready.set()
        self.connected.set()
        return session

    def _identify(self, socket: web.WebSocketResponse, shard: list[int]) -> Session:
        self.identify_count += 1
        session = Session(f"session-{self.identify_count}", socket=socket)
        self.sessions = [session for session in self.sessions if session.socket is not None]
        self.sessions.append(session)
        session.send("READY", self._ready(session, shard))
        session.send("GUILD_CREATE", self._world.build_guild())
        return session

    def _resume(self, session: Session, socket: web.WebSocketResponse, last_seq: int) -> None:
        self.resume_count += 1
        session.outbox = asyncio.Queue()
        session.socket = socket
        for event in session.events[last_seq:]:
            session.outbox.put_nowait(event)
        session.send("RESUMED", {})

    async def _write(self, session: Session) -> None:
        socket, outbox = session.socket, session.outbox
        assert socket is not None
        while True:
            await socket.send_str(await outbox.get())

    def _ready(self, session: Session, shard: list[int]) -> dict[str, Any]:
        return {
            "v": 10,
            "user": BOT,
            "guilds": [{"id": str(GUILD), "unavailable": True}],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": shard,
            "application": {"id": str(APPLICATION), "flags": 0},
        }
