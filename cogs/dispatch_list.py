"""Dispatches of a campaign in the chat: possible receivers, and the list of known dispatches."""

from bot.campaigns.fights import campaign_of
from bot.errors import UserError
from bot.journal.game import Game
from rules.campaign.dispatches import fellows_of
from rules.campaign.ground import board_of
from rules.campaign.knowledge import view
from rules.campaign.model import CampaignState, Dispatch
from rules.campaign.options import Knowledge
from rules.campaign.riders import contents_in_words, telegraphs_in_words
from rules.core.model import Viewer

from .kit.cards.card import safe
from .kit.lookup import completion
from .kit.request import Interaction, game_of

NO_COMMAND = "Only players with a command write dispatches. /game join gives you a free command."
NO_DISPATCHES = "You know of no dispatch. /campaign dispatch writes one to another command of your power."
SHARED = "Powers share what their commands see (the option knowledge): no dispatches are written."
MOST_SHOWN = 3200
"""Characters of dispatches in one message."""


@completion.never_fails
async def complete_receivers(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `to` with the other commands of the user's power."""
    game = await game_of(interaction)
    names = fellows_of(campaign_of(game), command_of(game, interaction.user.id)).values()
    return completion.match_choices(current, ((name, name) for name in names))


def command_of(game: Game, user: int) -> Viewer:
    """Return the command in which a user sits. Raises UserError for the umpire and onlookers."""
    viewer = game.viewer(user)
    if all(side.id != viewer for side in campaign_of(game).sides):
        raise UserError(NO_COMMAND)
    return viewer


def dispatches_in_words(state: CampaignState, viewer: Viewer, day: int = 0) -> str:
    """Return a line for each dispatch that the viewer knows, newest first; all of them for the umpire or at the end."""
    known = view(state, viewer).dispatches
    order = sorted((one for one in known if day in (0, one.day)), key=lambda one: -one.day)
    lines: list[str] = []
    for number, one in enumerate(order):
        line = (
            f"- {_heading(state, one, viewer)}: {safe(contents_in_words(board_of(state), one))} *{_fate(state, one)}*"
        )
        if lines and sum(map(len, lines)) + len(line) > MOST_SHOWN:
            lines.append(f"-# {len(order) - number} older ones: choose their day with `day:`.")
            break
        lines.append(line)
    if state.options.knowledge is Knowledge.SHARED:
        return "\n".join(lines) or SHARED
    wires = telegraphs_in_words(state)
    return "\n".join([*(lines or [NO_DISPATCHES]), *([f"-# Telegraph: {safe(wires)}."] if wires else [])])


def _heading(state: CampaignState, dispatch: Dispatch, viewer: Viewer) -> str:
    sender, to = (safe(f"{state.side(one):the}") for one in (dispatch.sender, dispatch.to))
    names = {dispatch.sender: f"to {to}", dispatch.to: f"from {sender}"}
    return f"**Day {dispatch.day}, {names.get(viewer, f'from {sender} to {to}')}**"


def _fate(state: CampaignState, dispatch: Dispatch) -> str:
    """Return what is known of a dispatch's fate in the view from which it was taken."""
    if dispatch.caught_by:
        return f"caught by {safe(f'{state.side(dispatch.caught_by):the}')}"
    if dispatch.rider is not None:  # known to the umpire alone, and at the end to everyone
        return f"on its way, in {' or '.join(hex_.label for hex_ in dispatch.rider.at)}"
    return f"arrived on day {dispatch.arrived}" if dispatch.arrived else "no word that it arrived"
