"""Caches for the local table's pages.

For every page and event, SimCord builds all parsers, messages and commands anew, which is fast enough only for tests.
Permissions never change at the local table, because every seat may read every channel.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any

from cachetools import LRUCache
from simcord.components import walk_components
from simcord.preview import _action_plans, _commands, _component_projection, _markdown, _queries, _snapshot

WINDOW, STEP = 20, 10
"""Number of messages on a page, and scrolling step in messages."""

_MAX_PARSERS = 64
"""Maximum number of cached Markdown parsers. Each combination of a kind of text and names has one."""

_MAX_MESSAGES = 100
"""Maximum number of cached messages for a tab."""

_MENUS_OF_ENTITIES = (5, 6, 7, 8)
"""Types of select menus for users, roles, mentionables and channels. Messages with such menus are not cached."""


class ParserCache:
    """Cache of Markdown parsers. SimCord itself builds a new parser for every text."""

    def __init__(self, build: Callable[[Mapping[str, bool | str], Mapping[str, Any]], Any]) -> None:
        self._build = build
        self._parsers: LRUCache[tuple[int, str], Any] = LRUCache(_MAX_PARSERS)

    def __call__(self, policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
        """Return the parser for one of SimCord's text policies and the names in `context`."""
        key = id(policy), repr(context)
        if key not in self._parsers:
            self._parsers[key] = self._build(policy, deepcopy(context))
        return self._parsers[key]


class ShownMessageCache:
    """Cache of the messages that a tab shows, with their assets and linked messages."""

    def __init__(self) -> None:
        self.messages: LRUCache[int, tuple[Any, dict[str, Any], set[str], set[Any], dict[Any, Any]]]
        self.messages = LRUCache(_MAX_MESSAGES)
        self.lines: LRUCache[int, tuple[str, dict[str, Any]]] = LRUCache(_MAX_MESSAGES)


def get_tab_cache(page: Any) -> ShownMessageCache:
    """Return the tab's cache for the user whose view the tab shows now.

    Delete the tab's caches for other users, and the caches of closed tabs.
    """
    caches: dict[tuple[str, int], ShownMessageCache] = page.preview.shown
    key = page.id, page.viewer.id
    if key not in caches:
        for old in [
            cache_key for cache_key in caches if cache_key[0] == page.id or cache_key[0] not in page.preview._pages
        ]:
            del caches[old]
        caches[key] = ShownMessageCache()
    return caches[key]


def newest_messages(messages: dict[int, Any], viewer: int) -> Sequence[Any]:
    """Return the newest messages that the user `viewer` may see: at most WINDOW, newest first."""
    return list(islice((message for message in reversed(messages.values()) if message.visible_to(viewer)), WINDOW))


def install_caches() -> None:
    """Put the caches into SimCord. A second call has no effect."""
    if isinstance(_markdown._markdown_parser, ParserCache):
        return
    _markdown._markdown_parser = ParserCache(_markdown._markdown_parser)
    snapshot: Any = _snapshot
    plans: Any = _action_plans
    queries: Any = _queries
    commands: Any = _commands
    projection: Any = _component_projection
    snapshot.HISTORY_WINDOW_SIZE = plans.HISTORY_WINDOW_SIZE = WINDOW
    plans.HISTORY_STEP = STEP
    snapshot.can_access_message = _can_see_message
    snapshot._message_projection = _cache_projection(snapshot._message_projection)
    snapshot._message_navigation = _limit_navigation(snapshot._message_navigation)
    queries._message_summary_parts = _cache_summary(queries._message_summary_parts)
    commands.build_catalog = _cache_catalog(commands.build_catalog)
    commands._authorized_catalog = lambda _, page: page.command_catalog
    plans._component_key = lambda component, path, message: projection._control_key(
        f"message:{message}", component, path
    )
    projection._control_key = _make_component_key(projection._control_key)


def _make_component_key(key: Callable[[str, Mapping[str, Any], str], str | None]) -> Callable[..., str | None]:
    """Return a function that identifies a component by its custom id, not by its position in the message.

    As on Discord, a menu with a new custom id is then a new menu, without the choices made in the earlier menu.
    """

    def key_by_custom_id(scope: str, component: Mapping[str, Any], path: str) -> str | None:
        name = component.get("custom_id") if scope.startswith("message:") else None
        return f"{scope}:component:{name}" if name else key(scope, component, path)

    return key_by_custom_id


def _can_see_message(_env: Any, channel: int, message: Any, viewer: Any, **_: Any) -> bool:
    return bool(message.channel_id == channel and message.visible_to(viewer.id))


def _cache_projection(project: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Wrap SimCord's `project`, which converts a message for the page, with a cache."""

    def project_with_cache(preview: Any, page: Any, message: Any, *, compact: bool, channel: Any) -> dict[str, Any]:
        cache, stamp = get_tab_cache(page).messages, (repr(message), compact)
        if message.id in cache:
            cached_stamp, result, assets, messages, references = cache[message.id]
            if cached_stamp == stamp and assets <= page.assets.keys():
                page.referenced_assets |= assets
                page.referenced_messages |= messages
                page.message_references |= references
                return result
        before = page.referenced_assets, page.referenced_messages, page.message_references
        page.referenced_assets, page.referenced_messages, page.message_references = set(), set(), {}
        try:
            result = project(preview, page, message, compact=compact, channel=channel)
        finally:
            own = page.referenced_assets, page.referenced_messages, page.message_references
            for old, new in zip(before, own, strict=True):
                old.update(new)
            page.referenced_assets, page.referenced_messages, page.message_references = before
        if not any(component.get("type") in _MENUS_OF_ENTITIES for component in walk_components(message.components)):
            cache[message.id] = (stamp, result, *own)
        return result

    return project_with_cache


def _limit_navigation(navigate: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap SimCord's `navigate` to list only the newest messages, except in a search."""

    def navigate_newest(preview: Any, page: Any, visible: list[Any]) -> Any:
        is_searching = page.navigation_query or page.navigation_cursor
        return navigate(preview, page, visible if is_searching else visible[-WINDOW:])

    return navigate_newest


def _cache_summary(summarise: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    def summarise_with_cache(preview: Any, page: Any, message: Any, channel: Any, **options: Any) -> dict[str, Any]:
        cache, stamp = get_tab_cache(page).lines, repr(message)
        if message.id not in cache or cache[message.id][0] != stamp:
            cache[message.id] = stamp, summarise(preview, page, message, channel, **options)
        return cache[message.id][1]

    return summarise_with_cache


def _cache_catalog(build: Callable[[Any, Any], dict[str, Any]]) -> Callable[[Any, Any], dict[str, Any]]:
    """Wrap SimCord's `build` to build the unchanging catalogue of commands only once for each tab."""

    def build_with_cache(preview: Any, page: Any) -> dict[str, Any]:
        catalog: dict[str, Any] = page.command_catalog
        application = catalog.get("application") or {}
        return catalog if application.get("avatarAssetId") in page.assets else build(preview, page)

    return build_with_cache
