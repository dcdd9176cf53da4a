"""The Great War: tanks and soldiers on hexes, ordered, moved and battled with dice of their own."""
