"""For whom something is kept: a server, or a user's direct messages."""


def scope_of(guild: int | None, user: int) -> str:
    """Return the scope of a server, or without one that of the user's direct messages."""
    return f"guild {guild}" if guild is not None else f"user {user}"


def is_shared(scope: str) -> bool:
    """Whether several people keep things there."""
    return scope.startswith("guild ")
