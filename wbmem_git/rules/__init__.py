"""Floor 3: the rules. A Change goes in, Findings come out; nothing here knows git or the disk."""
