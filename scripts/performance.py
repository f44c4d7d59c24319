"""What the scripts that measure share: their Python environments, what the machine is, and the report they write."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target")).resolve()
REPORT = ROOT / "reports" / "performance.md"


def environment(name, requirements, interpreter=sys.executable):
    """The Python of an environment below the target directory that has these packages."""
    place = TARGET / name
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([interpreter, "-m", "venv", place], check=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    subprocess.run([*install, *requirements], check=True)
    return python


def build(*options):
    """Builds a release."""
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", *options], check=True, cwd=ROOT)


def version(*command):
    """The second word that a program prints of itself."""
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.split()[1]


def machine(cores):
    """The machine and its system, for the end of a section."""
    return f"{processor()}, {cores} {'core' if cores == 1 else 'cores'}, {platform.system()}"


def processor():
    """The processor's name and the widest vectors it has, as far as the system says."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    name = re.search(r"^model name\s*:\s*(.*)", text, re.MULTILINE)
    flags = set(text.split())
    vectors = next((f", {name}" for flag, name in [("avx512bw", "AVX-512"), ("avx2", "AVX2")] if flag in flags), "")
    return (name[1].strip() if name else platform.machine()) + vectors


def available_cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def write_section(path, text):
    """Puts the section into the report, in place of the one of that name; the others stay as they are."""
    heading = text.splitlines()[0]
    old = path.read_text() if path.exists() else "# Performance\n"
    found = re.search(rf"^{re.escape(heading)}\n.*?(?=^## |\Z)", old, re.MULTILINE | re.DOTALL)
    if found:
        after = old[found.end() :]
        new = old[: found.start()] + text + ("\n" + after if after else "")
    else:
        new = old.rstrip("\n") + "\n\n" + text
    path.write_text(new)
