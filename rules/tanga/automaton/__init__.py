"""The British automaton: decisions by the card, and the British turn as a sequence of small steps."""
