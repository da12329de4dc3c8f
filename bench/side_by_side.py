#!/usr/bin/env python3
"""Two builds of carom_bench beside each other: is the new one slower?

  side_by_side.py OLD NEW [--filter REGEX] [--rounds N] [--slice SECONDS] [--json FILE]

Every case that both have is run in turn, a round each. What counts is the median of the ratios of two runs that follow
each other: other work on the machine changes slowly, and takes its part of both. Prints new / old per case and the least
processor time of each, then the cases that are slower, the slowest last."""
import argparse
import json
import re
import statistics
import subprocess
import sys

SHORT = 2.0  # [s] cases above this take a quarter of the rounds


def cases(program):
    listed = subprocess.run([program, "--benchmark_list_tests"], check=True, capture_output=True, text=True)
    return listed.stdout.split("\n")[:-1]


def literal(case):
    """The name of a case as a regular expression of Google Benchmark, which knows no escaped blanks and commas."""
    return "^" + re.sub(r"([\\.^$*+?()\[\]{}|])", r"\\\1", case) + "$"


def processor_time(program, case, length):
    """Seconds, or None if the case says that it failed."""
    asked = [program, f"--benchmark_filter={literal(case)}", "--benchmark_format=json", f"--benchmark_min_time={length}"]
    ran = subprocess.run(asked, capture_output=True, text=True)
    if ran.returncode != 0 or not ran.stdout:
        return None
    (found,) = json.loads(ran.stdout)["benchmarks"][-1:]
    if found.get("error_occurred"):
        return None
    return found["cpu_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[found["time_unit"]]


def compared(old, new, case, rounds, length):
    """The median of new / old over the rounds, and the least time of each; every other round begins with the new one."""
    times = {old: [], new: []}
    count = rounds
    k = 0
    while k < count:
        for program in (old, new) if k % 2 == 0 else (new, old):
            seconds = processor_time(program, case, length)
            if seconds is None:
                return None
            times[program].append(seconds)
        k += 1
        if times[old][0] > SHORT or times[new][0] > SHORT:
            count = max(1, rounds // 4)
    ratio = statistics.median(b / a for a, b in zip(times[old], times[new]))
    return ratio, min(times[old]), min(times[new])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--filter", default="")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--slice", type=float, default=0.1, help="of one round [s]")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    known = set(cases(arguments.old))
    rows = []
    for case in cases(arguments.new):
        if case not in known or not re.search(arguments.filter, case):
            continue
        found = compared(arguments.old, arguments.new, case, arguments.rounds, arguments.slice)
        if found is None:
            print(f"  failed  {case}", flush=True)
            continue
        rows.append((found[0], case, *found[1:]))
        print("{0:8.3f}  {1}  {2:.4g} s -> {3:.4g} s".format(*rows[-1]), flush=True)
    if not rows:
        sys.exit("side_by_side: no case that both have")
    rows.sort()
    print(f"\n{len(rows)} cases; new / old from {rows[0][0]:.3f} ({rows[0][1]}) to {rows[-1][0]:.3f} ({rows[-1][1]})")
    for ratio, case, *_ in rows:
        if ratio > 1:
            print(f"{ratio:8.3f}  {case}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump([dict(zip(("ratio", "case", "old", "new"), row)) for row in rows], file, indent=1)


if __name__ == "__main__":
    main()
