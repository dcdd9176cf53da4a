"""Map previews: an action shown privately on the map, and stored until a button confirms it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2s
from typing import Any

from sqlalchemy import Delete, delete, insert, select

from bot.errors import OVER, Stale
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game, Played
from bot.store.queries import fetch_value
from bot.store.tables import PREVIEWS
from rules.core.dice import NoDice
from rules.core.model import Viewer
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.state import Action, State

from .action_batch import ActionBatch
from .rights import require_right_to_act
from .service import Service

TAG_BYTES = 8
"""Length in bytes of a preview's tag."""
GONE = "That was done or left already, or you have looked at something else since. Give the command again."
CHANGED = "What you were shown has changed since, so nothing was done. Give the command again to see it as it is now."

NO_CHANGE = "The table is like that already: nothing would change."


@dataclass(frozen=True)
class Preview:
    """A previewed action, with two views of the state: before and after the action. `viewer` may know both views."""

    game: Game
    action: Action
    viewer: Viewer
    before: State
    after: State

    @classmethod
    def create(cls, game: Game, actor: Actor, action: Action) -> "Preview":
        """Preview an action without dice. Raises NotAllowed, Refused."""
        require_right_to_act(game, actor, action)
        viewer = game.viewer(actor.id)
        view = game.ruleset.view(game.state, viewer)
        return cls(game, action, viewer, view, game.ruleset.try_action(view, action, NoDice()))

    @property
    def can_battle_begin(self) -> bool:
        """Whether the action completes the set-up, and the battle can begin after the action."""
        begin = _make_begin_action(self.game, self.after)
        return begin is not None and self.game.ruleset.allows(self.after, begin)

    @property
    def tag(self) -> str:
        """Tag for the ids of the preview's buttons: a hash of the action and its effect.

        If the game changes and the action would have another effect, the tag differs.
        """
        fields = type(self.before).model_fields
        changed_fields = {name for name in fields if getattr(self.before, name) != getattr(self.after, name)}
        tables = (state.model_dump_json(include=changed_fields) for state in (self.before, self.after))
        parts = (str(self.game.ruleset.version), self.action.kind, self.action.model_dump_json(), *tables)
        return blake2s("\n".join(parts).encode(), digest_size=TAG_BYTES).hexdigest()


class MapPreviews(Service):
    """Service that stores map previews and confirms them."""

    async def store_preview(self, channel: int, actor: Actor, make: Callable[[Game], Action]) -> Preview:
        """Store a preview of the action that `make` returns, in place of the actor's earlier preview.

        The game does not change. Raises NoGame, NotAllowed, Refused, and any error of `make`.
        """
        game = await self._ledger.running_game(channel)
        preview = await asyncio.to_thread(lambda: Preview.create(game, actor, make(game)))
        if preview.after == preview.before:
            raise Refused(NO_CHANGE)
        action = preview.action
        document = {"kind": action.kind, "args": action.model_dump(mode="json", by_alias=True, exclude_none=True)}
        row = {"game": game.id, "user": actor.id, "tag": preview.tag, "action": document}
        await self._ledger.store.writer.execute(_delete_preview(game.id, actor.id), insert(PREVIEWS).values(row))
        return preview

    async def confirm_preview(
        self, channel: int, actor: Actor, game_id: str, tag: str, *, begins: bool = False, interaction: int
    ) -> Sequence[Played]:
        """Perform the action that the actor previewed under `tag`. With `begins`, begin the battle afterwards.

        If the interaction is repeated, return the earlier results. Raises Stale if the preview is gone or the
        action would have another effect, NotAllowed, Refused.
        """
        read = partial(self._load_previewed_action, actor=actor, game_id=game_id, tag=tag)
        work = partial(self._perform_previewed_action, actor=actor, tag=tag, begins=begins, interaction=interaction)
        return await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)

    def _perform_previewed_action(
        self, game: Game, document: Mapping[str, Any], actor: Actor, tag: str, interaction: int, *, begins: bool
    ) -> Sequence[NewEntry]:
        preview = Preview.create(game, actor, game.ruleset.parse(document["kind"], document["args"]))
        if preview.tag != tag:
            raise Stale(CHANGED)
        batch = ActionBatch(self._ledger, game, actor, interaction)
        batch.perform(preview.action)
        if begins and (begin := _make_begin_action(batch.game, batch.game.state)) is not None:
            batch.perform(begin)
        *before, last = batch.entries
        return (*before, last.with_changes(_delete_preview(game.id, actor.id)))

    async def delete_preview(self, actor: Actor, game_id: str, tag: str) -> None:
        """Delete the preview of `actor` under `tag`. Pressing the preview's buttons then raises Stale."""
        await self._ledger.store.writer.execute(_delete_preview(game_id, actor.id).where(PREVIEWS.c.tag == tag))

    async def _load_previewed_action(self, game: Game, actor: Actor, game_id: str, tag: str) -> Mapping[str, Any]:
        """Return the previewed action as kind and arguments. Raises Stale if the preview is no longer stored."""
        if game.id != game_id:
            raise Stale(OVER)
        preview = PREVIEWS.c.game == game.id, PREVIEWS.c.user == actor.id, PREVIEWS.c.tag == tag
        query = select(PREVIEWS.c.action).where(*preview)
        document: Mapping[str, Any] | None = await fetch_value(self._ledger.store, query)
        if document is None:
            raise Stale(GONE)
        return document


def _make_begin_action(game: Game, state: State) -> Action | None:
    """Return the action that begins the battle; None outside the set-up."""
    kind = game.ruleset.kind_meant_now(state, PASS)
    return None if kind == PASS else game.ruleset.parse(kind, {})


def _delete_preview(game: str, user: int) -> Delete:
    """Delete a user's preview in a game."""
    return delete(PREVIEWS).where(PREVIEWS.c.game == game, PREVIEWS.c.user == user)
