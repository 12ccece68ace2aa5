"""Plain frozen data that every layer shares; nothing here computes.

Imports: the standard library only.
"""
