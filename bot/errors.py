"""What can go wrong for a user outside the rules: each message a sentence that says what to do next."""


class UserError(Exception):
    """Shown to the user, privately, as it is. Nothing was changed."""


class NoGame(UserError):
    """No game runs in the channel."""


class GameRuns(UserError):
    """A game runs in the channel already."""


class NotAllowed(UserError):
    """The user lacks the right; the message says who could."""


class Unreadable(UserError):
    """A game that this program cannot read; the message says why, and the ways out."""


class Stale(UserError):
    """The pressed button is no longer valid."""


OVER = "That game is over. /game status shows the one that runs here now."
"""Answer to buttons of an ended game."""


class BadFile(UserError):
    """An imported file that cannot be used; the message names the place."""


class DatabaseAway(UserError):
    """The database is unavailable at the moment; the log has details."""

    said = "The database does not answer at the moment, so nothing was changed. Try again in a moment."

    def __init__(self) -> None:
        super().__init__(self.said)


class Unsure(DatabaseAway):
    """The database stopped answering while something was written, so that nobody knows whether it was."""

    said = (
        "The database stopped answering while this was written, so it may or may not have been done. /game log shows "
        "in a moment whether it was: look there before you repeat the command."
    )


class BeingUpdated(UserError):
    """The database schema is newer than this program, which will be replaced soon; nothing was written."""

    def __init__(self) -> None:
        super().__init__("The bot is being updated, so nothing was changed. Try again in a minute.")


class CannotStart(Exception):
    """The program cannot start; the message says what to put right. `code` is the exit code."""

    code = 1


class BadSettings(CannotStart):
    """A setting is wrong; the message names the variable."""

    code = 2
