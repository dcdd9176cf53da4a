"""Cache for the local table's pages.

SimCord makes everything anew for every page and every event, which in a test costs nothing: a Markdown parser for each
text, a line for each message of the channel, all commands with their fingerprints. Here it is made once. Nobody's
rights change at the local table, where every seat may read every channel.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any

from simcord.components import walk_components
from simcord.preview import _action_plans, _commands, _component_projection, _markdown, _queries, _snapshot

WINDOW, STEP = 20, 10
"""Number of messages on a page, and scrolling step in messages."""

_PARSERS = 64
"""Markdown parsers kept: one for each kind of text and the names it may mention."""

_MESSAGES = 100
"""Messages kept for a tab; when there are more, it begins anew."""

_MENUS_OF_ENTITIES = (5, 6, 7, 8)
"""Components out of which SimCord takes something as it goes."""


class Parsers:
    """SimCord's Markdown parsers, kept: it builds one for every text it shows."""

    def __init__(self, build: Callable[[Mapping[str, bool | str], Mapping[str, Any]], Any]) -> None:
        self._build = build
        self._kept: dict[tuple[int, str], Any] = {}

    def __call__(self, policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
        """Return the parser for this kind of text (one of SimCord's policies) and these names, built once."""
        key = id(policy), repr(context)
        if key not in self._kept:
            if len(self._kept) >= _PARSERS:
                self._kept.clear()
            self._kept[key] = self._build(policy, deepcopy(context))
        return self._kept[key]


class Shown:
    """What one tab shows of each message, with its assets and linked messages."""

    def __init__(self) -> None:
        self.messages: dict[int, tuple[Any, dict[str, Any], set[str], set[Any], dict[Any, Any]]] = {}
        self.lines: dict[int, tuple[str, dict[str, Any]]] = {}


def shown_by(page: Any) -> Shown:
    """Return what that tab shows; a tab that changes its seat shows it anew."""
    kept: dict[tuple[str, int], Shown] = page.preview.shown
    key = page.id, page.viewer.id
    if key not in kept:
        for old in [one for one in kept if one[0] == page.id or one[0] not in page.preview._pages]:
            del kept[old]
        kept[key] = Shown()
    return kept[key]


def newest(messages: dict[int, Any], viewer: int) -> Sequence[Any]:
    """Return the newest messages of a channel that someone sees, as many as a page holds, newest first."""
    return list(islice((one for one in reversed(messages.values()) if one.visible_to(viewer)), WINDOW))


def keep() -> None:
    """Has SimCord keep what it made. Twice is as good as once."""
    if isinstance(_markdown._markdown_parser, Parsers):
        return
    _markdown._markdown_parser = Parsers(_markdown._markdown_parser)
    snapshot: Any = _snapshot
    plans: Any = _action_plans
    queries: Any = _queries
    commands: Any = _commands
    projection: Any = _component_projection
    snapshot.HISTORY_WINDOW_SIZE = plans.HISTORY_WINDOW_SIZE = WINDOW
    plans.HISTORY_STEP = STEP
    snapshot.can_access_message = _sees
    snapshot._message_projection = _projected(snapshot._message_projection)
    snapshot._message_navigation = _newest_beside(snapshot._message_navigation)
    queries._message_summary_parts = _in_a_line(queries._message_summary_parts)
    commands.build_catalog = _once(commands.build_catalog)
    commands._authorized_catalog = lambda _, page: page.command_catalog
    plans._component_key = lambda one, path, message: projection._control_key(f"message:{message}", one, path)
    projection._control_key = _by_name(projection._control_key)


def _by_name(key: Callable[[str, Mapping[str, Any], str], str | None]) -> Callable[..., str | None]:
    """Identify components by custom id, like Discord, whatever their position in the message.

    And what has another name is another: what was chosen in the menu before is not chosen in it.
    """

    def by_name(scope: str, component: Mapping[str, Any], path: str) -> str | None:
        name = component.get("custom_id") if scope.startswith("message:") else None
        return f"{scope}:component:{name}" if name else key(scope, component, path)

    return by_name


def _sees(_env: Any, channel: int, message: Any, viewer: Any, **_: Any) -> bool:
    return bool(message.channel_id == channel and message.visible_to(viewer.id))


def _projected(project: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Return what a tab shows of a message, made anew when it changed, else referring to what it referred to."""

    def projected(preview: Any, page: Any, message: Any, *, compact: bool, channel: Any) -> dict[str, Any]:
        kept, stamp = shown_by(page).messages, (repr(message), compact)
        if message.id in kept:
            known, made, assets, messages, references = kept[message.id]
            if known == stamp and assets <= page.assets.keys():
                page.referenced_assets |= assets
                page.referenced_messages |= messages
                page.message_references |= references
                return made
        before = page.referenced_assets, page.referenced_messages, page.message_references
        page.referenced_assets, page.referenced_messages, page.message_references = set(), set(), {}
        try:
            made = project(preview, page, message, compact=compact, channel=channel)
        finally:
            own = page.referenced_assets, page.referenced_messages, page.message_references
            for old, new in zip(before, own, strict=True):
                old.update(new)
            page.referenced_assets, page.referenced_messages, page.message_references = before
        if not any(one.get("type") in _MENUS_OF_ENTITIES for one in walk_components(message.components)):
            if len(kept) >= _MESSAGES:
                kept.clear()
            kept[message.id] = (stamp, made, *own)
        return made

    return projected


def _newest_beside(navigate: Callable[..., Any]) -> Callable[..., Any]:
    """Lists the newest messages beside the page; all are gone through only where somebody looks for one."""

    def near(preview: Any, page: Any, visible: list[Any]) -> Any:
        sought = page.navigation_query or page.navigation_cursor
        return navigate(preview, page, visible if sought else visible[-WINDOW:])

    return near


def _in_a_line(summarise: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    def in_a_line(preview: Any, page: Any, message: Any, channel: Any, **rest: Any) -> dict[str, Any]:
        kept, stamp = shown_by(page).lines, repr(message)
        if message.id not in kept or kept[message.id][0] != stamp:
            if len(kept) >= _MESSAGES:
                kept.clear()
            kept[message.id] = stamp, summarise(preview, page, message, channel, **rest)
        return kept[message.id][1]

    return in_a_line


def _once(build: Callable[[Any, Any], dict[str, Any]]) -> Callable[[Any, Any], dict[str, Any]]:
    """Return the commands as a tab knows them: they are told to Discord before the first tab opens."""

    def once(preview: Any, page: Any) -> dict[str, Any]:
        known: dict[str, Any] = page.command_catalog
        application = known.get("application") or {}
        return known if application.get("avatarAssetId") in page.assets else build(preview, page)

    return once
