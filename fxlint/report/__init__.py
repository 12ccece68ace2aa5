"""Findings as text for people and data for tools. Imports: model, and the metadata of rules."""
