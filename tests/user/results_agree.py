#!/usr/bin/env python3
"""Runs every scene and compares the files of its results with its summary: counts, final state, order of time, units.

results_agree.py CAROM SOURCES [SCENE...]: in a folder of its own."""
import collections
import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WITHOUT_UNIT = {"contact", "body_a", "shape_a", "body_b", "shape_b", "nx", "ny", "nz", "mode", "unique", "event", "what",
                "detail", "bodies", "contacts", "law", "status", "at_rest", "normals", "consistent", "joint", "opened"}


class Results:
    def __init__(self, folder):
        self.folder = folder
        self.summary = json.loads((folder / "summary.json").read_text())
        self.faults = []

    def check(self, holds, what):
        if not holds:
            self.faults.append(what)

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def equal(self, what, found, told):
        self.check(found == told, f"{what}: {found} in the file, {told} in the summary")


def headers(results):
    for path in results.folder.glob("*.csv"):
        with open(path, newline="") as file:
            names = next(csv.reader(file))
        results.check(len(set(names)) == len(names), f"{path.name}: a column comes twice")
        for name in names:
            bare = name.rsplit(".", 1)[-1] in ("qw", "qx", "qy", "qz") or name in WITHOUT_UNIT
            results.check(bare or re.search(r" \[[^]]+\]$", name), f"{path.name}: {name} has no unit")


def in_order(results):
    for name in ("trajectory.csv", "impacts.csv", "contacts.csv", "events.csv"):
        times = [float(row["t [s]"]) for row in results.rows(name)]
        results.check(times == sorted(times), f"{name}: the rows are not in the order of time")
        results.check(not times or times[-1] <= results.summary["t_end"], f"{name}: a row after the end")


def impacts(results):
    summary, rows = results.summary, results.rows("impacts.csv")
    if summary["scheme"] == "compliant":
        rows = results.rows("closures.csv")
        results.equal("closures", len(rows), summary["impacts"])
        counted = collections.Counter((row["body_a"], row["body_b"]) for row in rows)
        for pair in summary["contacts"]:
            results.equal(f"closures of {pair['bodies']}", counted[tuple(pair["bodies"])], pair["impacts"])
        return
    results.equal("impacts", len(rows), summary["impacts"])
    results.equal("at rest", sum(row["at_rest"] == "true" for row in rows), summary["resting_impacts"])
    results.equal("inconsistent", sum(row["consistent"] == "false" for row in rows),
                  summary["certificate"]["inconsistent"])
    if summary["scheme"] != "event-driven":
        return
    acted = collections.Counter()
    for row in rows:
        impulses = [float(one) for one in row["impulse [N s]"].split()]
        acted.update({name for name, one in zip(row["contacts"].split(";"), impulses) if one > 0})
    told = collections.Counter()
    for pair in summary["contacts"]:
        told[pair["joint"] if pair.get("joint") else "-".join(pair["bodies"])] += pair["impacts"]
    for name in acted | told:
        results.equal(f"impacts of {name}", acted[name], told[name])
    lost, whole = sum(float(row["dissipated [J]"]) for row in rows), summary["energy"]["dissipated_impacts"]
    results.check(abs(lost - whole) <= 1e-9 * abs(whole) + 1e-12 * abs(summary["energy"]["start"]),
                  f"lost in impacts: {lost} in the file, {whole} in the summary")


def events(results):
    summary, rows = results.summary, results.rows("events.csv")
    counted = collections.Counter(row["event"] for row in rows)
    results.equal("approximate", counted["approximate"], summary["approximate_steps"])
    results.equal("accumulation", len([1 for row in rows if row["event"] == "accumulation" and "infinitely" in
                                       row["detail"]]), len(summary["accumulation_times"]))
    results.equal("stop", counted["stop"], 1 if summary["status"] in ("stopped", "not-finished") else 0)
    closed = collections.Counter()
    for row in rows:
        closed[row["what"]] += {"closes": 1, "opens": -1}.get(row["event"], 0)
        results.check(closed[row["what"]] >= 0, f"{row['what']} opens at {row['t [s]']} s and was not closed")
    contacts = results.rows("contacts.csv")
    last = collections.Counter(row["contact"] for row in contacts if float(row["t [s]"]) == summary["t_end"])
    for name in closed | last:
        results.equal(f"{name}, closed at the end", closed[name], last[name])


def last_row(results):
    summary, row = results.summary, results.rows("trajectory.csv")[-1]
    results.equal("t_end", float(row["t [s]"]), summary["t_end"])
    for body in summary["bodies"]:
        for axis, x, v in zip("xyz", body["position"], body["velocity"]):
            if f"{body['name']}.{axis} [m]" in row:
                results.equal(f"{body['name']}.{axis}", float(row[f"{body['name']}.{axis} [m]"]), x)
                results.equal(f"{body['name']}.v{axis}", float(row[f"{body['name']}.v{axis} [m/s]"]), v)
    for name, energy in summary["energy"].items():
        if f"{name} [J]" in row:
            results.equal(name, float(row[f"{name} [J]"]), energy)


def files(results):
    there = {path.name for path in results.folder.iterdir()} - {"states", "forces"}
    results.check(there == set(results.summary["files"]), f"files {there} are there, {results.summary['files']} named")


def main(tool, sources, names):
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        for scene in names or sorted((sources / "scenes").glob("*.toml")):
            scene = Path(scene)
            out = Path(place) / scene.stem
            command = [tool, "run", str(scene), "--quiet", "--out", str(out), "--set", "record.report=false"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                print(f"{scene.stem}: exit code {done.returncode}: {done.stderr}")
                wrong += 1
                continue
            results = Results(out)
            for compare in (files, headers, in_order, impacts, events, last_row):
                compare(results)
            wrong += len(results.faults)
            for fault in results.faults[:10]:
                print(f"{scene.stem}: {fault}", flush=True)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve(), sys.argv[3:]))
