"""The game over again, as moving pictures of the table."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from bot.errors import UserError
from bot.games import Game
from cogs.kit import answer, pictures, presenter
from cogs.kit.card import Card, Picture, safe
from cogs.kit.interaction import Interaction, channel_of
from render.replay import draw_replay
from rules.core.hex_scene import Scene
from rules.core.model import PUBLIC
from rules.core.state import State

T = TypeVar("T")

MOST_FRAMES = 60
LARGEST_FILE = 10 * 1000 * 1000
"""Bytes of a file in a message; Discord's limit is 10 MiB, the message around it included."""
NOTHING = "There is nothing to show again yet. Play a turn first."


async def replay(interaction: Interaction, turns: int | None) -> None:
    """Shows everyone the game's last turns, or all of it, as everyone may see it. Raises NoGame, UserError."""
    games, channel = interaction.client.games, channel_of(interaction)
    game = await games.latest(channel)
    await answer.think(interaction)
    states = [state for _, state in await games.film(channel, PUBLIC)]
    scenes = await asyncio.to_thread(scenes_of, game, last_turns(states, turns))
    if len(scenes) < 2:
        raise UserError(NOTHING)
    data = await smallest(scenes)
    picture = Picture(name="replay.gif", data=data, alt=f"From “{scenes[0].alt}” to “{scenes[-1].alt}”")
    card = Card(presenter.turn_colour(game.state))
    card.text(f"**{safe(game.name)}**, {safe(states[-1].turn_title)}").picture(picture)
    await answer.send(interaction, card)


def last_turns(states: Sequence[State], turns: int | None) -> Sequence[State]:
    """The states of the last so many turns, with the one they began from; without a number all."""
    if turns is None or not states:
        return states
    first = next(at for at, state in enumerate(states) if state.turn > states[-1].turn - turns)
    return states[max(first - 1, 0) :]


def scenes_of(game: Game, states: Sequence[State]) -> list[Scene]:
    """The table as everyone saw it each time that it had changed, with arrows for what moved; not too many."""
    shown: list[tuple[State, Scene]] = []
    for state in states:
        scene = game.ruleset.scene(state, PUBLIC)
        if not shown or scene != shown[-1][1]:
            shown.append((state, scene))
    kept = spread(shown, MOST_FRAMES)
    moved = (game.ruleset.scene(now, PUBLIC, before) for (before, _), (now, _) in pairwise(kept))
    return [*(scene for _, scene in kept[:1]), *moved]


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of the items, the first and the last among them, evenly apart."""
    if len(items) <= most:
        return items
    return [items[round(n * (len(items) - 1) / (most - 1))] for n in range(most)]


async def smallest(scenes: Sequence[Scene]) -> bytes:
    """The film, with fewer frames where all of them make too large a file."""
    data = await pictures.drawn(draw_replay, scenes)
    while len(data) > LARGEST_FILE and len(scenes) > 2:
        scenes = spread(scenes, max(len(scenes) * LARGEST_FILE // len(data), 2))
        data = await pictures.drawn(draw_replay, scenes)
    return data
