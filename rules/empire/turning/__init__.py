"""The nine phases of a turn, and the automatic events between them (BE-1)."""
