"""A table in a channel of a simulated Discord: people who give commands, and the messages that each can read."""

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
from rules.core.tests.scripted import without_automatic_tests
from rules.magdala.ruleset import Magdala

TEXT_DISPLAY = 10
BUTTON = 2
MENU = 3
DETAILS = "Details"
COMPONENT = 3
"""Interaction type of a press on a button."""

Message = Any
"""A message as SimCord returns it: from a response, or from a channel's history."""


def disable_forced_throws(system: type[Ruleset[Any]]) -> AbstractContextManager[Any]:
    """Return a context in which new games of the system never throw a forced test without a press."""
    begun = system.setup
    return patch.object(system, "setup", lambda *given: without_automatic_tests(begun(*given)))


def raw(message: Message) -> list[dict[str, Any]]:
    """Return the message's components as sent."""
    if isinstance(message, simcord.ResponseMessage):
        return message.components
    return [component.to_dict() for component in message.components]


def text(message: Message) -> str:
    """Return all text of the message: paragraphs, picture descriptions, file names."""
    parts = []
    for component in walk_components(raw(message)):
        if component.get("type") == TEXT_DISPLAY:
            parts.append(component["content"])
        parts += [item.get("description") or "" for item in component.get("items", ())]
    return "\n".join(parts)


def buttons(message: Message) -> list[dict[str, Any]]:
    """Return the message's buttons, except *Details*."""
    parts = (one for one in walk_components(raw(message)) if one.get("type") == BUTTON)
    return [one for one in parts if one["label"] != DETAILS]


def has_details(message: Message) -> bool:
    """Whether the message has a button *Details*."""
    return any(one.get("label") == DETAILS for one in walk_components(raw(message)))


def labels(message: Message) -> list[str]:
    """Return the labels of the message's buttons."""
    return [one["label"] for one in buttons(message)]


def choices(message: Message) -> dict[str, tuple[str, str]]:
    """Return the choices of the message's menus: from label to the menu's custom id and the choice's value."""
    menus = (one for one in walk_components(raw(message)) if one.get("type") == MENU)
    return {one["label"]: (menu["custom_id"], one["value"]) for menu in menus for one in menu["options"]}


def custom_ids(message: Message) -> list[str]:
    """Return the custom ids of the message's buttons."""
    return [one["custom_id"] for one in buttons(message)]


@dataclass
class Answer:
    """The bot's messages in reply to a command or press."""

    result: simcord.InteractionResult
    pressed: int | None = None
    """Id of the message with the pressed button. An edit of this message is not a reply."""

    @property
    def messages(self) -> list[Message]:
        """The response and its followups."""
        first = self.result.response
        sent = [*([first] if first is not None else []), *self.result.followups]
        return [message for message in sent if message.id != self.pressed]

    @property
    def public(self) -> list[Message]:
        """The public messages."""
        return [message for message in self.messages if not message.ephemeral]

    @property
    def private(self) -> list[Message]:
        """The ephemeral messages."""
        return [message for message in self.messages if message.ephemeral]

    @property
    def text(self) -> str:
        """The text of all messages."""
        return "\n".join(map(text, self.messages))

    @property
    def private_text(self) -> str:
        """The text of the ephemeral messages. Fails if any message is public, or none was sent."""
        assert not self.public, f"public: {[text(message) for message in self.public]}"
        assert self.private, "the answer is empty"
        return "\n".join(map(text, self.private))

    @property
    def announced(self) -> Message:
        """The only public message."""
        (message,) = self.public
        return message


@dataclass
class Table:
    """A channel with an umpire, an onlooker, and one player per side."""

    env: simcord.Env
    new_bot: Callable[[], UmpireBot]
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    umpire: simcord.MemberActor
    british: simcord.MemberActor
    mahdist: simcord.MemberActor
    onlooker: simcord.MemberActor

    @classmethod
    def create(cls, env: simcord.Env, new_bot: Callable[[], UmpireBot]) -> "Table":
        """Return a new channel with four people."""
        guild = env.create_guild()
        channel = guild.create_text_channel("table")
        people = (guild.add_member(env.create_user(name)) for name in ("ursula", "bertie", "musa", "olga"))
        return cls(env, new_bot, guild, channel, *people)

    async def give(self, actor: simcord.MemberActor, command: str, /, **options: Any) -> Answer:
        """Give a slash command. Fails if the bot does not acknowledge it."""
        channel = options.pop("channel", self.channel)
        answer = Answer(await actor.slash(channel, command, **options))
        assert answer.result.acknowledged, f"/{command} was never answered"
        return answer

    async def pass_on(
        self, actor: simcord.MemberActor, under: Message = None, label: str | None = None, **options: Any
    ) -> Answer:
        """Give `/turn next` or press the button `under` a message. Confirm if the turn is idle."""
        answer = await (self.give(actor, "turn next", **options) if under is None else self.press(actor, under, label))
        asked = next((one for one in answer.private if ANYWAY in labels(one)), None)
        return answer if asked is None else await self.press(actor, asked, ANYWAY)

    async def write(self, actor: simcord.MemberActor, command: str, /, **options: Any) -> Answer:
        """Give a slash command in the actor's direct messages with the bot."""
        answer = Answer(await actor.user.slash(command, **options))
        assert answer.result.acknowledged, f"/{command} was never answered"
        return answer

    async def press(self, actor: simcord.MemberActor, message: Message, label: str | None = None, **by: Any) -> Answer:
        """Press a button, or take a choice of a menu. A label may lack its chance. Fails if not acknowledged."""
        shown = [*labels(message), *choices(message)]
        label = next((each for each in shown if label is not None and each.startswith(f"{label}: ")), label)
        if label in choices(message):
            custom_id, value = choices(message)[label]
            return Answer(await actor.select(message, [value], custom_id=custom_id), pressed=message.id)
        answer = Answer(await actor.click(message, label=label, **by), pressed=message.id)
        assert answer.result.acknowledged, f"button {label or by} was never answered"
        return answer

    async def details(self, actor: simcord.MemberActor, message: Message) -> str:
        """Return the *Details* of an answer, as the actor reads them."""
        return (await self.press(actor, message, DETAILS)).private_text

    async def press_late(self, actor: simcord.MemberActor, message: Message, custom_id: str) -> Answer:
        """Press a button that was removed, but that a slow client still shows."""
        pressed = {"component_type": BUTTON, "custom_id": custom_id}
        result = await actor._dispatch_interaction(COMPONENT, self.channel, pressed, source_message_id=message.id)
        return Answer(result, pressed=message.id)

    async def seq(self) -> int:
        """Return the number of the game's newest entry."""
        return int((await self.env.bot.games.running_game(self.channel.id)).seq)

    def now(self, message: Message) -> Message:
        """Return the current version of a message."""
        return next(one for one in self.channel.history() if one.id == message.id)

    async def complete(
        self, actor: simcord.MemberActor, command: str, option: str, typed: str = "", **given: Any
    ) -> list[str]:
        """Return the values that autocomplete offers for `typed`."""
        offered = await actor.autocomplete(self.channel, command, option, typed, **given)
        assert len(offered) <= 25
        assert all(1 <= len(choice["name"]) <= 100 and 1 <= len(str(choice["value"])) <= 100 for choice in offered)
        return [choice["value"] for choice in offered]

    async def start(self, scenario: str = "suakin-1885", *, seated: bool = True, at_once: bool = False) -> Answer:
        """Start a game with both players seated. Tests wait for a press, unless `at_once`."""
        with nullcontext() if at_once else disable_forced_throws(Magdala):
            answer = await self.give(self.umpire, "game new", rules="magdala", scenario=scenario)
        if seated:
            await self.give(self.british, "game join", side="british")
            await self.give(self.mahdist, "game join", side="mahdists")
        return answer

    async def restart(self) -> None:
        """Replace the bot by a new one with the same database and empty caches."""
        old = self.env.bot
        assert isinstance(old, UmpireBot)
        await self.env.restart_bot(self.new_bot())
        await old.store.close()

    def read_by(self, actor: simcord.MemberActor) -> Iterator[str]:
        """Yield the text and button labels of every message in the channel that the actor can read."""
        for message in self.channel.history(viewer=actor):
            yield text(message) + "\n" + "\n".join(labels(message))

    def newest(self, actor: simcord.MemberActor) -> Message:
        """Return the newest message that the actor can see."""
        return self.channel.history(viewer=actor)[-1]
