"""Loaded dice, and commands given at the same moment."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import pytest
import simcord
from simcord import interactions
from simcord.enums import AppCommandType, InteractionType

from rules.core import sealed_dice

from .table import Answer, Table


class LoadedDice:
    """Dice that fall as the test says.

    Without prepared faces every die shows `default`, or falls by its seed if `default` is None.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, default: int | None = None) -> None:
        self._prepared: deque[int] = deque()
        self._default = default
        self._honest = sealed_dice.compute_faces
        monkeypatch.setattr(sealed_dice, "compute_faces", self._faces)

    def fall(self, *faces: int) -> None:
        """Prepare the faces of the next dice, in order."""
        self._prepared.extend(faces)

    @property
    def left(self) -> int:
        """Number of prepared faces not thrown yet."""
        return len(self._prepared)

    def _faces(self, seed: bytes, message: str, count: int, sides: int) -> tuple[int, ...]:
        if not self._prepared and self._default is not None:
            return (self._default,) * count
        if not self._prepared:
            return self._honest(seed, message, count, sides)
        assert len(self._prepared) >= count, f"{count}D{sides} thrown for {message}, {self._prepared} prepared"
        fallen = tuple(self._prepared.popleft() for _ in range(count))
        assert all(1 <= face <= sides for face in fallen), f"{fallen} does not fit {count}D{sides}"
        return fallen


async def give_together(
    table: Table, commands: Sequence[tuple[simcord.MemberActor, str, dict[str, Any]]]
) -> list[Answer]:
    """Give one-word commands at the same moment: the bot answers none before the last is given."""
    backend = table.env.backend
    records = []
    for actor, name, options in commands:
        command = backend.find_command(name, table.guild.id, type=AppCommandType.CHAT_INPUT)
        arguments, resolved = interactions.build_options(actor, name, command, options, channel_id=table.channel.id)
        assert not resolved
        record, payload = interactions.base_payload(
            backend,
            type=InteractionType.APPLICATION_COMMAND,
            channel_id=table.channel.id,
            guild_id=table.guild.id,
            user_id=actor.id,
            data={"id": command["id"], "name": name, "type": AppCommandType.CHAT_INPUT, "options": arguments},
        )
        records.append((record, payload))
    for _, payload in records:
        backend.emit("INTERACTION_CREATE", payload)
    await table.env.settle()
    return [Answer(simcord.InteractionResult(table.env, record)) for record, _ in records]
