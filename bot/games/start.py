"""Start a game: seal the dice, set up the first state, and seat the first players."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bot.errors import GameRunning, UserError
from bot.jobs import scenario as jobs
from bot.journal.game import Actor, Played, open_sides
from bot.journal.seats import Seat
from rules.core import naming
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused, Ruleset
from rules.core.sealed_dice import SealedDice, SealedThrow
from rules.core.state import Side, State

from .new_game import clean_game_name, make_first_seed_rows, make_game_id, require_free_channel, store_new_game
from .service import InspectionService


def find_playable_side(ruleset: Ruleset[Any], state: State, words: str) -> Side:
    """Return the side with the typed id or name. Raises Refused, or UserError for a side that the rules play."""
    choices = open_sides(ruleset, state)
    names_by_id = {side.id: side.name for side in state.sides}
    side = state.side(naming.resolve_name(words, names_by_id, "There is no side {} here."))
    if side not in choices:
        names = " or ".join(f"{choice:the}" for choice in choices)
        raise UserError(f"The bot plays {side:the} by the printed card. Choose {names}.")
    return side


class GameStarter(InspectionService):
    """Service that starts games."""

    async def start(
        self,
        channel: int,
        guild: int | None,
        actor: Actor,
        ruleset: str,
        scenario: str,
        side: str | None = None,
        name: str | None = None,
        *,
        choices: Mapping[str, str] | None = None,
        title: str | None = None,
        document: bytes | None = None,
        seats: Sequence[Seat] = (),
        interaction: int = 0,
    ) -> Played:
        """Start a game in the channel with `actor` as umpire, and on `side` if it is given.

        `title` and `document` belong to an uploaded scenario, and `seats` come from an earlier game. If the
        interaction is repeated, return the entry stored before. Raises GameRunning, Refused, UserError.
        """
        system = self._ledger.rulesets.get(ruleset)
        if system is None:
            systems = ", ".join(f"{system.title} ({system.id})" for system in self._ledger.rulesets.values())
            raise Refused(f"There is no rule system “{ruleset[:40]}”. There are: {systems}.")
        async with self._ledger.lock(channel):
            if played := await self._ledger.find_played_action(channel, interaction):
                return played
            try:
                await require_free_channel(self._ledger, channel)
                game = make_game_id()
                seeds = make_first_seed_rows(game)
                dice = SealedDice(seeds[1]["seed"], game, interaction, 1, secret_of=UMPIRE)
                state, throws = await self._make_first_state(system, actor, scenario, document, choices or {}, dice)
                own = _find_umpire_side(system, state, side)
                is_seated = actor.id in {seat.user for seat in seats}
                umpire_seats = [Seat(actor.id, actor.name, own)] if own and not is_seated else []
                of_scenario = title or system.scenarios[scenario].title
                return await store_new_game(
                    self._ledger,
                    actor,
                    interaction,
                    game=game,
                    channel=channel,
                    guild=guild,
                    name=clean_game_name(name or "") or clean_game_name(of_scenario),
                    title=of_scenario,
                    ruleset=system,
                    umpire=actor,
                    state=state,
                    action={"rules": ruleset, "scenario": scenario, "choices": dict(choices or {})},
                    seeds=seeds,
                    seats=[*seats, *umpire_seats],
                    last_sides={str(actor.id): own} if own else {},
                    throws=throws,
                )
            except GameRunning:  # another process may just have started the game for the same interaction
                if played := await self._ledger.find_played_action(channel, interaction):
                    return played
                raise

    async def _make_first_state(
        self,
        ruleset: Ruleset[Any],
        actor: Actor,
        scenario: str,
        document: bytes | None,
        choices: Mapping[str, str],
        dice: SealedDice,
    ) -> tuple[State, tuple[SealedThrow, ...]]:
        """Return the first state, and the throws of the set-up. Raises Refused.

        A member's uploaded scenario is set up in an inspection process.
        """
        if document is not None:
            async with self._inspections.reserve_worker_for_member(actor.id) as run:
                return await run(jobs.set_up_scenario_file, ruleset, scenario, document, dict(choices), dice)
        state: State = await asyncio.to_thread(ruleset.setup, scenario, choices, dice)
        return state, dice.thrown


def _find_umpire_side(ruleset: Ruleset[Any], state: State, side: str | None) -> str | None:
    """Return the id of the side on which to seat the umpire, or None for no seat.

    In a system that plays a side itself, the default is the first side open to players.
    """
    if side:
        return find_playable_side(ruleset, state, side).id
    return None if ruleset.played_by_bot is None else open_sides(ruleset, state)[0].id
