"""Odds as one viewer may know them: worked out from what that viewer may see, so that they give nothing else away."""

from rules.core.model import UMPIRE, Cite
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.state import Action

from .game import Actor, Game
from .rights import require_side

AS_FAR_AS_KNOWN = Step(text="As far as you know: what only the umpire knows is not counted", cite=Cite(rule="/odds"))


def odds(game: Game, actor: Actor, action: Action) -> Odds:
    """The chances. Only the umpire may ask about what only the umpire may say. Raises NotAllowed, Refused."""
    viewer = game.viewer(actor.id)
    if game.ruleset.side_of(game.state, action) == UMPIRE:
        require_side(game, actor, UMPIRE)
    if viewer == UMPIRE:
        return game.ruleset.odds(game.state, action)
    found = game.ruleset.odds(game.ruleset.view(game.state, viewer), action)
    return found.model_copy(update={"steps": (*found.steps, AS_FAR_AS_KNOWN)}) if game.ruleset.secrets else found
