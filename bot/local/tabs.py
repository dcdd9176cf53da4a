"""The tabs of one channel of the local table: what they show is told them soon, and made anew only where it changed."""

import asyncio
from typing import Any

from simcord import preview as simcord_preview
from simcord.preview import Preview

from . import page_cache
from .page_cache import Shown, newest
from .server import Pictures, Server

LEASE = 86_400.0
"""Seconds an unused tab stays usable."""


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
        """Return the newest message of the bot that someone sees, else the newest."""
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
        """Open a tab; beyond the limit, close the longest idle tab."""
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


def pages_of(env: Any, channel: Any, seats: list[Any], port: int, turn: asyncio.Lock) -> Pages:
    """Return the channel's pages, before opening."""
    page_cache.keep()
    env._preview = None  # SimCord allows one preview at a time, but bears several
    made, simcord_preview.Preview = simcord_preview.Preview, Pages  # type: ignore[misc]
    try:
        page: Pages = env.preview(channel, viewers=seats, layout="channel", port=port)
    finally:
        simcord_preview.Preview = made  # type: ignore[misc]
    page.turn = turn
    return page
