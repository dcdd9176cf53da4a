"""Battles of a campaign. The battle system that the campaign names lays them out, plays them and counts losses."""
