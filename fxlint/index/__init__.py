"""Files, imports and classes: what is known of a program before anything is interpreted.

Imports: the standard library, `fxlint.model` and `fxlint.syntax`. Nothing of the checked program is imported or run.
"""
