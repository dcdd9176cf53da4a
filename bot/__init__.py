"""The program: settings, start-up, games and their store, the local table."""
