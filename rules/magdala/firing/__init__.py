"""Volleys and ammunition (MM-3)."""
