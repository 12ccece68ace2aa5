"""Random small modules, on which fxlint and a real trace must agree."""
