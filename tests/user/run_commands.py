#!/usr/bin/env python3
"""Runs every command that the documents show, as it is written there, and compares what the documents say comes out.

run_commands.py CAROM SOURCES: in a folder of its own. Commands stand in blocks of code and begin with ./carom; where a
block begins with "$ ", the lines after it are what the tool prints ("..." stands for lines that are left out)."""
import csv
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

DOCUMENTS = ["README.md", "docs/guide.md", "docs/scenes.md", "docs/simulation.md", "docs/robots.md", "docs/rods.md",
             "docs/geometry.md", "docs/rocking_block.md", "docs/report.md"]
NOT_HERE = ("serve", "site")  # they do not end, or build: they have tests of their own
NO_ANSWER = ["contacts[0].bias=0"]  # what the guide calls "none": exit code 1

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print(f"wrong: {what}", flush=True)


def blocks(text):
    return re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(block):
    """(command, the lines that follow it)"""
    joined = re.sub(r"\\\n\s*", "", block)
    found = []
    for line in joined.splitlines():
        if re.match(r"(\$ )?\./carom\b", line):
            found.append((line.removeprefix("$ "), []))
        elif found:
            found[-1][1].append(line)
    return found


def run(tool, command, folder):
    words = shlex.split(command, comments=True)
    target = None
    if ">" in words:
        target = words[words.index(">") + 1]
        words = words[:words.index(">")]
    done = subprocess.run([tool] + words[1:], cwd=folder, capture_output=True, text=True, timeout=300)
    if target:
        (folder / target).write_text(done.stdout)
    return done


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def same(shown, printed):
    """Equal but for the last digits of numbers; residuals differ from machine to machine."""
    if "computed in" in shown or "residual" in shown or "balance closes" in shown:
        return NUMBER.sub("#", shown) == NUMBER.sub("#", printed)
    if re.sub(r"\s+", " ", NUMBER.sub("#", shown)) != re.sub(r"\s+", " ", NUMBER.sub("#", printed)):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed))
    return all(math.isclose(float(a), float(b), rel_tol=1e-4, abs_tol=1e-12) for a, b in pairs)


def compare_output(command, shown, printed):
    at = 0
    lines = printed.splitlines()
    for line in shown:
        if line.strip() == "...":
            continue
        while at < len(lines) and not same(line, lines[at]):
            at += 1
        check(at < len(lines), f"{command}: does not print, after what is shown before: {line!r}")
        if at >= len(lines):
            return


def rows(folder, name):
    with open(folder / "results" / name, newline="") as file:
        return list(csv.DictReader(file))


def numbers(entry):
    return [float(word) for word in re.split("[ ;]", entry)]


def says(guide, text):
    check(re.sub(r"\s+", " ", text) in guide, f"docs/guide.md does not say {text!r}, which is what comes out")


def four_tasks(folder, guide):
    """The figures of the guide's four tasks, from the files that its commands wrote."""
    first = rows(folder, "two_lifted/impacts.csv")[0]
    before = numbers(first["velocities_before [m/s and rad/s]"])[0::3]
    after = numbers(first["velocities_after [m/s and rad/s]"])[0::3]
    says(guide, f"arrive with {before[0]:.3f} m/s and throw the last three out, with {after[6]:.3f}, {after[5]:.3f} and "
                f"{after[4]:.3f} m/s")
    heavy = numbers(rows(folder, "cradle_heavy_middle/impacts.csv")[0]["velocities_after [m/s and rad/s]"])
    says(guide, f"the first ball comes back with {-heavy[0]:.3f} m/s")

    feet = rows(folder, "late_leg/impacts.csv")
    impulse = numbers(feet[0]["impulse [N s]"])
    late = next(one for one in feet if "front_left" in one["contacts"])
    check(len(impulse) == 3, "three feet of the robot touch first")
    says(guide, f"Three feet touch at t = {float(feet[0]['t [s]']):.4f} s, with {max(impulse):.2f} N s each; the late one "
                f"follows at {float(late['t [s]']):.4f} s with {max(numbers(late['impulse [N s]'])):.2f} N s")
    lost = json.loads((folder / "results/late_leg/summary.json").read_text())["energy"]
    says(guide, f"where {sum(lost[k] for k in lost if k.startswith('dissipated')):.1f} J went")

    beads = rows(folder, "tapered_beads_on_wall/contacts.csv")
    wall = [one for one in beads if one["body_b"] == "wall"]
    blow = max(float(one["force_n [N]"]) for one in beads if one["contact"] == "bead 1-bead 2")
    peak = max(wall, key=lambda one: float(one["force_n [N]"]))
    arrives = next(one for one in wall if float(one["force_n [N]"]) > 0.01 * float(peak["force_n [N]"]))
    says(guide, f"the blow of {blow:.0f} N between the first two of fifty beads arrives after "
                f"{1e3 * float(arrives['t [s]']):.2f} ms and has its peak of {float(peak['force_n [N]']):.0f} N at "
                f"{1e3 * float(peak['t [s]']):.2f} ms")
    packing = rows(folder, "packing/contacts.csv")
    forces = [float(one["force_n [N]"]) for one in packing if one["t [s]"] == packing[-1]["t [s]"]]
    says(guide, f"{len(forces)} contacts carry {sum(forces) / len(forces):.0f} N on average and up to {max(forces):.0f} N")


def earthquake(command, folder, guide):
    summary = json.loads((folder / "results/block_in_earthquake/summary.json").read_text())
    if "intensity=" in command:
        check(summary["status"] in ("solved", "approximate"), f"{command}: the block stands")
        says(guide, f"stands at the end, after {summary['impacts']} impacts")
    else:
        check(summary["stop"] == "overturned", f"{command}: the block overturns")
        says(guide, f"overturned at t = {summary['t_end']:.2f} s")


def main(tool, sources):
    guide = re.sub(r"\s+", " ", (sources / "docs/guide.md").read_text())
    ran = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in ("examples", "scenes"):
            os.symlink(sources / name, folder / name)
        for document in DOCUMENTS:
            text = (sources / document).read_text()
            for block in blocks(text):
                if block.startswith('{ "about": "three balls"'):
                    (folder / "balls.json").write_text(block)
                for command, shown in commands(block):
                    if shlex.split(command, comments=True)[1:2] in [[verb] for verb in NOT_HERE]:
                        continue
                    if re.search(r"\b(DIR|FILE|SCENE|PROBLEM|ROBOT|NAME|ARGS)\b", command.split("#")[0]):
                        continue
                    done = run(tool, command, folder)
                    ran += 1
                    wanted = [1] if any(words in command for words in NO_ANSWER) else [0]
                    if "--timeout" in command:
                        wanted = [0, 1]
                    check(done.returncode in wanted,
                          f"{document}: {command}: exit code {done.returncode}\n{done.stderr or done.stdout[-400:]}")
                    if block.startswith("$ "):
                        compare_output(command, shown, done.stdout)
                    if "block_in_earthquake.toml" in command and document == "docs/guide.md":
                        earthquake(command, folder, guide)
        four_tasks(folder, guide)
    check(ran > 50, f"only {ran} commands were found")
    print(f"{ran} commands, {len(failures)} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()))
