"""Whose turn it is, in one message: who is called, what happened, where they stand, and the next step."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.calling import Call, begun
from bot.detail import FULL
from bot.errors import DatabaseAway
from bot.games import Game, Played
from rules.core.model import PUBLIC

from . import answer, newest, pictures, presenter, untold
from .card import Card, Picture, safe
from .interaction import Interaction
from .next_step import NextStep
from .offers import details_button
from .told import Told

log = logging.getLogger(__name__)

YOUR_TURN = "it is your turn."
WAITS_FOR_YOU = "the game waits for you."
NOBODY = Call()
"""Where nobody begins to be waited for."""


@dataclass(frozen=True)
class TurnMessage:
    """The message of a turn that begins."""

    game: Game
    call: Call
    turns: bool
    step: NextStep
    answers: Played | None = None
    """What was done to go on, where the message is the answer to it."""

    @classmethod
    def of(cls, call: Call, *played: Played, answers: bool) -> "TurnMessage":
        """That after these actions, `answers` where it is the answer to them. Not for the event loop."""
        last = played[-1]
        fresh = [prompt.key for one in played for prompt in one.entry.report.prompts]
        return cls(last.game, call, is_new(*played), NextStep.of(last.game, fresh), last if answers else None)

    def card(self, picture: Picture | None = None) -> Card:
        """Headline, who is called, what happened, the map, strengths, and the next step."""
        state = self.game.state
        card = Card(presenter.turn_colour(state)).text(f"### {safe(headline(self.game))}")
        card.mention(self.call.users, YOUR_TURN if self.turns else WAITS_FOR_YOU)
        card.text("\n".join(since(self.call)))
        card.text(time_left(self.call))
        for paragraph in told(self.answers) if self.answers is not None else ():
            card.text(paragraph)
        card.picture(picture).text("\n".join(strengths(self.game)))
        presenter.add_all_prompts(card, self.game, self.step.prompts)
        if self.answers is not None:
            sign(card, self.answers)
        return self.step.row(card)


def headline(game: Game) -> str:
    """`Turn 3 of 12, British`."""
    return game.state.turn_of_all


def told(played: Played) -> Iterable[str]:
    """What happened as the turn went on: its report, and of the headline what is not said already."""
    report, game = played.entry.report.seen_by(PUBLIC), played.game
    if report is None:
        return
    if more := report.headline.replace(game.state.turn_title, "").strip(" .;,"):
        yield f"**{safe(more)}**"
    if game.detail == FULL:
        yield from presenter.body(report)
    else:
        yield from presenter.at_a_glance(report, presenter.stood(played, report))


def sign(card: Card, played: Played) -> None:
    """The numbers of the throws made as the turn went on, and *Details* of it."""
    report, game = played.entry.report.seen_by(PUBLIC), played.game
    if report is None:
        return
    if game.detail == FULL:
        card.text(presenter.footer(report, None))
    else:
        signs = presenter.legend_of(report)
        details = details_button(game.id, played.entry.seq) if report.steps else None
        card.signed(presenter.footer(report, None, signs), details)


def since(call: Call) -> list[str]:
    """What happened since they were last waited for, the newest last."""
    more = [f"-# … and {call.besides} more: `/game since`"] if call.besides else []
    return [*(f"▸ {safe(line)}" for line in call.since), *more]


def time_left(call: Call) -> str:
    """Until when they have time, where there is a clock."""
    return f"-# Time {presenter.until(call.ends)}" if call.ends is not None else ""


def strengths(game: Game) -> list[str]:
    """A line a side, and how the game stands; as everyone may know it."""
    told = game.ruleset.strengths(game.state, PUBLIC)
    lines = [f"-# **{safe(side.name)}**: {safe(told[side.id])}" for side in game.state.sides if side.id in told]
    tally = game.ruleset.tally(game.state)
    return [*lines, f"-# {safe(tally)}"] if tally else lines


async def called(interaction: Interaction, *played: Played) -> Call:
    """Who is called after these actions; nobody where that cannot be found out, for the answer stands without it."""
    try:
        return await interaction.client.games.call(*played)
    except DatabaseAway:
        log.info("nobody is called in channel %s: the database does not tell whom", played[-1].game.channel)
    except Exception:
        log.exception("nobody is called in channel %s", played[-1].game.channel)
    return NOBODY


def is_new(*played: Played) -> bool:
    """Whether a turn, or a phase of one, has begun with these actions, and the game goes on."""
    before, after = played[0].before, played[-1].game.state
    turned = (before.turn, before.phase, before.active) != (after.turn, after.phase, after.active)
    return turned and after.over is None


def answers(*played: Played) -> bool:
    """Whether the turn message is the answer itself: all that was done was to go on to it, and its report says so."""
    entry = played[-1].entry
    goes_on = entry.acts and not played[-1].game.ruleset.actions[entry.kind].by_unit
    said = played[-1].game.state.turn_title in entry.report.headline
    return len(played) == 1 and goes_on and said and is_new(*played)


def follows(*played: Played) -> bool:
    """Whether a turn message of its own follows the answer to these actions."""
    state = played[-1].game.state
    waits = played[-1].game.ruleset.next_by_itself(state) is None
    return is_new(*played) and waits and not answers(*played)


def for_everyone(call: Call, *played: Played) -> Callable[[Picture | None], Card]:
    """The public answer to an action, to be made with or without its picture: the turn message where a turn begins.

    Else its report, the call, and the next step; these two are left out where a turn message follows.
    """
    if answers(*played):
        return TurnMessage.of(call, *played, answers=True).card
    all_told, game = Told.by(PUBLIC, played), played[-1].game
    fresh = [prompt.key for _, report in all_told.done for prompt in report.prompts]
    step = NextStep(game) if follows(*played) else NextStep.of(game, fresh)
    users = () if follows(*played) else call.users

    def card(picture: Picture | None) -> Card:
        if len(played) > 1:
            shown = all_told.card(picture, step.prompts, turn_follows=follows(*played))
        else:
            ((one, report),) = all_told.done
            shown = presenter.told_card(one, report, picture, waiting=step.prompts)
        return step.row(shown.mention(users, WAITS_FOR_YOU).text(time_left(call) if users else ""))

    return card


async def with_step(interaction: Interaction, card: Card, game: Game, call: Call = NOBODY) -> None:
    """Answers everyone with that card, the call of who is waited for, and the game's next step under it."""
    step = await asyncio.to_thread(NextStep.of, game)
    message = await answer.send(interaction, step.under(card.mention(call.users, WAITS_FOR_YOU)))
    newest.stands(interaction.client, game.id, game.channel, message)


async def post(interaction: Interaction, *played: Played) -> None:
    """Posts the turn message that follows these actions, where one does: a new message, which may mention."""
    game = played[-1].game
    private = played[-1].entry.report.audience is not None
    if not follows(*played) and not (private and begun(*played)):
        return
    call = await called(interaction, *played)
    turn = await asyncio.to_thread(lambda: TurnMessage.of(call, *played, answers=False))
    picture = await pictures.if_drawn(drawn(interaction, *played), game)
    message = await untold.post(interaction, turn.card(picture), f"{game.id}-{played[-1].entry.seq} t")
    newest.stands(interaction.client, game.id, game.channel, message)


async def drawn(interaction: Interaction, *played: Played) -> Picture:
    """The map framed on those who begin to be waited for, or else on those who act, with all since they last were."""
    game, bot = played[-1].game, interaction.client
    sides = {side.id for side in game.state.sides} & {*begun(*played)} or {*game.state.acting}
    return await pictures.turned(bot.workers, game, sides, await bot.games.lately(sides, *played))
