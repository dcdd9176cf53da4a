"""Explain a decision of the bot on a private card: the candidates in words and on a map, and the umpire's menu."""

from collections.abc import Iterable, Sequence
from typing import Any

from discord import app_commands

from bot.errors import OVER, Stale
from bot.jobs.explanation import Explanation
from bot.journal.game import Game
from bot.opponent.explain import BotDecision
from cogs.kit import action_reply, game_actions, reply
from cogs.kit.cards import pictures, report_card
from cogs.kit.cards.card import Card, Picture, safe, shorten
from cogs.kit.cards.menu import make_menu, make_option
from cogs.kit.controls.control import PersistentMenu
from cogs.kit.lookup import completion
from cogs.kit.request import Interaction, actor_of, channel_of
from rules.core.automaton.reasons import CandidateReason

KIND, WHY = "instead", "why"
MEANING = {
    "what comes next": "*What comes next*: the best that the unit could do after it.",
    "the answer": "*The answer*: the enemy's best reply to it.",
}
"""Explanations of terms in a candidate's score, by term."""
NOT_NOW = "Others have acted since, so it can no longer be overruled here; `/game undo` first takes that back."


async def show_explanation(interaction: Interaction, number: str | None) -> None:
    """Explain the bot's last decision, or the decision of entry `number`, privately to the user.

    Raises NotAllowed if the user may not see the bot's side, and UserError.
    """
    await reply.send_privately_when_ready(interaction, explanation_card(interaction, number))


async def explanation_card(interaction: Interaction, number: str | None) -> Card:
    """Return the card of a decision, with the umpire's menu of other candidates, and the menu of other decisions."""
    client = interaction.client
    game = await client.games.running_or_last_game(channel_of(interaction))
    viewer = game.viewer(interaction.user.id)
    name = f"{viewer}-{number}" if number is not None and number.startswith("h") else number
    decision, explanation = await client.games.bot_reasons.explain_decision(game, actor_of(interaction), name)
    picture = None
    if explanation.scene is not None:
        picture = await pictures.draw_if_possible(pictures.draw_decision(client.workers, explanation.scene), game)
    card = decision_card(game, decision, explanation, picture)
    if game.is_umpire(interaction.user.id) and not decision.after and not decision.entry.undone and not game.ended:
        card.text(NOT_NOW)
    if explanation.alternatives:
        options = [make_option(alternative.label, alternative.key) for alternative in explanation.alternatives]
        back = len(decision.after) - 1
        title = f"Overrule it, and {back} after it …" if back else "Overrule this decision …"
        card.menu(make_menu(title, options, KIND, game.id, decision.entry.name, game.progress_for(viewer)))
    if len(decisions := await load_recent_decisions(interaction, game)) > 1:
        options = [make_option(words, name) for name, words in decisions]
        card.menu(make_menu("Why another of its decisions …", options, WHY, game.id))
    return card


async def load_recent_decisions(interaction: Interaction, game: Game) -> Sequence[tuple[str, str]]:
    """Return entry name and label of the bot's last decisions that the user may see, newest first."""
    decisions = await interaction.client.games.bot_reasons.list_decisions(game, actor_of(interaction))
    viewer = game.viewer(interaction.user.id)
    pairs = ((entry, entry.report.view_for(viewer)) for entry in decisions)
    return [
        (entry.name, f"{entry.shown_number} · {report.headline if report else 'in secret'}") for entry, report in pairs
    ]


def decision_card(game: Game, decision: BotDecision, explanation: Explanation, picture: Picture | None) -> Card:
    """Return the card of a decision, with its action, the numbered candidates, and the meaning of the scores."""
    thinking, entry = decision.thinking, decision.entry
    side = thinking.side
    card = Card(report_card.side_colour(game.state, side)).text(f"### Why {safe(game.the_side(side))} decided so")
    card.text("\n".join((f"**{safe(explanation.label)}**", *_decision_notes(decision, explanation))))
    card.picture(picture)
    card.text("\n".join(candidate_line(place, reason) for place, reason in enumerate(explanation.best, 1)))
    words = [meaning for word, meaning in MEANING.items() if any(word in reason.of for reason in explanation.best)]
    card.text(" ".join((f"-# Score for {safe(game.the_side(side))}: + good, - bad.", *words)))
    return card.text(f"-# Number {entry.shown_number} of `/game log` · the bot ({thinking.level})")


def candidate_line(number: int, reason: CandidateReason) -> str:
    """Return `**1** Nord fires at Mud · **+1.4**`, and the score's terms below: `medals +2.1, the answer -0.7`."""
    sums = f"\n-# {safe(reason.of)}" if reason.of else ""
    return f"**{number}** {safe(reason.label)} · **{reason.comes_to}**{sums}"


def _decision_notes(decision: BotDecision, explanation: Explanation) -> Iterable[str]:
    """Yield notes if the decision was undone or overruled, or was not the bot's best candidate."""
    if decision.entry.undone:
        yield "It was taken back since."
    if decision.thinking.overruled:
        thought = "; this is what it thought best itself" if explanation.done == 0 else ", which thought number 1 best"
        yield f"{safe(decision.entry.actor.name)} overruled the bot{thought if explanation.best else ''}."
    elif explanation.done is None:
        yield (
            "It did none of these. Either they could not be done after all, or it had decided enough for one turn, or "
            "it has learned to play otherwise since."
        )
    elif explanation.done:
        yield f"What it thought best could not be done after all, so it did number {explanation.done + 1}."


@completion.safe_completer
async def complete_decision_numbers(interaction: Interaction, current: str) -> list[app_commands.Choice[Any]]:
    """Complete the number of a decision with the bot's last decisions that the user may see, newest first."""
    game = await interaction.client.games.running_or_last_game(channel_of(interaction))
    text = str(current).casefold()
    return [
        app_commands.Choice(name=shorten(words, completion.MOST_LETTERS), value=name)
        for name, words in await load_recent_decisions(interaction, game)
        if text in words.casefold()
    ]


class AlternativesMenu(PersistentMenu, action=KIND, fields=("game", "seq", "stands")):
    """The menu of alternatives to a decision of the bot. The chosen action replaces the decision."""

    async def handle(self, interaction: Interaction) -> None:
        """Undo the decision and do the chosen action. Raises NotAllowed, Refused, Stale if the game has moved on."""
        channel, (key, *_) = channel_of(interaction), self.values
        work = interaction.client.games.bot_reasons.overrule_decision(
            channel,
            actor_of(interaction),
            self.fields["seq"],
            game_id=self.fields["game"],
            progress=self.fields["stands"],
            key=key,
            interaction=interaction.id,
        )
        played = await game_actions.await_action(interaction, work, sheets_follow=False)
        await action_reply.show_actions(interaction, *played)


class DecisionsMenu(PersistentMenu, action=WHY, fields=("game",)):
    """The menu of decisions to explain."""

    async def handle(self, interaction: Interaction) -> None:
        """Explain the chosen decision privately. Raises NotAllowed, UserError, and Stale if another game runs now."""
        game = await interaction.client.games.running_or_last_game(channel_of(interaction))
        if game.id != self.fields["game"]:
            raise Stale(OVER)
        await show_explanation(interaction, self.values[0])
