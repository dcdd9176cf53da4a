"""Lookup of names, battles, rule systems and topics, and completion."""
