"""The scope of stored data: a server, or a user's direct messages."""


def data_scope(guild: int | None, user: int) -> str:
    """Return the key of data that belong to a server, or, if `guild` is None, to the user's direct messages."""
    return f"guild {guild}" if guild is not None else f"user {user}"


def is_server_scope(scope: str) -> bool:
    """Whether the scope is a server, whose data several users share."""
    return scope.startswith("guild ")
