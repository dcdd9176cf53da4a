"""Discord's face: one cog a noun. Parse, call `bot.games`, hand the report to a presenter."""
