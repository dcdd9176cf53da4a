"""Guild, users, channels and messages of the loopback Discord, in the format of Discord's API."""

import itertools
import time
from dataclasses import dataclass
from typing import Any

EPOCH = 1_420_070_400_000
APPLICATION = 900_000_000_000_000_001
GUILD = 900_000_000_000_000_100
CHANNELS = tuple(range(GUILD + 1, GUILD + 5))
BOT: dict[str, Any] = {
    "id": str(APPLICATION),
    "username": "Umpire",
    "discriminator": "0",
    "global_name": None,
    "avatar": None,
    "bot": True,
    "flags": 0,
    "public_flags": 0,
}
EMPTY_LISTS = (
    "emojis",
    "stickers",
    "features",
    "threads",
    "presences",
    "voice_states",
    "stage_instances",
    "guild_scheduled_events",
    "soundboard_sounds",
)
ALL_PERMISSIONS = str((1 << 50) - 1)
JOINED = "2026-01-01T00:00:00+00:00"


@dataclass(frozen=True)
class Person:
    """A user in the guild."""

    id: int
    name: str

    def build_user(self) -> dict[str, Any]:
        """Return Discord's user object."""
        plain = {"discriminator": "0", "avatar": None, "flags": 0, "public_flags": 0}
        return {"id": str(self.id), "username": self.name.casefold(), "global_name": self.name, **plain}


GORDON, KITCHENER, ONLOOKER = Person(801, "Gordon"), Person(802, "Kitchener"), Person(803, "Onlooker")


class World:
    """Messages and threads that the loopback stores, and builders of Discord's objects."""

    def __init__(self) -> None:
        self.messages: dict[int, dict[str, Any]] = {}
        self.threads: dict[int, dict[str, Any]] = {}
        self.in_thread: dict[int, set[int]] = {}
        self._count = itertools.count()

    def make_snowflake(self) -> int:
        """Return a new id. Like Discord's, its upper bits are the time in milliseconds."""
        return (int(time.time() * 1000) - EPOCH) << 22 | next(self._count) & 0x3FFFFF

    def build_application(self) -> dict[str, Any]:
        """Return the application object of the bot."""
        team = {"name": "Umpire", "description": "", "icon": None, "summary": "", "verify_key": "0" * 64}
        owner = GORDON.build_user()
        return {
            "id": str(APPLICATION),
            "flags": 0,
            "bot_public": True,
            "bot_require_code_grant": False,
            "owner": owner,
        } | team

    def build_channel(self, ident: int) -> dict[str, Any]:
        """Return the channel object of a text channel or thread."""
        if ident in self.threads:
            return self.threads[ident]
        plain = {"permission_overwrites": [], "nsfw": False, "parent_id": None, "topic": None, "rate_limit_per_user": 0}
        place = ident - GUILD
        return {
            "id": str(ident),
            "type": 0,
            "name": f"table-{place}",
            "guild_id": str(GUILD),
            "position": place,
        } | plain

    def create_thread(self, channel: int, body: dict[str, Any]) -> dict[str, Any]:
        """Create a thread of the bot in `channel`; return its channel object."""
        ident = self.make_snowflake()
        put_away = {"archived": False, "auto_archive_duration": body["auto_archive_duration"], "locked": False}
        self.in_thread[ident] = set()
        self.threads[ident] = {
            "id": str(ident),
            "type": body["type"],
            "name": body["name"],
            "guild_id": str(GUILD),
            "parent_id": str(channel),
            "owner_id": str(APPLICATION),
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "thread_metadata": {**put_away, "archive_timestamp": JOINED, "invitable": body["invitable"]},
        }
        return self.threads[ident]

    def build_guild(self) -> dict[str, Any]:
        """Return the guild object of a GUILD_CREATE event, with its channels and members."""
        role = {"id": str(GUILD), "name": "@everyone", "color": 0, "hoist": False, "position": 0, "flags": 0}
        role |= {"permissions": ALL_PERMISSIONS, "managed": False, "mentionable": False}
        empty: dict[str, Any] = {name: [] for name in EMPTY_LISTS}
        people = [GORDON.build_user(), KITCHENER.build_user(), ONLOOKER.build_user(), BOT]
        return empty | {
            "id": str(GUILD),
            "name": "Loopback",
            "owner_id": str(GORDON.id),
            "roles": [role],
            "channels": [self.build_channel(ident) for ident in CHANNELS],
            "members": [self.build_member(user) for user in people],
            "member_count": len(people),
            "large": False,
            "joined_at": JOINED,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "premium_tier": 0,
            "system_channel_flags": 0,
            "preferred_locale": "en-GB",
            "afk_timeout": 300,
        }

    def build_member(self, user: dict[str, Any]) -> dict[str, Any]:
        """Return the member object of a user without roles."""
        return {"user": user, "roles": [], "joined_at": JOINED, "deaf": False, "mute": False, "flags": 0, "nick": None}

    def build_interaction(
        self,
        ident: int,
        token: str,
        kind: int,
        data: dict[str, Any],
        person: Person,
        channel: int,
        source: dict[str, Any] | None,
    ) -> dict[str, Any]:
        """Return the payload of an INTERACTION_CREATE event."""
        payload = {
            "id": str(ident),
            "application_id": str(APPLICATION),
            "type": kind,
            "token": token,
            "version": 1,
            "data": data,
            "guild_id": str(GUILD),
            "guild": {"id": str(GUILD), "locale": "en-GB", "features": []},
            "channel_id": str(channel),
            "channel": self.build_channel(channel) | {"permissions": ALL_PERMISSIONS},
            "member": self.build_member(person.build_user()) | {"permissions": ALL_PERMISSIONS},
            "app_permissions": ALL_PERMISSIONS,
            "locale": "en-GB",
            "guild_locale": "en-GB",
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(GUILD)},
            "context": 0,
            "attachment_size_limit": 10 * 2**20,
        }
        return payload if source is None else payload | {"message": source}

    def create_message(self, channel: int, body: dict[str, Any], flags: int | None = None) -> dict[str, Any]:
        """Create a message of the bot; return its message object."""
        ident = self.make_snowflake()
        message: dict[str, Any] = {
            "id": str(ident),
            "channel_id": str(channel),
            "author": BOT,
            "content": "",
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime()),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": False,
            "type": 0,
            "flags": 0,
        }
        self.messages[ident] = message
        return self.edit(message, body, flags)

    def edit(self, message: dict[str, Any], body: dict[str, Any], flags: int | None = None) -> dict[str, Any]:
        """Copy the fields of a request's body into the message; return the message."""
        for name in ("content", "embeds", "components"):
            if body.get(name) is not None:
                message[name] = body[name]
        if body.get("attachments") is not None:
            message["attachments"] = [self._build_attachment(message, attachment) for attachment in body["attachments"]]
        message["flags"] = body.get("flags", message["flags"]) if flags is None else flags
        return message

    def _build_attachment(self, message: dict[str, Any], attachment: dict[str, Any]) -> dict[str, Any]:
        name = attachment.get("filename", "file")
        url = f"http://127.0.0.1/attachments/{message['channel_id']}/{message['id']}/{name}"
        return {
            "size": 1,
            "url": url,
            "proxy_url": url,
            "content_type": "image/png",
            **attachment,
            "id": str(attachment["id"]),
        }
