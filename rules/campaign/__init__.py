"""The rule system Campaign: columns march over hexes by sealed orders, and enemies who meet fight battles."""
