"""Floor 2: what a text says. Strings go in, frozen values come out; nothing here knows git or the disk."""
