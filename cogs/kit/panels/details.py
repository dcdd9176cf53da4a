"""*Details*: the full calculation of actions, rule by rule, in the presser's view."""

from collections.abc import Iterable

from bot.errors import UserError
from bot.journal.game import Entry
from cogs.kit import reply
from cogs.kit.cards import pictures, report_card
from cogs.kit.cards.card import Card
from cogs.kit.cards.offer_buttons import DETAILS
from cogs.kit.controls.control import PersistentButton
from cogs.kit.request import Interaction, actor_of, channel_of

MOST_PICTURES = 5
"""Maximum number of entries whose pictures are shown: the last ones of the range."""
LONGEST = 3500
"""Maximum characters in a message; a longer text is a file."""
MOST_PARAGRAPHS = 30
"""Maximum paragraphs in a message: each is a component. A longer report is sent as a file."""


class DetailsButton(PersistentButton, action=DETAILS, fields=("game", "first", "last")):
    """The button that shows the full calculation of journal entries."""

    async def handle(self, interaction: Interaction) -> None:
        """Send the calculation to the user alone. Raises UserError if the user may read none of the entries."""
        first, last = self.fields["first"], self.fields["last"]
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        work = games.readings.load_entry_range(self.fields["game"], first, last, actor, channel=channel)
        game, entries = await reply.wait_for(interaction, work, private=True)
        if not entries:
            raise UserError("There is nothing of this that you may read.")
        card = Card(report_card.side_colour(game.state, entries[-1].report.side))
        calculations = [*entry_paragraphs(entries)]
        fits = sum(map(len, calculations)) <= LONGEST and len(calculations) <= MOST_PARAGRAPHS
        card.paragraphs(calculations if fits else calculations[:1])
        if not fits:
            card.attach(f"details-{game.id}-{first}.md", "\n\n".join(calculations).encode())
        for entry in entries[-MOST_PICTURES:]:
            if (jpeg := await games.events.load_picture(game, entry)) is not None:
                card.picture(pictures.make_event_picture(entry, jpeg))
        await reply.send(interaction, card, private=True)


def entry_paragraphs(entries: Iterable[Entry]) -> Iterable[str]:
    """Yield the paragraphs of each entry's report. The headline of an undone action is marked."""
    for entry in entries:
        headline, *body = report_card.full_paragraphs(entry.report)
        yield f"{headline}\n-# taken back" if entry.undone else headline
        yield from body
        yield report_card.footer_line(entry.report, None)
