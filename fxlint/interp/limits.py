"""Bounds that make every analysis end. Hitting one yields `Unknown` (or a join), never a guess and never a hang."""

from __future__ import annotations

DEPTH = 48
"""Calls within calls, in frames of interpreted code."""

RECURSION = 4
"""How often one function may be active at once."""

UNROLL = 24
"""Iterations of a loop over a container of known length; further elements are joined."""

LOOP_PASSES = 2
"""Passes over the body of a loop whose length is unknown."""

WHILE_PASSES = 40
"""Iterations of a `while` whose test stays decided."""

ALTERNATIVES = 7
"""Members of a join; more widen."""

CONSTANTS = 4
"""Constants of one type in a join; more widen to Concrete."""

LITERAL = 4096
"""Length of a constant string or container that operators may build."""

STEPS_PER_ROOT = 400_000
"""Syntax nodes evaluated to build one root, and again to trace it."""

STEPS_OF_ALL = 160_000_000
"""Shared among the module classes of a project, so that a run over thousands ends; never less than the least."""

LEAST_STEPS = 30_000
"""Syntax nodes that every root may take."""

STEPS_PER_CONFIG = 3_000
"""Syntax nodes to make a constructor argument of an annotated class; what is set by then is kept."""

STEPS_PER_MODULE = 60_000
"""Syntax nodes evaluated for the top level of one file."""

EVENTS_PER_ROOT = 2_000
"""Events of one root."""

HEAP_PASSES = 2
"""Runs of a root whose forward changes what forward reads."""

LOADED = 12_000_000
"""Characters of source whose trees and values are held; past that, the analysis starts afresh at the next root."""

SUMMARIES = 100_000
"""Call summaries kept at once."""

ALIKE = 3
"""Module instances of one class and one set of argument kinds built one by one; further ones are the last of them."""

BUILDERS = 4
"""Builder functions run for one class."""

CANDIDATES = 24
"""Values looked at for one join; when there are more, the rest is Unknown."""
