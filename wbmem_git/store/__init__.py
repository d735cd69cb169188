"""Floor 3: git and the derived files beside it. The only code that starts git."""
