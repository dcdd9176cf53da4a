"""Draw scenes, charts and odds as pictures with Pillow. This layer imports only the rules' data."""
