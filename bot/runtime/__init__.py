"""The running program: settings, client, logs, health, background tasks and errors."""
