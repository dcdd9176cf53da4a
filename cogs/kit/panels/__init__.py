"""Panels: messages with buttons, menus and forms of their own, such as armies, details and measurements."""
