"""The abstract interpreter: values, the machine that runs code on them, and what Python, torch and numpy do to them."""
