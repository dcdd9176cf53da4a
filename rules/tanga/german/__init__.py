"""The German player's actions."""
