"""Find the view that the option `side` names, in commands that show a game in one side's view."""

from bot.errors import NotAllowed
from bot.journal.game import Game
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.typed_text import normalize_text

from . import name_lookup

UMPIRE_VIEW = "umpire: everything"
"""The name of the umpire's view in completions."""


def find_viewer(game: Game, user: int, side: str | None) -> Viewer:
    """Return the view that `side` names; None means the public view. Raises NotAllowed if the user may not see it."""
    if side is None:
        return PUBLIC
    own = game.viewer(user)
    names_umpire = normalize_text(side) in (UMPIRE, normalize_text(UMPIRE_VIEW))
    viewer = UMPIRE if names_umpire else name_lookup.find_side_id(game.state, side)
    if own in (UMPIRE, viewer):
        return viewer
    if game.ruleset.played_by_bot is not None and viewer in (UMPIRE, game.ruleset.played_by_bot):
        raise NotAllowed("The bot plays against you: you cannot see what it hides. /map shows what everyone may see.")
    umpire = f"the umpire, {game.umpire.name}"
    readers = umpire if viewer == UMPIRE else f"those who play {game.the_side(viewer)}, and {umpire}"
    raise NotAllowed(f"That view is only for {readers}. Without “side” it is shown as everyone may see it.")
