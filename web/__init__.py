"""The live map: a page in the browser that shows and plays the games of the chat."""
