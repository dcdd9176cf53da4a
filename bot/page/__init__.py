"""The live map's connection to the program: links, sessions, and the port that announces changes in a channel."""
