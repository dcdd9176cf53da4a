"""Retreats, routs and ways off the table (MM-5.7 to MM-5.10)."""
