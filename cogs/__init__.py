"""The Discord commands, one cog for each noun. A cog parses options, calls `bot.services` and shows the report."""
