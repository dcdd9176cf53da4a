"""What can go wrong for a user outside the rules: each message a sentence that says what to do next."""


class UserError(Exception):
    """Shown to the user, privately, as it is. Nothing was changed."""


class NoGame(UserError):
    """No game runs in the channel."""


class GameRuns(UserError):
    """A game runs in the channel already."""


class NotAllowed(UserError):
    """The user lacks the right; the message says who could."""


class Stale(UserError):
    """A button whose moment has passed."""


OVER = "That game is over. /game status shows the one that runs here now."
"""Said by a button of a game that ended."""


class BadFile(UserError):
    """An imported file that cannot be taken; the message names the place."""


class CannotStart(Exception):
    """The program cannot start; the message says what to mend. `code` is the exit code."""

    code = 1


class BadSettings(CannotStart):
    """A setting is wrong; the message names the variable."""

    code = 2
