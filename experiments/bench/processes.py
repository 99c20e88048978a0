"""What is timed: the command `quickset`, started anew for each run, and processes that stay and answer, ours or a peer's."""

import json
import os
import select
import subprocess
import tempfile
from pathlib import Path

import install


class Failed(Exception):
    """Something could not be measured; the section is reported as failed and the others go on."""


class Quickset:
    def __init__(self, binary):
        self.binary = binary

    def warm(self, name, data, learner, threads, warm_runs):
        """Our library in a process that stays, warmed like a peer. It keeps free memory for a second, not for the ten
        milliseconds that suit a command: what one training gives back the next one takes.
        """
        program = self.binary.parent / "examples" / "serve"
        return Peer(name, [program, data, learner, threads, warm_runs], {"MIMALLOC_PURGE_DELAY": "1000"})

    def train(self, data, *options, threads=1):
        return self.run("train", data, *options, threads=threads)

    def evaluate(self, model, data, threads=1):
        return self.run("evaluate", model, data, threads=threads)

    def learners(self):
        """The names of those it has."""
        return [preset["name"] for preset in json.loads(self.said("learners", "--format", "json"))]

    def compare(self, data, learners, runs, folds):
        """Cross-validation on given folds: a line of CSV per learner, run and fold, under a head."""
        return self.said("compare", data, "--learners", ",".join(learners), "--runs", runs, "--folds-from", folds,
                         "--format", "csv", "--quiet")

    def said(self, *words):
        command = [str(self.binary), *map(str, words)]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout

    def run(self, *words, threads):
        """The numbers of the JSON that it prints, by dotted name, with the peak that the kernel saw."""
        command = [str(self.binary), *map(str, words), "--threads", str(threads), "--format", "json"]
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            process.stdout.close()
            if process.returncode != 0:
                errors.seek(0)
                raise Failed(f"quickset {words[0]} ended with {process.returncode}: {errors.read().strip()}")
        return {**numbers(parsed(output)), "kernel_peak_bytes": usage.ru_maxrss * 1024}


def parsed(output):
    try:
        return json.loads(output)
    except json.JSONDecodeError as error:
        raise Failed(f"quickset did not print one JSON object: {output[:200]!r}") from error


def numbers(document, prefix=""):
    """{"seconds": {"read": 1}} becomes {"seconds.read": 1}; text and lists are left out."""
    found = {}
    for key, value in document.items():
        if isinstance(value, dict):
            found.update(numbers(value, f"{prefix}{key}."))
        elif isinstance(value, (int, float)):
            found[prefix + key] = value
    return found


class Peer:
    """A process that prints "ready", then answers every line with one line of JSON: see peers/serve.py."""

    def __init__(self, name, command, environment, limit=None):
        self.name = name
        self.limit = limit
        self.command = [str(word) for word in command]
        self.environment = {**os.environ, **environment}

    def __enter__(self):
        self.process = subprocess.Popen(self.command, env=self.environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.expect_line()
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def measure(self):
        """After `limit` seconds the process is ended, and the answer is what it had spent by then: `unfinished`."""
        before = thread_seconds(self.process.pid) if self.limit else {}
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        if self.limit and not select.select([self.process.stdout], [], [], self.limit)[0]:
            spent = busiest(before, thread_seconds(self.process.pid))
            self.process.kill()
            return {"cpu_seconds": spent, "unfinished": 1}
        return json.loads(self.expect_line())

    def expect_line(self):
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f"{self.name} stopped; what it said is above")
        return line


def thread_seconds(process):
    """CPU seconds of every thread of a process."""
    spent = {}
    for file in Path(f"/proc/{process}/task").glob("*/stat"):
        try:
            fields = file.read_text().rsplit(")", 1)[1].split()  # the name before it may hold spaces
        except OSError:
            continue  # it has ended meanwhile
        spent[file.parent.name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


def busiest(before, after):
    """What the thread that worked most has spent in between: the one that trains, not compilers and collectors."""
    return max(seconds - before.get(thread, 0) for thread, seconds in after.items())


def python_peer(name, script, *arguments, threads=1):
    command = [install.PYTHON, install.BENCH / "peers" / script, *arguments]
    limits = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"]
    return Peer(name, command, dict.fromkeys(limits, str(threads)))


def weka_peer(data, warm, warm_runs, limit=None):
    """A warm JVM with one processor and heap to spare, so that collections are rare."""
    flags = ["-server", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1", "-Xms2g", "-Xmx4g",
             "-Dweka.packageManager.offline=true", "-Djava.util.logging.config.file=" + os.devnull]
    class_path = f"{install.CLASSES}{os.pathsep}{install.WEKA}/*"
    command = ["java", *flags, "-cp", class_path, "TrainJ48", data, warm, warm_runs, "-C", "0.25", "-M", "2"]
    return Peer("Weka", command, {"WEKA_HOME": str(install.WEKA / "home")}, limit)
