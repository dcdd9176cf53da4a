"""Ways of stacks by the card: where they may go and stay, the next hex, the RO hex (TA-3, TA-9.5, TA-9.C)."""
