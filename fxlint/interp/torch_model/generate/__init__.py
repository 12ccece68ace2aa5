"""Ask the installed torch what it does with a Proxy, and write the answers down.

`python -m fxlint.interp.torch_model.generate` writes `torch-<major.minor>.json` beside the loader. Nothing in the data
is typed by hand: every line was run. This package is for developers; besides the worker only it
imports torch, and nothing that `fxlint check` runs imports it.
"""
