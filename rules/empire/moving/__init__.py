"""Movement: what conduct allows, spent in inches, into contact and out of it (BE-1, BE-6)."""
