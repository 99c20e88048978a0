"""The peers' side of the line protocol: say "ready", then answer every line on standard input with one line of JSON."""

import json
import sys
import time


def serve(measure):
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(measure()), flush=True)


def timed(function):
    """The result of `function`, and the CPU and wall seconds it took, by name."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = function()
    return result, {"cpu_seconds": time.process_time() - cpu, "wall_seconds": time.perf_counter() - wall}
