"""The live map in a browser: a second face of the same games, beside the chat."""
