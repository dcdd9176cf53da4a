"""The British automaton: the card's decisions, and the British turn as a sequence of small steps."""
