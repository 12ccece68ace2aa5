"""The command line, in ruff's habits. Imports: everything below it."""
