"""Floor 4: one verb a file, and a package where one takes several."""
