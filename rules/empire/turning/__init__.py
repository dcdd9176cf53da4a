"""The turn: its nine phases walked one by one, and what happens between them (BE-1)."""
