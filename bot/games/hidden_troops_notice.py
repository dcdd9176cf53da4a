"""Sentences that tell players who sees hidden troops."""

from collections.abc import Mapping

from bot.journal.game import Game
from rules.core.model import PUBLIC, UMPIRE, Viewer

OF_A_SEAT = (
    "As umpire you see what that side sees from now on, in this game also after you have given the seat up; "
    "your rights as umpire stay."
)


def describe_who_sees_all(game: Game) -> str:
    """Return a sentence about who sees the hidden troops of all sides: the umpire, or nobody."""
    viewer = game.viewer(game.umpire.id)
    if viewer == UMPIRE:
        return f"The umpire, {game.umpire.name}, sees everything that is hidden; each side sees its own."
    side = game.the_side(viewer)
    return f"Nobody sees everything that is hidden: the umpire, {game.umpire.name}, sees what {side} see."


def describe_view_change(before: Game, after: Game) -> str:
    """Return a sentence about who sees hidden troops now, if the umpire's view has changed.

    Return an empty string otherwise, or if no troops can be hidden.
    """
    umpire = after.umpire.id
    is_changed = before.viewer(umpire) != after.viewer(umpire)
    return describe_who_sees_all(after) if after.state.can_have_hidden_units and is_changed else ""


def last_played_sides(game: Game) -> Mapping[str, Viewer]:
    """Return the side that each user last played, by user id as text.

    The result includes an umpire who sees only one side's view while he plays against the bot. Store the result
    when the bot leaves, to keep the umpire's view limited.
    """
    own = game.viewer(game.umpire.id)
    against = {game.umpire.id: own} if game.state.can_have_hidden_units and own not in (UMPIRE, PUBLIC) else {}
    return {str(user): side for user, side in {**game.last_sides, **against}.items()}
