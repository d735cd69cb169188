"""How a plan becomes a commit: what it is judged by, the order of its steps, and what takes it back."""
