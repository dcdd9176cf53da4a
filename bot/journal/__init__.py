"""The journal: entries, drafts, snapshots, the game cache, and the codec of stored JSON."""
