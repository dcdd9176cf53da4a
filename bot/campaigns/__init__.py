"""Battles of a campaign: how a battle system lays out a battle, plays it and counts its losses."""
