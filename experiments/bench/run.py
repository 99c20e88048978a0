"""Measures quickset against its peers: see experiments/README.md. Plain Python; the peers live in experiments/.venv."""

import argparse
import subprocess
import sys
from pathlib import Path

import install
import report
from measure import Bench
from processes import Failed, Quickset
from sections import accuracy, anytime, cart, compare, dense, j48, memory, predict, python, read, scaling, text
from sets import Sets

SECTIONS = {"j48": j48, "cart": cart, "predict": predict, "read": read, "memory": memory, "text": text, "dense": dense,
            "scaling": scaling, "accuracy": accuracy, "compare": compare, "anytime": anytime, "python": python}
ROOT = install.BENCH.parent.parent
PATHS = {"--data", "--binary"}  # their values are the machine's own business


def arguments():
    parser = argparse.ArgumentParser(prog="run.py", allow_abbrev=False, description="quickset against its peers")
    parser.add_argument("--only", type=section_names, default=list(SECTIONS), help=f"some of {','.join(SECTIONS)}")
    parser.add_argument("--label", default="bench", help="the run is written to experiments/runs/<date>-<label>")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "datasets", help="directory of data sets")
    parser.add_argument("--binary", type=Path, default=ROOT / "target" / "release" / "quickset")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, two runs of each, few text sets")
    parser.add_argument("--peers-only", action="store_true", help="measure the peers alone")
    return parser.parse_args()


def section_names(text):
    names = text.split(",")
    for name in names:
        if name not in SECTIONS:
            raise argparse.ArgumentTypeError(f"no section '{name}'; there are {', '.join(SECTIONS)}")
    return names


def command():
    """The command as it was given, without the paths of this machine."""
    words = []
    for word in sys.argv[1:]:
        option = word.split("=", 1)[0]
        if words and words[-1] in PATHS:
            words.append("PATH")
        else:
            words.append(f"{option}=PATH" if option in PATHS and "=" in word else word)
    return " ".join(["python3 experiments/bench/run.py", *words])


def run_sections(bench, names):
    """The sections that failed. Their finished rows and all raw numbers are kept."""
    failures = []
    for name in names:
        try:
            SECTIONS[name].run(bench)
        except (Failed, OSError, subprocess.CalledProcessError) as error:
            print(f"\n*** {name} failed: {error} ***\n", file=sys.stderr)
            failures.append(name)
    return failures


def main():
    options = arguments()
    if not options.peers_only and not options.binary.is_file():
        sys.exit("no quickset binary: build it with `cargo build --release`, or give --binary PATH or --peers-only")
    install.install_peers()
    weka = install.install_weka()
    binary = None if options.peers_only else options.binary.resolve()
    directory = report.new_directory(options.label)
    (directory / "README.md").write_text(report.readme(command(), binary, weka))
    sets = Sets(options.data, 100_000 if options.quick else 1_000_000)
    bench = Bench(binary and Quickset(binary), weka, sets, options.quick, directory,
                  report.Raw(directory / "raw.csv"))
    failures = run_sections(bench, options.only)
    text = report.summary(bench.rows, failures, options.quick)
    (directory / "summary.md").write_text(text)
    print(text)
    print(f"written to experiments/runs/{directory.name}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
