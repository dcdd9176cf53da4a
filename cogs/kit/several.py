"""Several actions of one press as one message: a line each, what they brought up, and one map of all of it."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from bot.games import Game, Played
from bot.playing import Several
from rules.core.model import PUBLIC, Viewer
from rules.core.report import Report

from . import acting, answer, errors, going_on, presenter
from .card import Card, Picture, safe
from .interaction import Interaction
from .offers import offer_button, prompt_buttons


@dataclass(frozen=True)
class Told:
    """What one viewer may read of a series of actions: each with its report."""

    game: Game
    done: Sequence[tuple[Played, Report]]

    @classmethod
    def by(cls, viewer: Viewer, played: Sequence[Played]) -> "Told":
        """Those that the viewer may read at all."""
        read = ((one, one.entry.report.seen_by(viewer)) for one in played)
        return cls(played[-1].game, [(one, report) for one, report in read if report is not None])

    def card(self, picture: Picture | None = None) -> Card:
        """A headline, a line an action, the map, and what came up and is still open with its buttons."""
        game, reports = self.game, [report for _, report in self.done]
        card = Card(presenter.side_colour(game.state, reports[0].side)).text(f"### {self._headline}")
        card.text("\n".join(f"**{number}** {line_of(report)}" for number, report in enumerate(reports, 1)))
        last, report = self.done[-1]
        if game.state.over is not None or not game.ruleset.actions[last.entry.kind].by_unit:
            card.text(f"**{safe(report.outcome)}**" if report.outcome else "")
        card.text(presenter.warning_lines(dict.fromkeys(one for report in reports for one in report.warnings)))
        card.picture(picture)
        came_up = {prompt.key for report in reports for prompt in report.prompts}
        prompts = [prompt for prompt in game.ruleset.prompts(game.state) if prompt.key in came_up]
        presenter.add_prompts(card, [(presenter.prompt_line(one), prompt_buttons(game.id, one)) for one in prompts])
        told = {offer.key for prompt in prompts for offer in prompt.offers}
        offers = enumerate(report.offers, sum(len(prompt.offers) for prompt in report.prompts))
        card.buttons(
            [offer_button(game.id, last.entry.seq, index, offer) for index, offer in offers if offer.key not in told]
        )
        whole = reports[-1].model_copy(update={"steps": tuple(step for report in reports for step in report.steps)})
        return card.text(presenter.footer(whole, game.state))

    @property
    def _headline(self) -> str:
        sides = {side.id: side.name for side in self.game.state.sides}
        whose = dict.fromkeys(sides[report.side] for _, report in self.done if report.side in sides)
        orders = "order" if len(self.done) == 1 else "orders"
        return safe(f"{' and '.join(whose) or self.game.umpire.name}: {len(self.done)} {orders}")


def line_of(report: Report) -> str:
    """`Amarar move 7". · 2D6 [3][2]`: what an action came to, and its throws."""
    thrown = " ".join(map(str, report.throws))
    return safe(report.headline) + (f" · {safe(thrown)}" if thrown else "")


async def perform(interaction: Interaction, work: Awaitable[Several]) -> None:
    """Waits for the work, which does several actions, and shows them. Raises as the first of them does."""
    games = interaction.client.games
    await show(interaction, await answer.in_time(interaction, acting.once_all(interaction, work, games.all_done, show)))


async def show(interaction: Interaction, several: Several) -> None:
    """Shows what was done: one alone as ever; and to the user alone why there was no more."""
    if len(several.played) == 1:
        await acting.show(interaction, several.played[0])
    else:
        await _show_all(interaction, several.played)
    if several.refused is not None:
        await answer.send(interaction, await errors.card_of(interaction, several.refused), private=True)


async def _show_all(interaction: Interaction, played: Sequence[Played]) -> None:
    answer.mark_done(interaction)
    told = await asyncio.to_thread(Told.by, PUBLIC, played)
    open_ones = [one for one, _ in told.done]
    if open_ones:
        message = await answer.send(interaction, await asyncio.to_thread(told.card))
        for_all = None if message is None else (message, told.card)
        await acting.illustrate(interaction, for_all, *open_ones)
    for one in played:
        telling = await asyncio.to_thread(acting.Telling.of, one, interaction.user.id)
        alone = telling.card if telling.private else telling.own
        if alone is not None:
            await answer.send(interaction, alone, private=True)
    going_on.start(interaction, played[-1])
