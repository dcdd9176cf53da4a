"""Who sees what in a game in which units may be hidden, in sentences."""

from rules.core.model import UMPIRE

from .game import Game

OF_A_SEAT = (
    "As umpire you see what that side sees from now on, in this game also after you have given the seat up; "
    "your rights as umpire stay."
)


def who_sees_all(game: Game) -> str:
    """Who sees what is hidden of every side: told before anything is."""
    viewer = game.viewer(game.umpire.id)
    if viewer == UMPIRE:
        return f"The umpire, {game.umpire.name}, sees everything that is hidden; each side sees its own."
    side = game.name_of(viewer)
    return f"Nobody sees everything that is hidden: the umpire, {game.umpire.name}, sees what the {side} see."


def sight_of_seat(game: Game, user: int) -> str:
    """What the umpire is told who takes a seat where units may be hidden; nothing for anybody else."""
    return OF_A_SEAT if game.state.may_hide and game.is_umpire(user) else ""
