"""Check the rights of users. Every refusal names the users who may do the action."""

from collections.abc import Container

from bot.errors import NotAllowed
from bot.journal.game import Actor, Game
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.report import Prompt
from rules.core.state import Action

CHANNEL_TOO = ", or a member who may manage this channel"


def require_umpire(game: Game, actor: Actor, action: str, others: str = "") -> None:
    """Raise NotAllowed unless `actor` is the umpire.

    The message is "Only the umpire, NAME`others`, may `action`."
    """
    if not game.is_umpire(actor.id):
        raise NotAllowed(f"Only the umpire, {game.umpire.name}{others}, may {action}.")


def require_participant(game: Game, actor: Actor, refusal: str) -> None:
    """Raise NotAllowed with the text `refusal` if the actor is an onlooker."""
    if not game.is_umpire(actor.id) and game.viewer(actor.id) == PUBLIC:
        raise NotAllowed(refusal)


def can_act_for(game: Game, viewer: Viewer, side: Viewer) -> bool:
    """Whether `viewer` may act for `side`: as umpire, as its player, or as its representative.

    Every player may act for a side played by the rules.
    """
    is_played_by_rules = side == game.ruleset.played_by_bot and viewer != PUBLIC
    return viewer == UMPIRE or side in game.state.sides_represented_by(viewer) or is_played_by_rules


def require_may_act_for(game: Game, actor: Actor, side: Viewer) -> None:
    """Raise NotAllowed unless `actor` is the umpire or may act for `side` (see `can_act_for`)."""
    viewer = game.viewer(actor.id)
    if game.is_umpire(actor.id) or can_act_for(game, viewer, side):
        return
    if side == UMPIRE:
        require_umpire(game, actor, "do that")
    name = game.the_side(side)
    if side == game.ruleset.played_by_bot:
        could = f"The bot plays {name}. Those who play against it, or {game.umpire.name}, tell it to go on."
    elif players := game.players(side):
        names = " or ".join(seat.name for seat in players)
        could = f"This is for {names} ({game.name_of(side)}) or the umpire, {game.umpire.name}."
    elif viewer == PUBLIC:
        could = f"Nobody plays {name} yet: take the seat with /game join, or ask the umpire, {game.umpire.name}."
    else:
        could = f"Nobody plays {name} yet: someone may take the seat, and the umpire, {game.umpire.name}, may do it."
    looks = "You are an onlooker." if viewer == PUBLIC else f"You play {game.the_side(viewer)}."
    raise NotAllowed(f"{looks} {could}")


def require_right_to_act(game: Game, actor: Actor, action: Action) -> None:
    """Raise NotAllowed unless `actor` may do the action.

    Every player may do a forced action. Other actions need the right to act for their side.
    """
    if game.viewer(actor.id) == PUBLIC or not is_forced_action(game, action):
        require_may_act_for(game, actor, game.ruleset.side_of(game.state, action))


def is_forced_action(game: Game, action: Action) -> bool:
    """Whether the rules require the action and leave no choice.

    Every player may do a forced action. A secret action always counts as a choice.
    """
    return not action.secret and action in game.ruleset.actions_without_choice(game.state)


def can_answer_prompt(game: Game, viewer: Viewer, prompt: Prompt) -> bool:
    """Whether `viewer` may answer the prompt."""
    answers = (game.ruleset.parse(offer.kind, offer.args) for offer in prompt.offers)
    is_for_anybody = viewer != PUBLIC and prompt.required and any(is_forced_action(game, answer) for answer in answers)
    return is_for_anybody or can_act_for(game, viewer, prompt.side)


def can_consent(game: Game, actor: Actor, other: Actor, *, umpire_alone: bool = False, allies_too: bool = True) -> bool:
    """Whether `other` may consent to a request of the player `actor`.

    The umpire may. Unless `umpire_alone`, players of other sides may, too, but allies only with `allies_too`.
    """
    mine, theirs = game.viewer(actor.id), game.viewer(other.id)
    if mine == PUBLIC or umpire_alone:
        return mine != PUBLIC and game.is_umpire(other.id)
    return game.is_umpire(other.id) or theirs not in (mine, PUBLIC, *(() if allies_too else game.state.allies_of(mine)))


def require_uninformed_successor(game: Game, successor: Actor, side: Viewer, umpires: Container[int] = ()) -> None:
    """Raise NotAllowed if the successor may know hidden facts that `side` does not know.

    Such a user last played a side with another view, or is in `umpires`.
    """
    if not game.state.can_have_hidden_units:
        return
    played = game.last_sides.get(successor.id, PUBLIC)
    if side in game.state.sides_sharing_view(played) or (played == PUBLIC and successor.id not in umpires):
        return
    role = "been the umpire" if played == PUBLIC else f"played {game.the_side(played)}"
    raise NotAllowed(
        f"{successor.name} has {role} and knows what is hidden there, so somebody else must play {game.the_side(side)}."
    )
