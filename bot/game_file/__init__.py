"""The file of an exported game: its format, import, validation and upgrades."""
