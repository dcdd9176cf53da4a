"""Order sheets in the chat: the card of a sheet and the messages that show it."""
