"""Discord's face: one cog a noun. Parse, call `bot.services`, hand the report to a presenter."""
