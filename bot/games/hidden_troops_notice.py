"""Sentences about who sees hidden troops."""

from collections.abc import Mapping

from bot.journal.game import Game
from rules.core.model import PUBLIC, UMPIRE, Viewer

OF_A_SEAT = (
    "As umpire you see what that side sees from now on, in this game also after you have given the seat up; "
    "your rights as umpire stay."
)


def who_sees_all(game: Game) -> str:
    """Return who sees what is hidden of every side: told before anything is."""
    viewer = game.viewer(game.umpire.id)
    if viewer == UMPIRE:
        return f"The umpire, {game.umpire.name}, sees everything that is hidden; each side sees its own."
    side = game.the_side(viewer)
    return f"Nobody sees everything that is hidden: the umpire, {game.umpire.name}, sees what {side} see."


def sight_of_seat(game: Game, user: int) -> str:
    """Return what to tell an umpire who takes a seat in a game with hidden units; `""` for any other user."""
    return OF_A_SEAT if game.state.may_hide and game.is_umpire(user) else ""


def change_of_sight(before: Game, after: Game) -> str:
    """Return a sentence about who sees everything, if hidden troops are allowed and the umpire's view changed."""
    umpire = after.umpire.id
    return who_sees_all(after) if after.state.may_hide and before.viewer(umpire) != after.viewer(umpire) else ""


def kept_sight(game: Game) -> Mapping[str, Viewer]:
    """As whom each user goes on to see the game when the bot leaves a seat.

    Where units may be hidden, that is also the umpire who has played against the bot: he keeps to his side.
    """
    own = game.viewer(game.umpire.id)
    against = {game.umpire.id: own} if game.state.may_hide and own not in (UMPIRE, PUBLIC) else {}
    return {str(user): side for user, side in {**game.last_sides, **against}.items()}
