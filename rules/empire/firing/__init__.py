"""Artillery, rifles and machine guns (BE-3, BE-4)."""
