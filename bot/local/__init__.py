"""The local table: the bot in a browser page on this machine, without Discord."""
