"""An interaction from the user's point of view: the time of the bot's answer, and its messages."""

import asyncio
from time import monotonic
from typing import Any

DEFERRED, DEFERRED_UPDATE, UPDATE = 5, 6, 7
EPHEMERAL = 1 << 6


class Interaction:
    """An interaction of a user, with the bot's answers."""

    def __init__(self, ident: int, token: str, channel: int, source: dict[str, Any] | None) -> None:
        self.id, self.token, self.channel, self.source = ident, token, channel, source
        self.at = monotonic()
        self.answered_at: float | None = None
        self.finished_at: float | None = None
        self.kind = 0
        self.data: dict[str, Any] = {}
        self.original: dict[str, Any] | None = None
        self.messages: list[dict[str, Any]] = []
        self.placeholder_edited = False
        self.forgotten_after: float | None = None
        """Seconds until the first answer, if it was too late for Discord; else None."""
        self._answered, self._finished, self._settled = asyncio.Event(), asyncio.Event(), asyncio.Event()

    def answer(self, kind: int, data: dict[str, Any]) -> None:
        self.kind, self.data = kind, data
        self.answered_at = monotonic()
        self._answered.set()
        if kind not in (DEFERRED, DEFERRED_UPDATE):
            self.finish()

    def finish(self) -> None:
        self.finished_at = self.finished_at or monotonic()
        self._finished.set()
        self._settled.set()

    def forget(self) -> None:
        """Note that the first answer was too late, so that Discord refused it."""
        self.forgotten_after = monotonic() - self.at
        self._settled.set()

    @property
    def is_acknowledged(self) -> bool:
        """Whether the bot showed its result, not only "thinking"."""
        return self._finished.is_set()

    @property
    def first_answer(self) -> float:
        """Seconds until the bot's first answer, "thinking" included."""
        assert self.answered_at is not None
        return self.answered_at - self.at

    async def wait_for_answer(self, seconds: float = 3) -> "Interaction":
        """Wait for the first answer, "thinking" included, by default as long as Discord does."""
        await asyncio.wait_for(self._answered.wait(), seconds)
        return self

    async def wait(self, seconds: float = 60) -> "Interaction":
        """Wait until the bot shows its result. Fails if the first answer came too late for Discord."""
        await asyncio.wait_for(self._settled.wait(), seconds)
        assert self.is_acknowledged, f"the first answer came after {self.forgotten_after:.1f} seconds, too late"
        return self

    @property
    def is_private(self) -> bool:
        """Whether the answer is ephemeral."""
        return bool(self.data.get("flags", 0) & EPHEMERAL)

    @property
    def text(self) -> str:
        """The text of all messages, components and embeds included."""
        return "\n".join(word for message in self.messages for word in list_words(message))

    @property
    def pictures(self) -> list[str]:
        """The alternative text of each picture."""
        parts = (part for message in self.messages for part in list_components(message["components"]))
        return [item["description"] for part in parts if part.get("type") == 12 for item in part["items"]]

    @property
    def buttons(self) -> dict[str, str]:
        """Custom ids of the enabled buttons by label."""
        parts = (part for message in self.messages for part in list_components(message["components"]))
        return {
            part.get("label", ""): part["custom_id"]
            for part in parts
            if part.get("type") == 2 and "custom_id" in part and not part.get("disabled")
        }


def list_components(components: Any) -> list[dict[str, Any]]:
    """Return all components, nested components included."""
    parts: list[dict[str, Any]] = []
    for part in components or ():
        parts.append(part)
        parts += list_components(part.get("components"))
        parts += list_components(
            [part[name] for name in ("accessory", "component") if isinstance(part.get(name), dict)]
        )
    return parts


def list_words(message: dict[str, Any]) -> list[str]:
    """Return every text that a reader sees in a message."""
    words = [message["content"]] if message["content"] else []
    for part in list_components(message["components"]):
        words += [str(part[name]) for name in ("content", "label") if part.get(name)]
    for embed in message["embeds"]:
        words += [str(embed[name]) for name in ("title", "description") if embed.get(name)]
        words += [f"{field['name']} {field['value']}" for field in embed.get("fields", ())]
    return words
