"""Battles of campaigns in the chat: messages and buttons, games in which they are fought, and results."""
