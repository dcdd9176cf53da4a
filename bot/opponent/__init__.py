"""The computer opponent: its decisions, their records and their explanations."""
