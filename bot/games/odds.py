"""Compute the odds and the sketch of an action from one viewer's view."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bot.journal.game import Actor, Game
from rules.core.model import PUBLIC, UMPIRE, Cite, Viewer
from rules.core.odds import Odds
from rules.core.orders import MY_TURN
from rules.core.own_turn import phases_of_own_turn
from rules.core.play import Sketch
from rules.core.refusal import Refused
from rules.core.refusal_with_map import RefusedWithSightLines
from rules.core.report import Step
from rules.core.scene import SightLines
from rules.core.state import Action

from .rights import require_may_act_for

AS_FAR_AS_KNOWN = Step(text="Secret umpire modifiers not included", cite=Cite(rule="/odds"))


@dataclass(frozen=True)
class Forecast:
    """The odds and the sketch of an action, each None if the rules make none.

    If lines of sight prevent the action, `sight` shows them. If a later phase allows the action, `later` is the
    name of this phase, or MY_TURN in a system without phases.
    """

    odds: Odds | None
    sketch: Sketch[Any] | None
    sight: SightLines | None = None
    later: str = ""


def make_forecast(game: Game, actor: Actor, action: Action) -> Forecast:
    """Return the odds and the sketch of an action, from the actor's view.

    If the action is refused now, use the first later phase of the side's turn that allows it. Raises NotAllowed,
    and Refused for an action without odds and sketch.
    """
    if game.ruleset.side_of(game.state, action) == UMPIRE:
        require_may_act_for(game, actor, UMPIRE)
    viewer = game.viewer(actor.id)
    try:
        return _forecast_in_state(game, viewer, action)
    except Refused:
        if viewer in (PUBLIC, UMPIRE):
            raise
        for phase, state in phases_of_own_turn(game.ruleset, game.ruleset.view(game.state, viewer), viewer).items():
            with suppress(Refused):
                return replace(_forecast_in_state(replace(game, state=state), viewer, action), later=phase or MY_TURN)
        raise


def _forecast_in_state(game: Game, viewer: Viewer, action: Action) -> Forecast:
    """Return the forecast of an action on the game's state. Raises Refused."""
    odds = _compute_odds(game, viewer, action) if action.kind in game.ruleset.kinds_with_odds else None
    try:
        return Forecast(odds, game.ruleset.sketch(game.state, viewer, action))
    except Refused as why:
        if odds is None:
            raise
        return Forecast(odds, None, why.sight() if isinstance(why, RefusedWithSightLines) else None)


def _compute_odds(game: Game, viewer: Viewer, action: Action) -> Odds:
    if viewer == UMPIRE:
        return game.ruleset.odds(game.state, action)
    odds = game.ruleset.odds(game.ruleset.view(game.state, viewer), action).view_for(viewer)
    if odds is None:
        raise Refused("These chances would tell what is secret. Who may know of it may ask for them.")
    return odds.model_copy(update={"steps": (*odds.steps, AS_FAR_AS_KNOWN)}) if game.ruleset.secret_fields else odds
