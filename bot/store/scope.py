"""The scope of stored data: a server, or a user's direct messages."""


def scope_of(guild: int | None, user: int) -> str:
    """Return the scope of a server, or, without a server, the scope of the user's direct messages."""
    return f"guild {guild}" if guild is not None else f"user {user}"


def is_shared(scope: str) -> bool:
    """Whether the scope is a server, shared by several users."""
    return scope.startswith("guild ")
