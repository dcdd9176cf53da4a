"""What the live map needs of the program: links, sessions, and the way to tell a channel what was done."""
