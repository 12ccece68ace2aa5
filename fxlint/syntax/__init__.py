"""Text into trees, comments and cells; the only arithmetic on columns. Imports: model."""
