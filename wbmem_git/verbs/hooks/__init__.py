"""Hooks and merge driver as git finds them: put in place, told of, taken away."""
