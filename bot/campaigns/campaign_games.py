"""Find out whether a game is a campaign."""

from bot.errors import UserError
from bot.journal.game import Game
from rules.campaign.model import CampaignState

NO_CAMPAIGN = "This game is no campaign. /game new starts one, with a campaign's scenario."


def require_campaign(game: Game) -> CampaignState:
    """Return the campaign state of a game. Raises UserError for a game that is no campaign."""
    if not isinstance(game.state, CampaignState):
        raise UserError(NO_CAMPAIGN)
    return game.state
