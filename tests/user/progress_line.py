#!/usr/bin/env python3
"""Looks at the line that long work shows on a terminal: what it does, how long that will take, and that it goes again.

progress_line.py CAROM SOURCES: work that would take long, ended by --timeout, with a terminal as standard error."""
import json
import os
import pty
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TIMEOUTS = (3, 10, 30)  # [s] the line comes after one; a busy machine gets more time
UPDATE = re.compile(r"\r([^\r\n\x1b]*)\x1b\[K")
LEFT = re.compile(r", \d+ (s|min|h) left( at most)?$")


def packing(n, mu, law):
    """n x n discs in the plane, each touching its neighbours, with random velocities."""
    random.seed(1)
    contacts = []
    for a in range(n * n):
        i, j = a % n, a // n
        for b, (x, y) in ((a + 1, (1, 0)), (a + n, (0, 1))):
            if (b % n == 0 and x) or b >= n * n:
                continue
            normal = {3 * a: -x, 3 * a + 1: -y, 3 * b: x, 3 * b + 1: y}
            tangent = {3 * a: y, 3 * a + 1: -x, 3 * b: -y, 3 * b + 1: x, 3 * a + 2: -0.5, 3 * b + 2: -0.5}
            one = {"normal": {str(k): v for k, v in normal.items() if v}, "e": 0.5}
            if mu:
                one |= {"mu": mu, "tangents": [{str(k): v for k, v in tangent.items() if v}]}
            contacts.append(one)
    return {"mass": [1 + 0.5 * random.random() for _ in range(3 * n * n)],
            "u": [random.uniform(-1, 1) for _ in range(3 * n * n)], "contacts": contacts, "law": law}


def shown(tool, arguments, folder):
    """What appears on a terminal that is standard error of the tool."""
    outer, inner = pty.openpty()
    process = subprocess.Popen([tool] + arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=inner,
                               stdin=subprocess.DEVNULL)
    os.close(inner)
    text = b""
    while True:
        try:
            some = os.read(outer, 4096)
        except OSError:  # the other end is closed
            break
        if not some:
            break
        text += some
    os.close(outer)
    return process.wait(), text.decode()


def faults_of(tool, arguments, folder):
    exit_code, text = shown(tool, arguments, folder)
    updates = UPDATE.findall(text)
    rest = UPDATE.sub("", text)
    faults = []
    if rest:
        faults.append(f"there is more than the line: {rest!r}")
    if not any(LEFT.search(line) for line in updates):
        faults.append("it does not tell the time that is left")
    if any(len(line) > 100 for line in updates):
        faults.append("the line is longer than 100 columns")
    if not updates or updates[-1] != "":
        faults.append("the line stays")
    if exit_code not in (0, 1):
        faults.append(f"exit code {exit_code}")
    return [f"{' '.join(arguments)}: {fault}\n  {updates}" for fault in faults]


def main(tool, sources):
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "smooth.json").write_text(json.dumps(packing(45, 0, "lzb")))
        (folder / "rough.json").write_text(json.dumps(packing(40, 0.3, "poisson")))
        gas = [str(sources / "scenes/gas.toml"), "--set", "duration=5000"]
        rods = str(sources / "examples/rods/two_rods.json")
        for arguments in (["impact", "smooth.json"],
                          ["impact", "rough.json"],
                          ["compare", "smooth.json", "--laws", "lzb,newton"],
                          ["compare"] + gas + ["--laws", "newton,poisson"],
                          ["outcomes", "smooth.json", "--unknown", "order"],
                          ["admissible", "smooth.json", "--samples", "1000000"],
                          ["rods", rods, "--method", "finite-element", "--elements", "40000"],
                          ["run"] + gas + ["--out", "gas", "--no-report"]):
            for timeout in TIMEOUTS:
                faults = faults_of(tool, arguments + ["--timeout", str(timeout)], folder)
                if not faults:
                    break
            wrong += len(faults)
            for fault in faults:
                print(fault, flush=True)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()))
