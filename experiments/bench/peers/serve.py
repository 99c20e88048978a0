"""The peers' side of the line protocol: say "ready", then answer every line on standard input with one line of JSON."""

import json
import sys
import time


def serve(measure):
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(measure()), flush=True)


def timed(function):
    """The result of `function` and the seconds it took."""
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start
