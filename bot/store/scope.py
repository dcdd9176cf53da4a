"""The scope of stored data: a server, or a user's direct messages."""


def data_scope(guild: int | None, user: int) -> str:
    """Return the key for data of a server, or for data of the user's direct messages if `guild` is None."""
    return f"guild {guild}" if guild is not None else f"user {user}"


def is_server_scope(scope: str) -> bool:
    """Whether the scope is a server, whose data several users share."""
    return scope.startswith("guild ")
