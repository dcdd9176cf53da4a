"""Messages that the bot maintains in a Discord channel: boards, reminders and undelivered messages."""
