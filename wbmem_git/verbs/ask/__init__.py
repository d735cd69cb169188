"""The questions: expand, trace, recall, versions, and what a name means in them."""
