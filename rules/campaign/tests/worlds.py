"""The system under test."""

from rules.campaign.ruleset import Campaign

SYSTEM = Campaign()
