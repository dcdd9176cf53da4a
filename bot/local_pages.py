"""The tabs of one channel of the local table: what they show is told them soon, and made anew only where it changed."""

import asyncio
import io
import time
from typing import Any

from aiohttp import web
from PIL import Image
from simcord import preview as simcord_preview
from simcord.preview import Preview
from simcord.preview._media import MAX_DIMENSION, MAX_PIXELS, MediaInfo, MediaWorker
from simcord.preview._server import PreviewServer

from . import local_kept
from .local_kept import Shown, newest

LEASE = 86_400.0
"""Seconds an unused tab stays usable."""

_FOCUSED = 'const current = String(field.value || "");'
_ASK = (
    "if (!autocompleteResults.has(autocompleteKey(currentDraft(), option.name, current)))"
    " queryAutocomplete(option, current);"
)
_SCROLLED = 'if (state.scrollIntent.policy === "bottom") ui'
_STAY = (
    'if (was?.policy === "bottom" && ui.timeline.scrollTop >= (was.oldScrollTop ?? 0))'
    " state.scrollIntent = { ...was, oldScrollTop: ui.timeline.scrollTop };"
)
_WAS = 'if (!state.ready && state.scrollIntent?.policy === "target") return;'
CHANGED = {
    # A tab asks whether anything is new; twice a second, an answer would stand unread for half a second.
    "/session.js": (("interval = 500", "interval = 150"),),
    # Who is at the newest message stays there when its picture has come; only who scrolls up goes away from it.
    "/timeline.js": (
        (_WAS, f"{_WAS} const was = state.scrollIntent;"),
        (_SCROLLED, f"{_STAY} {_SCROLLED}"),
        ("clientHeight <= 1 ?", "clientHeight <= 48 ?"),
    ),
    # As on Discord, an option with names shows them when it is clicked, before a letter is typed.
    "/commands.js": (
        (_FOCUSED, f"{_FOCUSED} {_ASK}"),
        ('"Loading options failed" : "No', '"Loading options failed" : autocomplete.state === "loading" ? "…" : "No'),
    ),
}
"""What is written otherwise in the files of SimCord's page."""


def otherwise(path: str, text: str) -> str:
    """A file of SimCord's page as the local table gives it. Raises LookupError where SimCord is another."""
    for there, here in CHANGED.get(path, ()):
        if text.count(there) != 1:
            raise LookupError(f"{path} of SimCord has not just one {there!r}")
        text = text.replace(there, here)
    return text


class Pictures(MediaWorker):
    """Gives a PNG that stands still as it is; SimCord draws each anew, in a process started for it."""

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """What the page must know of a picture. Raises SimCord's MediaError."""
        size = size_of(blob)
        if size is None:
            return await super().validate(key, blob, media_time=media_time)
        width, height = size
        return MediaInfo("PNG", width, height, 1, width * height * 4, blob, "image/png", memory_limited=True)


def size_of(blob: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG that stands still and upright, read from its head; None: it is something else."""
    if not blob.startswith(b"\x89PNG") or b"eXIf" in blob or b"acTL" in blob:
        return None
    try:
        width, height = Image.open(io.BytesIO(blob)).size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return (width, height) if max(width, height) <= MAX_DIMENSION and width * height <= MAX_PIXELS else None


class Server(PreviewServer):
    """Gives a tab that asks again what it was given before, where nothing changed since."""

    def __init__(self, preview: "Pages", port: int = 0) -> None:
        super().__init__(preview, port)
        self._given: dict[str, tuple[Any, Any]] = {}

    async def _static(self, request: Any) -> Any:
        response = await super()._static(request)
        if request.path in CHANGED:
            response.text = otherwise(request.path, response.text)
        return response

    async def _state(self, request: Any) -> Any:
        context = request.headers.get("X-Simcord-Context")
        tab = self.preview._pages.get(context)
        if tab is None or not self._authorized(request, context=context):
            return await super()._state(request)
        last = tab.last_action or {}
        ready = sum(asset.validated for asset in tab.assets.values())
        mark = tab.revision, tab.status, ready, last.get("correlation"), last.get("settlement"), last.get("revision")
        known, body = self._given.get(tab.id, (None, None))
        if known != mark:
            body = (await super()._state(request)).body
            for closed in self._given.keys() - self.preview._pages.keys():
                del self._given[closed]
            self._given[tab.id] = mark, body
        tab.last_activity = time.monotonic()
        return web.Response(body=body, content_type="application/json", headers=self._SECURITY_HEADERS)


class Pages(Preview):
    """One channel in the browser, in as many tabs as people open."""

    _PAGE_LEASE_SECONDS = LEASE
    turn: asyncio.Lock
    """Whose holder acts: one of all tabs of all channels."""

    def __init__(self, *args: Any, port: int, **options: Any) -> None:
        super().__init__(*args, port=port, **options)
        self._server = Server(self, port)
        self._media_worker = Pictures()
        self.shown: dict[tuple[str, int], Shown] = {}
        self._seen: dict[str, Any] = {}

    def tell(self) -> None:
        """Shows every tab what changed."""
        self._advance_presentation_time()
        self._publish_message_pages(reason="refresh")

    def _initial_target(self, viewer: Any, channel_id: int) -> int | None:
        """The newest message of the bot that someone sees, else the newest."""
        seen = newest(self.env.backend.messages.get(channel_id, {}), viewer.id)
        bot = self.env.backend.bot_user.id
        return next((one.id for one in (*(one for one in seen if one.author_id == bot), *seen)), None)

    def _publish(self, page: Any, **reason: Any) -> None:
        if page.window_end_id is None:  # it has not gone back to older messages: show it the newest
            page.target_id = self._initial_target(page.viewer, page.channel_id)
        super()._publish(page, **reason)
        self._seen[page.id] = self._to_see(page)

    def _publish_message_pages(self, *, reason: str = "action") -> None:
        for gone in self._seen.keys() - self._pages.keys():
            del self._seen[gone]
        for tab in self.tabs:
            if tab.window_end_id is not None or tab.pending_receipt_revision or self._seen[tab.id] != self._to_see(tab):
                self._publish(tab, reason=reason)

    def _to_see(self, page: Any) -> Any:
        messages = self.env.backend.messages.get(page.channel_id, {})
        return page.viewer.id, len(messages), [repr(one) for one in newest(messages, page.viewer.id)]

    @property
    def tabs(self) -> list[Any]:
        """The pages that people look at; SimCord keeps one more for programs."""
        return [page for page in self._pages.values() if page is not self._python]

    def _open_page(self, viewer_id: Any = None, target_id: Any = None) -> Any:
        """Opens a tab always, by forgetting the one that was left alone longest when there are too many."""
        if len(self.tabs) >= self._MAX_PAGES:
            self._close_page(min(self.tabs, key=lambda tab: tab.last_activity).id)
        assert self._python is not None
        self._python.window_end_id = None  # None is the newest message, whatever comes
        return super()._open_page(viewer_id, target_id)

    async def _action(self, context_id: str | None, body: Any) -> Any:
        """Queues the actions of all tabs; SimCord by itself refuses one that comes while another runs."""
        async with self.turn:
            tab = self._get_page(context_id)
            if isinstance(body, dict) and body.get("sequence") != tab.last_sequence:
                body["published_revision"] = tab.revision
            result = await super()._action(context_id, body)
            if isinstance(body, dict) and body.get("kind") == "viewer":
                tab.window_end_id = None
                self._publish(tab, reason="navigation")
            return result


def of(env: Any, channel: Any, seats: list[Any], port: int, turn: asyncio.Lock) -> Pages:
    """The pages of a channel, not yet open."""
    local_kept.keep()
    env._preview = None  # SimCord allows one preview at a time, but bears several
    made, simcord_preview.Preview = simcord_preview.Preview, Pages  # type: ignore[misc]
    try:
        page: Pages = env.preview(channel, viewers=seats, layout="channel", port=port)
    finally:
        simcord_preview.Preview = made  # type: ignore[misc]
    page.turn = turn
    return page
