"""The Germans: the player's orders."""
