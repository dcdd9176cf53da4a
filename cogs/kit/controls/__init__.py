"""Controls: the base classes of buttons, menus and forms, and their custom ids."""
