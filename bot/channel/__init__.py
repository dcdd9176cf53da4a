"""What the bot keeps up in a Discord channel: boards, mentions, reminders and messages not yet delivered."""
