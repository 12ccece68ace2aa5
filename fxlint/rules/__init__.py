"""Rules name events: one rule a file, each with a page in `docs/` whose examples are run by the tests.

A rule is a function from an event to a report, found by importing every `fx*.py` module of this package:

    @rule("FX107", "len-of-proxy", "len() is asked of a Proxy", hooks=(Hook.LEN,), says="'len' is not supported")
    def len_of_proxy(event: Event) -> Report | None:
        \"\"\"Python demands a real int from `len()`, …\"\"\"   # the docstring is the finding's "why"
        return Report(f"`len({event.subject})` is asked of a Proxy", ("Write …",))

Rules never look at syntax and never decide what is a Proxy: the interpreter has done both.
`registry` answers the engine.
"""
