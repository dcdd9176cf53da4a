"""Opponents: one decides by priority charts, one by trying candidates; both explain their decisions."""
