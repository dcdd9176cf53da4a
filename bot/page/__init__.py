"""What the live map needs of the program: links, sessions, and the announcer in channels."""
