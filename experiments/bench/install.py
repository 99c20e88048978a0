"""What the peers need: a virtual environment, Weka's jars, our Java harness compiled against them."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent
VENV = BENCH.parent / ".venv"
CACHE = BENCH.parent / ".cache"
PYTHON = VENV / "bin" / "python"
WEKA = CACHE / "weka"
CLASSES = WEKA / "classes"


def install_peers():
    """Creates the environment; does nothing when it already holds the pinned versions."""
    requirements = BENCH / "requirements.txt"
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()
    stamp = VENV / "installed"
    if stamp.exists() and stamp.read_text() == digest:
        return
    print("installing the peers", file=sys.stderr)
    run(sys.executable, "-m", "venv", "--clear", VENV)
    run(PYTHON, "-m", "pip", "install", "--quiet", "--requirement", requirements)
    stamp.write_text(digest)


def install_package():
    """Installs our own Python package beside the peers, as it is now."""
    print("installing quickset for Python", file=sys.stderr)
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", BENCH.parent.parent / "python")


def install_weka():
    """True when Weka can be run. Without Java it cannot, and its rows will say so."""
    if not (shutil.which("java") and shutil.which("javac")):
        print("\n*** No java and javac found: nothing of Weka will be measured. Install a JDK (17 or later). ***\n",
              file=sys.stderr)
        return False
    if not (WEKA / "weka.jar").exists():
        fetch_weka()
    CLASSES.mkdir(exist_ok=True)
    run("javac", "-cp", WEKA / "*", "-d", CLASSES, BENCH / "weka" / "TrainJ48.java")
    return True


def fetch_weka():
    """Takes the jars out of the source package. pip reads the package's metadata but builds nothing."""
    print("fetching Weka", file=sys.stderr)
    WEKA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        run(PYTHON, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "python-weka-wrapper3",
            "--requirement", BENCH / "weka" / "requirements.txt", "--dest", directory)
        [archive] = Path(directory).glob("*.tar.gz")
        with tarfile.open(archive) as package:
            # weka.jar comes last: its presence says that all are there.
            jars = [member for member in package if Path(member.name).match("weka/lib/*.jar")]
            for member in sorted(jars, key=lambda member: Path(member.name).name):
                (WEKA / Path(member.name).name).write_bytes(package.extractfile(member).read())


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=sys.stderr)
