"""Discord's face: one cog a noun. Parse, call `bot.games.games`, hand the report to a presenter."""
