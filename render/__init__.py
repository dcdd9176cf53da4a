"""Pictures of scenes, charts and odds, by Pillow. Knows only the rules' data."""
