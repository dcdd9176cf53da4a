"""Dispatches of a campaign in the chat: possible receivers, and the list of known dispatches."""

from bot.campaigns.campaign_games import require_campaign
from bot.campaigns.dispatch_lines import describe_dispatches
from bot.errors import UserError
from bot.journal.game import Game
from rules.campaign.dispatches import other_command_names
from rules.campaign.model import CampaignState
from rules.campaign.options import Knowledge
from rules.campaign.riders import telegraph_lines_in_words
from rules.core.model import Viewer

from .kit.cards.card import safe
from .kit.lookup import completion
from .kit.request import Interaction, game_of

NO_DISPATCHES = "You know of no dispatch. /campaign dispatch writes one to another command of your power."
SHARED = "Powers share what their commands see (the option knowledge): no dispatches are written."
MOST_SHOWN = 3200
"""Maximum characters of dispatches in one message."""


@completion.safe_completer
async def complete_receivers(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `to` with the other military commands of the user's power."""
    game = await game_of(interaction)
    names = other_command_names(require_campaign(game), require_own_command(game, interaction.user.id)).values()
    return completion.match_values(current, names)


def require_own_command(game: Game, user: int) -> Viewer:
    """Return the military command in which the user has a seat. Raises UserError for the umpire and onlookers."""
    viewer = game.viewer(user)
    if all(side.id != viewer for side in require_campaign(game).sides):
        raise UserError("Only players with a command write dispatches. /game join gives you a free command.")
    return viewer


def dispatches_in_words(state: CampaignState, viewer: Viewer, day: int = 0) -> str:
    """Return a line for each dispatch that the viewer may read, newest first."""
    dispatches = [*describe_dispatches(state, viewer, day)]
    lines: list[str] = []
    for number, dispatch in enumerate(dispatches):
        line = f"- **{safe(dispatch.heading)}**: {safe(dispatch.contents)} *{safe(dispatch.fate)}*"
        if lines and sum(map(len, lines)) + len(line) > MOST_SHOWN:
            lines.append(f"-# {len(dispatches) - number} older ones: choose their day with `day:`.")
            break
        lines.append(line)
    if state.options.knowledge is Knowledge.SHARED:
        return "\n".join(lines) or SHARED
    wires = telegraph_lines_in_words(state)
    return "\n".join([*(lines or [NO_DISPATCHES]), *([f"-# Telegraph: {safe(wires)}."] if wires else [])])
