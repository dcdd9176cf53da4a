"""An interaction from the asker's side: when the bot answered, and what it showed."""

import asyncio
from time import monotonic
from typing import Any

DEFERRED, DEFERRED_UPDATE, UPDATE = 5, 6, 7
EPHEMERAL = 1 << 6


class Asked:
    """An interaction, and what the bot made of it."""

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
        """Seconds after which the first answer came, if that was too late for Discord."""
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
        """Discord takes no first answer any more."""
        self.forgotten_after = monotonic() - self.at
        self._settled.set()

    @property
    def acknowledged(self) -> bool:
        """Whether the result was shown, not only "thinking"."""
        return self._finished.is_set()

    @property
    def first_answer(self) -> float:
        """Seconds until the bot's first answer."""
        assert self.answered_at is not None
        return self.answered_at - self.at

    async def answered(self, seconds: float = 3) -> "Asked":
        """Waits for the first answer, "thinking" included, no longer than Discord would."""
        await asyncio.wait_for(self._answered.wait(), seconds)
        return self

    async def done(self, seconds: float = 60) -> "Asked":
        """Waits until the result is shown. Fails if Discord forgot the interaction before the bot's first answer."""
        await asyncio.wait_for(self._settled.wait(), seconds)
        assert self.acknowledged, f"the first answer came after {self.forgotten_after:.1f} seconds, and was not taken"
        return self

    @property
    def private(self) -> bool:
        """Whether only the asker sees the answer."""
        return bool(self.data.get("flags", 0) & EPHEMERAL)

    @property
    def text(self) -> str:
        """All words shown, components and embeds included."""
        return "\n".join(word for message in self.messages for word in words(message))

    @property
    def pictures(self) -> list[str]:
        """The words that stand for each picture shown."""
        found = (part for message in self.messages for part in parts(message["components"]))
        return [item["description"] for part in found if part.get("type") == 12 for item in part["items"]]

    @property
    def buttons(self) -> dict[str, str]:
        """Custom ids of the enabled buttons, by label."""
        found = (part for message in self.messages for part in parts(message["components"]))
        return {
            part.get("label", ""): part["custom_id"]
            for part in found
            if part.get("type") == 2 and "custom_id" in part and not part.get("disabled")
        }


def parts(components: Any) -> list[dict[str, Any]]:
    """Every component, however deep."""
    found: list[dict[str, Any]] = []
    for part in components or ():
        found.append(part)
        found += parts(part.get("components"))
        found += parts([part[name] for name in ("accessory", "component") if isinstance(part.get(name), dict)])
    return found


def words(message: dict[str, Any]) -> list[str]:
    """Every string a reader sees in a message."""
    found = [message["content"]] if message["content"] else []
    for part in parts(message["components"]):
        found += [str(part[name]) for name in ("content", "label") if part.get(name)]
    for embed in message["embeds"]:
        found += [str(embed[name]) for name in ("title", "description") if embed.get(name)]
        found += [f"{field['name']} {field['value']}" for field in embed.get("fields", ())]
    return found
