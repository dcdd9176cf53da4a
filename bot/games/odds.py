"""Odds and sketch of an action, computed from what one viewer may see."""

from dataclasses import dataclass
from typing import Any

from bot.journal.game import Actor, Game
from rules.core.model import UMPIRE, Cite, Viewer
from rules.core.odds import Odds
from rules.core.play import Sketch
from rules.core.refusal import Refused
from rules.core.refusal_with_map import RefusedInSight
from rules.core.report import Step
from rules.core.scene import Sight
from rules.core.state import Action

from .rights import require_side

AS_FAR_AS_KNOWN = Step(text="Secret umpire modifiers not included", cite=Cite(rule="/odds"))


@dataclass(frozen=True)
class Foreseen:
    """Odds of an action with dice, and a sketch of the table after a unit's action.

    Where it is not yet its time, `sight` may show who would do what to whom.
    """

    odds: Odds | None
    sketch: Sketch[Any] | None
    sight: Sight | None = None


def foresee(game: Game, actor: Actor, action: Action) -> Foreseen:
    """Return an action's odds, its sketch, or both.

    Raises NotAllowed if the action is the umpire's alone, Refused if it has neither odds nor a sketch.
    """
    if game.ruleset.side_of(game.state, action) == UMPIRE:
        require_side(game, actor, UMPIRE)
    viewer = game.viewer(actor.id)
    odds = _odds(game, viewer, action) if action.kind in game.ruleset.askable else None
    try:
        return Foreseen(odds, game.ruleset.sketch(game.state, viewer, action))
    except Refused as why:
        if odds is None:
            raise
        return Foreseen(odds, None, why.sight() if isinstance(why, RefusedInSight) else None)


def _odds(game: Game, viewer: Viewer, action: Action) -> Odds:
    if viewer == UMPIRE:
        return game.ruleset.odds(game.state, action)
    found = game.ruleset.odds(game.ruleset.view(game.state, viewer), action).seen_by(viewer)
    if found is None:
        raise Refused("These chances would tell what is secret. Who may know of it may ask for them.")
    return found.model_copy(update={"steps": (*found.steps, AS_FAR_AS_KNOWN)}) if game.ruleset.secrets else found
