"""Errors outside the rules that users see. Each message is a sentence that says what to do next."""


class UserError(Exception):
    """An error whose message is shown to the user privately. Nothing was changed."""


class NoGame(UserError):
    """No game runs in the channel."""


class GameRunning(UserError):
    """The channel already has a running game."""


class NotAllowed(UserError):
    """The user may not do this; the message names the users who may."""


class UnreadableGame(UserError):
    """This program cannot read the stored game; the message says why, and what the user can do."""


class Stale(UserError):
    """The pressed button is no longer valid."""


OVER = "That game is over. /game status shows the one that runs here now."
"""Answer to a button of an ended game."""


class BadFile(UserError):
    """An imported file that cannot be used; the message names the place of the fault in the file."""


class DatabaseUnavailable(UserError):
    """The database is unavailable at the moment; the log has details."""

    message = "The database does not answer at the moment, so nothing was changed. Try again in a moment."

    def __init__(self) -> None:
        super().__init__(self.message)


class OutcomeUnknown(DatabaseUnavailable):
    """The database stopped answering during a write. The change may or may not be stored."""

    message = (
        "The database stopped answering while this was written, so it may or may not have been done. /game log shows "
        "in a moment whether it was: look there before you repeat the command."
    )


class ProgramOutdated(UserError):
    """The database schema is newer than this program. Nothing was written."""

    def __init__(self) -> None:
        super().__init__("The bot is being updated, so nothing was changed. Try again in a minute.")


class CannotStart(Exception):
    """The program cannot start; the message says what to correct. `code` is the exit code."""

    code = 1


class BadSettings(CannotStart):
    """A setting is wrong; the message names the variable."""

    code = 2
