"""The British: every decision of the card, and their turn as a chain of small steps."""
