"""A limit of requests per session, so that one page cannot keep the bot busy."""

from time import monotonic

from cachetools import LRUCache

from bot.errors import UserError

MOST_REQUESTS = 60
"""Maximum number of requests per session and window. Reading and acting requests are counted separately."""
WINDOW = 20.0
"""Length of a window in seconds. A window begins with a session's first request."""
MOST_SESSIONS = 10_000


class TooManyRequests(UserError):
    """Raised for a session that sends too many requests."""

    def __init__(self) -> None:
        super().__init__("Too many requests. Wait a moment, then try again.")


class RateLimit:
    """Counts each session's requests within a window of time."""

    def __init__(self) -> None:
        self._windows: LRUCache[str, tuple[float, int]] = LRUCache(MOST_SESSIONS)

    def count_request(self, session: str) -> None:
        """Count a request of the session. Raises TooManyRequests for more than MOST_REQUESTS in this window."""
        now = monotonic()
        began, count = self._windows.get(session, (now, 0))
        if now - began > WINDOW:
            began, count = now, 0
        self._windows[session] = began, count + 1
        if count >= MOST_REQUESTS:
            raise TooManyRequests
