"""The Great War: tanks and soldiers on hexes, with orders, moves, and battles by special dice."""
