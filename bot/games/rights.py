"""Rights of users. Every refusal names who may do the action instead."""

from bot.errors import NotAllowed
from bot.journal.game import Actor, Game
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.report import Prompt
from rules.core.state import Action

CHANNEL_TOO = ", or a member who may manage this channel"


def require_umpire(game: Game, actor: Actor, action: str, others: str = "") -> None:
    """Raises NotAllowed unless `actor` is the umpire; `action` completes "... may", `others` says who else could."""
    if not game.is_umpire(actor.id):
        raise NotAllowed(f"Only the umpire, {game.umpire.name}{others}, may {action}.")


def acts_for(game: Game, viewer: Viewer, side_of: Viewer) -> bool:
    """Whether `viewer` acts for that side: the side itself, the umpire, and for the bot's side every player."""
    return viewer in (UMPIRE, side_of) or (side_of == game.ruleset.played_by_bot and viewer != PUBLIC)


def require_side(game: Game, actor: Actor, side_of: Viewer) -> None:
    """Raises NotAllowed unless `actor` is the umpire or acts for that side."""
    viewer = game.viewer(actor.id)
    if game.is_umpire(actor.id) or acts_for(game, viewer, side_of):
        return
    if side_of == UMPIRE:
        require_umpire(game, actor, "do that")
    side = game.the_side(side_of)
    if side_of == game.ruleset.played_by_bot:
        could = f"The bot plays {side}. Those who play against it, or {game.umpire.name}, tell it to go on."
    elif players := game.players(side_of):
        names = " or ".join(seat.name for seat in players)
        could = f"This is for {names} ({game.name_of(side_of)}) or the umpire, {game.umpire.name}."
    elif viewer == PUBLIC:
        could = f"Nobody plays {side} yet: take the seat with /game join, or ask the umpire, {game.umpire.name}."
    else:
        could = f"Nobody plays {side} yet: someone may take the seat, and the umpire, {game.umpire.name}, may do it."
    looks = "You are only looking on." if viewer == PUBLIC else f"You play {game.the_side(viewer)}."
    raise NotAllowed(f"{looks} {could}")


def require_right(game: Game, actor: Actor, action: Action) -> None:
    """Raise NotAllowed unless `actor` plays the side, is the umpire, or the action is without choice."""
    if game.viewer(actor.id) == PUBLIC or not is_without_choice(game, action):
        require_side(game, actor, game.ruleset.side_of(game.state, action))


def is_without_choice(game: Game, action: Action) -> bool:
    """Whether the game waits for exactly this action, so that any player may trigger it."""
    return not action.secret and action in game.ruleset.without_choice(game.state)


def may_settle(game: Game, viewer: Viewer, prompt: Prompt) -> bool:
    """Whether the viewer may press the prompt's buttons."""
    answers = (game.ruleset.parse(offer.kind, offer.args) for offer in prompt.offers)
    anybodys = viewer != PUBLIC and prompt.required and any(is_without_choice(game, answer) for answer in answers)
    return anybodys or acts_for(game, viewer, prompt.side)


def consents(game: Game, actor: Actor, other: Actor, *, umpire_alone: bool = False) -> bool:
    """Whether `other` may say yes to what player `actor` asks: the umpire, or else a player of another side."""
    mine, theirs = game.viewer(actor.id), game.viewer(other.id)
    if mine == PUBLIC or umpire_alone:
        return mine != PUBLIC and game.is_umpire(other.id)
    return game.is_umpire(other.id) or theirs not in (mine, PUBLIC)
