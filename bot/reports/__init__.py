"""The after-action report: its facts, as Markdown and as a web page."""
