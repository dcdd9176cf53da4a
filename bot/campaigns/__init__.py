"""Battles of a campaign: they are laid out, fought and counted by the system that the campaign names."""
