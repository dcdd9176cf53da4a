"""Map previews: an umpire's action shown privately, stored until a button confirms it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2s
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from bot.errors import OVER, Stale
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import Ledger
from bot.store.tables import PREVIEWS
from rules.core.dice import NoDice
from rules.core.model import Viewer
from rules.core.refusal import Refused
from rules.core.state import Action, State

from .action_batch import Series
from .rights import require_right

DIGEST = 8
"""Bytes of what names a preview."""
GONE = "That was done or left already, or you have looked at something else since. Give the command again."
CHANGED = "What you were shown has changed since, so nothing was done. Give the command again to see it as it is now."

NO_CHANGE = "That is so already: nothing would change."


@dataclass(frozen=True)
class Preview:
    """A previewed action, with the asker's table before and after.

    `tag` names it together with all that it changes, so it is another as soon as one of these is.
    """

    game: Game
    action: Action
    viewer: Viewer
    before: State
    after: State

    @classmethod
    def of(cls, game: Game, actor: Actor, action: Action) -> "Preview":
        """That of an action which throws no dice. Raises NotAllowed, Refused."""
        require_right(game, actor, action)
        viewer = game.viewer(actor.id)
        seen = game.ruleset.view(game.state, viewer)
        return cls(game, action, viewer, seen, game.ruleset.try_action(seen, action, NoDice()))

    @property
    def tag(self) -> str:
        """Return the preview's tag for button ids, a hash of the action and all changed fields."""
        fields = type(self.before).model_fields
        changed = {name for name in fields if getattr(self.before, name) != getattr(self.after, name)}
        tables = (one.model_dump_json(include=changed) for one in (self.before, self.after))
        told = (str(self.game.ruleset.version), self.action.kind, self.action.model_dump_json(), *tables)
        return blake2s("\n".join(told).encode(), digest_size=DIGEST).hexdigest()


class MapPreviews:
    """Storage and confirmation of map previews."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def show(self, channel: int, actor: Actor, make: Callable[[Game], Action]) -> Preview:
        """Keeps an action to be done later, in place of one that `actor` was shown before; nothing is journalled.

        Raises NoGame, NotAllowed, Refused, and whatever `make` raises.
        """
        game = await self._ledger.running(channel)
        preview = await asyncio.to_thread(lambda: Preview.of(game, actor, make(game)))
        if preview.after == preview.before:
            raise Refused(NO_CHANGE)
        await self._ledger.store.writer.run(partial(_keep, preview=preview, user=actor.id))
        return preview

    async def confirm(self, channel: int, actor: Actor, game_id: str, tag: str, *, interaction: int) -> Played:
        """Run the action that was previewed to `actor` under `tag`.

        A repeated interaction returns its earlier result.

        Raises Stale where it is no longer kept, or would do something else by now; NotAllowed, Refused.
        """
        read = partial(self._shown, actor=actor, game_id=game_id, tag=tag)
        work = partial(self._confirmed, actor=actor, tag=tag, interaction=interaction)
        return (await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction))[0]

    def _confirmed(self, game: Game, kept: Mapping[str, Any], actor: Actor, tag: str, interaction: int) -> NewEntry:
        preview = Preview.of(game, actor, game.ruleset.parse(kept["kind"], kept["args"]))
        if preview.tag != tag:
            raise Stale(CHANGED)
        made = Series(self._ledger, game, actor, interaction).do(preview.action)
        return made.with_changes(partial(_forget, game=game.id, user=actor.id))

    async def drop(self, actor: Actor, game_id: str, tag: str) -> None:
        """Delete the preview of `actor` under `tag`, so that no button can confirm it."""
        await self._ledger.store.writer.run(partial(_forget, game=game_id, user=actor.id, tag=tag))

    async def _shown(self, game: Game, actor: Actor, game_id: str, tag: str) -> Mapping[str, Any]:
        """Return the stored action of the preview. Raises Stale."""
        if game.id != game_id:
            raise Stale(OVER)
        shown = PREVIEWS.c.game == game.id, PREVIEWS.c.user == actor.id, PREVIEWS.c.tag == tag
        async with self._ledger.store.ask() as connection:
            found: Mapping[str, Any] | None = await connection.scalar(select(PREVIEWS.c.action).where(*shown))
        if found is None:
            raise Stale(GONE)
        return found


def clear_previews(connection: Connection, game: str) -> None:
    """Delete all previews of an ended game."""
    connection.execute(delete(PREVIEWS).where(PREVIEWS.c.game == game))


def _keep(connection: Connection, *, preview: Preview, user: int) -> None:
    game, action = preview.game.id, preview.action
    told = {"kind": action.kind, "args": action.model_dump(mode="json", by_alias=True, exclude_none=True)}
    _forget(connection, game=game, user=user)
    connection.execute(insert(PREVIEWS).values(game=game, user=user, tag=preview.tag, action=told))


def _forget(connection: Connection, *, game: str, user: int, tag: str | None = None) -> None:
    """Delete a user's previews in a game, or only the preview with `tag`."""
    shown = [PREVIEWS.c.game == game, PREVIEWS.c.user == user]
    if tag is not None:
        shown.append(PREVIEWS.c.tag == tag)
    connection.execute(delete(PREVIEWS).where(*shown))
