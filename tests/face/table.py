"""A table in a channel of a pretended Discord: people who give commands, and what each of them can read."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import simcord
from simcord.components import walk_components

from bot.runtime.client import UmpireBot
from cogs.kit.cards.idle_turn import ANYWAY
from rules.core.ruleset import Ruleset
from rules.core.tests.scripted import by_press
from rules.magdala.ruleset import Magdala

TEXT_DISPLAY = 10
BUTTON = 2
MENU = 3
DETAILS = "Details"
COMPONENT = 3
"""The type of an interaction by a button."""

Message = Any
"""A message as SimCord hands it out: of a response, or of a channel's history."""


def each_waits(system: type[Ruleset[Any]]) -> AbstractContextManager[Any]:
    """Within it, games of the system begin with every test waiting for a press, whatever it follows."""
    begun = system.setup
    return patch.object(system, "setup", lambda *given: by_press(begun(*given)))


def raw(message: Message) -> list[dict[str, Any]]:
    """The components of a message as sent."""
    if isinstance(message, simcord.ResponseMessage):
        return message.components
    return [component.to_dict() for component in message.components]


def text(message: Message) -> str:
    """All that a message says: paragraphs, picture descriptions, names of files."""
    parts = []
    for component in walk_components(raw(message)):
        if component.get("type") == TEXT_DISPLAY:
            parts.append(component["content"])
        parts += [item.get("description") or "" for item in component.get("items", ())]
    return "\n".join(parts)


def buttons(message: Message) -> list[dict[str, Any]]:
    """The buttons of a message that do something: all but *Details*."""
    parts = (one for one in walk_components(raw(message)) if one.get("type") == BUTTON)
    return [one for one in parts if one["label"] != DETAILS]


def has_details(message: Message) -> bool:
    """Whether the whole reckoning stands behind a button of it."""
    return any(one.get("label") == DETAILS for one in walk_components(raw(message)))


def labels(message: Message) -> list[str]:
    """Their labels."""
    return [one["label"] for one in buttons(message)]


def choices(message: Message) -> dict[str, tuple[str, str]]:
    """The choices in a message's menus by label: the menu's custom id, and the choice's value."""
    menus = (one for one in walk_components(raw(message)) if one.get("type") == MENU)
    return {one["label"]: (menu["custom_id"], one["value"]) for menu in menus for one in menu["options"]}


def custom_ids(message: Message) -> list[str]:
    """Their custom ids."""
    return [one["custom_id"] for one in buttons(message)]


@dataclass
class Answer:
    """What came of a command or a press."""

    result: simcord.InteractionResult
    pressed: int | None = None
    """The message whose button was pressed: changing it is no answer of its own."""

    @property
    def messages(self) -> list[Message]:
        """The answer and what followed it."""
        first = self.result.response
        sent = [*([first] if first is not None else []), *self.result.followups]
        return [message for message in sent if message.id != self.pressed]

    @property
    def public(self) -> list[Message]:
        """What everyone can read of it."""
        return [message for message in self.messages if not message.ephemeral]

    @property
    def private(self) -> list[Message]:
        """What only who asked can read of it."""
        return [message for message in self.messages if message.ephemeral]

    @property
    def text(self) -> str:
        """The text of all its messages."""
        return "\n".join(map(text, self.messages))

    @property
    def private_text(self) -> str:
        """The text of a private answer. Fails if anything of it is public."""
        assert not self.public, f"public: {[text(message) for message in self.public]}"
        assert self.private, "nothing was said"
        return "\n".join(map(text, self.private))

    @property
    def announced(self) -> Message:
        """Its one public message."""
        (message,) = self.public
        return message


@dataclass
class Table:
    """A channel with an umpire, a player a side and an onlooker."""

    env: simcord.Env
    new_bot: Callable[[], UmpireBot]
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    umpire: simcord.MemberActor
    british: simcord.MemberActor
    mahdist: simcord.MemberActor
    onlooker: simcord.MemberActor

    @classmethod
    def laid(cls, env: simcord.Env, new_bot: Callable[[], UmpireBot]) -> "Table":
        """A channel with four people."""
        guild = env.create_guild()
        channel = guild.create_text_channel("table")
        people = (guild.add_member(env.create_user(name)) for name in ("ursula", "bertie", "musa", "olga"))
        return cls(env, new_bot, guild, channel, *people)

    async def give(self, actor: simcord.MemberActor, command: str, /, **options: Any) -> Answer:
        """Gives a command, which must be acknowledged."""
        channel = options.pop("channel", self.channel)
        answer = Answer(await actor.slash(channel, command, **options))
        assert answer.result.acknowledged, f"/{command} was never answered"
        return answer

    async def pass_on(
        self, actor: simcord.MemberActor, under: Message = None, label: str | None = None, **options: Any
    ) -> Answer:
        """Give `/turn next` or press the button `under` a message; confirm where nothing was done in the turn."""
        answer = await (self.give(actor, "turn next", **options) if under is None else self.press(actor, under, label))
        asked = next((one for one in answer.private if ANYWAY in labels(one)), None)
        return answer if asked is None else await self.press(actor, asked, ANYWAY)

    async def write(self, actor: simcord.MemberActor, command: str, /, **options: Any) -> Answer:
        """Gives a command in the actor's direct messages with the bot."""
        answer = Answer(await actor.user.slash(command, **options))
        assert answer.result.acknowledged, f"/{command} was never answered"
        return answer

    async def press(self, actor: simcord.MemberActor, message: Message, label: str | None = None, **by: Any) -> Answer:
        """Presses a button, or takes a choice in a menu, which must be acknowledged; the chance may be left out."""
        shown = [*labels(message), *choices(message)]
        label = next((each for each in shown if label is not None and each.startswith(f"{label}: ")), label)
        if label in choices(message):
            custom_id, value = choices(message)[label]
            return Answer(await actor.select(message, [value], custom_id=custom_id), pressed=message.id)
        answer = Answer(await actor.click(message, label=label, **by), pressed=message.id)
        assert answer.result.acknowledged, f"button {label or by} was never answered"
        return answer

    async def details(self, actor: simcord.MemberActor, message: Message) -> str:
        """The whole reckoning under an answer, as the actor reads it."""
        return (await self.press(actor, message, DETAILS)).private_text

    async def press_late(self, actor: simcord.MemberActor, message: Message, custom_id: str) -> Answer:
        """Presses a button that a slow client still shows, though it is no longer there."""
        pressed = {"component_type": BUTTON, "custom_id": custom_id}
        result = await actor._dispatch_interaction(COMPONENT, self.channel, pressed, source_message_id=message.id)
        return Answer(result, pressed=message.id)

    async def seq(self) -> int:
        """The number of the newest entry of the game."""
        return int((await self.env.bot.games.running(self.channel.id)).seq)

    def now(self, message: Message) -> Message:
        """A message as it is now."""
        return next(one for one in self.channel.history() if one.id == message.id)

    async def complete(
        self, actor: simcord.MemberActor, command: str, option: str, typed: str = "", **given: Any
    ) -> list[str]:
        """The values offered for an option as it is typed."""
        offered = await actor.autocomplete(self.channel, command, option, typed, **given)
        assert len(offered) <= 25
        assert all(1 <= len(choice["name"]) <= 100 and 1 <= len(str(choice["value"])) <= 100 for choice in offered)
        return [choice["value"] for choice in offered]

    async def start(self, scenario: str = "suakin-1885", *, seated: bool = True, at_once: bool = False) -> Answer:
        """Starts a game, with both players in their seats. Each test waits for a press, unless it is `at_once`."""
        with nullcontext() if at_once else each_waits(Magdala):
            answer = await self.give(self.umpire, "game new", rules="magdala", scenario=scenario)
        if seated:
            await self.give(self.british, "game join", side="british")
            await self.give(self.mahdist, "game join", side="mahdists")
        return answer

    async def restart(self) -> None:
        """Another bot in place of this one, on the same database: nothing in memory is left."""
        old = self.env.bot
        assert isinstance(old, UmpireBot)
        await self.env.restart_bot(self.new_bot())
        await old.store.close()

    def read_by(self, actor: simcord.MemberActor) -> Iterator[str]:
        """Every message the actor can read in the channel, buttons and file contents aside."""
        for message in self.channel.history(viewer=actor):
            yield text(message) + "\n" + "\n".join(labels(message))

    def newest(self, actor: simcord.MemberActor) -> Message:
        """The newest message the actor can see."""
        return self.channel.history(viewer=actor)[-1]
