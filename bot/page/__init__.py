"""What the live map needs of the program: links, sessions, and the port to the channels."""
