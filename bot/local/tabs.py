"""The browser tabs of a channel of the local table. They are updated only if their content has changed."""

import asyncio
from typing import Any

from simcord import preview as simcord_preview
from simcord.preview import Preview

from . import page_cache
from .page_cache import ShownMessageCache, newest_messages
from .server import CachingServer, PictureValidator

LEASE = 86_400.0
"""Seconds that an unused tab stays usable."""


class ChannelPages(Preview):
    """The pages of one channel in the browser. A channel may have any number of tabs."""

    _PAGE_LEASE_SECONDS = LEASE
    action_lock: asyncio.Lock
    """Lock for actions, shared by the tabs of all channels: one action runs at a time."""

    def __init__(self, *args: Any, port: int, **options: Any) -> None:
        super().__init__(*args, port=port, **options)
        self._server = CachingServer(self, port)
        self._media_worker = PictureValidator()
        self.shown: dict[tuple[str, int], ShownMessageCache] = {}
        self._seen: dict[str, Any] = {}

    def show_changes(self) -> None:
        """Update all tabs whose content has changed."""
        self._advance_presentation_time()
        self._publish_message_pages(reason="refresh")

    def _initial_target(self, viewer: Any, channel_id: int) -> int | None:
        """Return the id of the message to show first: the bot's newest message, or else the newest message, or None."""
        messages = newest_messages(self.env.backend.messages.get(channel_id, {}), viewer.id)
        own_messages = [message for message in messages if message.author_id == self.env.backend.bot_user.id]
        return next((message.id for message in (*own_messages, *messages)), None)

    def _publish(self, page: Any, **reason: Any) -> None:
        if page.window_end_id is None:  # the user has not scrolled back: show the newest message
            page.target_id = self._initial_target(page.viewer, page.channel_id)
        super()._publish(page, **reason)
        self._seen[page.id] = self._visible_content(page)

    def _publish_message_pages(self, *, reason: str = "action") -> None:
        for gone in self._seen.keys() - self._pages.keys():
            del self._seen[gone]
        for tab in self.tabs:
            if (
                tab.window_end_id is not None
                or tab.pending_receipt_revision
                or self._seen[tab.id] != self._visible_content(tab)
            ):
                self._publish(tab, reason=reason)

    def _visible_content(self, page: Any) -> Any:
        messages = self.env.backend.messages.get(page.channel_id, {})
        return page.viewer.id, len(messages), [repr(message) for message in newest_messages(messages, page.viewer.id)]

    @property
    def tabs(self) -> list[Any]:
        """The users' tabs. SimCord's page for programs is not among them."""
        return [page for page in self._pages.values() if page is not self._python]

    def _open_page(self, viewer_id: Any = None, target_id: Any = None) -> Any:
        """Open a tab. If there are too many, first close the tab that was idle for the longest time."""
        if len(self.tabs) >= self._MAX_PAGES:
            self._close_page(min(self.tabs, key=lambda tab: tab.last_activity).id)
        assert self._python is not None
        self._python.window_end_id = None  # None means always the newest message
        return super()._open_page(viewer_id, target_id)

    async def _action(self, context_id: str | None, body: Any) -> Any:
        """Run the action of a tab after all earlier actions of any tab: SimCord refuses two actions at a time."""
        async with self.action_lock:
            tab = self._get_page(context_id)
            if isinstance(body, dict) and body.get("sequence") != tab.last_sequence:
                body["published_revision"] = tab.revision
            result = await super()._action(context_id, body)
            if isinstance(body, dict) and body.get("kind") == "viewer":
                tab.window_end_id = None
                self._publish(tab, reason="navigation")
            return result


def make_pages(
    env: Any, channel: Any, seats: list[Any], port: int, action_lock: asyncio.Lock, token: str
) -> ChannelPages:
    """Create the channel's pages without opening them. `token` is the secret part of their address."""
    page_cache.install_caches()
    env._preview = None  # SimCord allows one preview at a time, although several work
    original, simcord_preview.Preview = simcord_preview.Preview, ChannelPages  # type: ignore[misc]
    try:
        page: ChannelPages = env.preview(channel, viewers=seats, layout="channel", port=port)
    finally:
        simcord_preview.Preview = original  # type: ignore[misc]
    page.action_lock = action_lock
    page.capability = token
    return page
