"""Movement: a conduct result allows inches, which the unit spends on marches and changes (BE-1, BE-6)."""
