"""Who may do what. Every refusal says who could."""

from rules.core.model import PUBLIC, UMPIRE, Viewer

from .errors import NotAllowed
from .game import Actor, Game

CHANNEL_TOO = ", or a member who may manage this channel"


def require_umpire(game: Game, actor: Actor, deed: str, others: str = "") -> None:
    """Raises NotAllowed unless `actor` is the umpire; `deed` completes "... may", `others` says who else could."""
    if not game.chairs(actor.id):
        raise NotAllowed(f"Only the umpire, {game.umpire.name}{others}, may {deed}.")


def sees_to(game: Game, viewer: Viewer, side_of: Viewer) -> bool:
    """Whether the business of `doer` is that of `viewer` too: a side that the bot plays is served by all who play."""
    return viewer in (UMPIRE, side_of) or (side_of == game.ruleset.played_by_bot and viewer != PUBLIC)


def require_side(game: Game, actor: Actor, side_of: Viewer) -> None:
    """Raises NotAllowed unless `actor` is the umpire or sees to the side whose business it is."""
    viewer = game.viewer(actor.id)
    if game.chairs(actor.id) or sees_to(game, viewer, side_of):
        return
    if side_of == UMPIRE:
        require_umpire(game, actor, "do that")
    side = game.name_of(side_of)
    if side_of == game.ruleset.played_by_bot:
        could = f"{side} are played by the bot, and those who play against them, or {game.umpire.name}, move it on."
    elif players := game.players(side_of):
        could = f"That is for {' or '.join(seat.name for seat in players)} ({side}) or the umpire, {game.umpire.name}."
    elif viewer == PUBLIC:
        could = f"Nobody plays {side} yet: take the seat with /game join, or ask the umpire, {game.umpire.name}."
    else:
        could = f"Nobody plays {side} yet: someone may take the seat, and the umpire, {game.umpire.name}, may do it."
    looks = "You only look on." if viewer == PUBLIC else f"You play {game.name_of(viewer)}."
    raise NotAllowed(f"{looks} {could}")


def consents(game: Game, actor: Actor, other: Actor, *, umpire_alone: bool = False) -> bool:
    """Whether `other` may say yes to what player `actor` asks: the umpire, or else a player of another side."""
    mine, theirs = game.viewer(actor.id), game.viewer(other.id)
    if mine == PUBLIC or umpire_alone:
        return mine != PUBLIC and game.chairs(other.id)
    return game.chairs(other.id) or theirs not in (mine, PUBLIC)
