"""fxlint: what torch.fx.symbolic_trace refuses, what it gets silently wrong, why, and how to fix it."""

__version__ = "0.1.0"
