"""Parts of games on hexes that do not depend on their rules."""
