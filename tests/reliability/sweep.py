#!/usr/bin/env python3
"""What sweeps of many cells take, in time and memory:
  tests/reliability/sweep.py [--largest E] [--program FILE] [--out FOLDER]
Sweeps of 10^3, 10^4, ... 10^E cells (6 unless told) by check, run and report, one job each; a cell is
one trial of 20 queries of a standard filter. Then the largest once more, killed in the middle and
resumed, and in three shards that run merges: `canon` must print one digest for all three. Prints a
table, and the exponents with which time and memory grow over the last step. Exit status 1 where
digests differ, or where something took 2 GB of memory. 10^6 cells take about half an hour and 3 GB of FOLDER
(a temporary one unless told).
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MOST = 2_000_000_000  # bytes of memory


class Took:
    """What a command took: seconds on the clock and of processors, the most memory in bytes."""

    def __init__(self, wall, usage):
        self.wall, self.cpu, self.memory = wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024

    def __str__(self):
        return f"{self.wall:.3g} s ({self.cpu:.3g} s of processor), {self.memory / 1e6:.0f} MB"


def timed(command, said):
    """What a command takes; ends the program where the command fails."""
    with open(said, "w") as file:
        began = time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {child.returncode}: {said.read_text()[-500:]}")
    return Took(time.monotonic() - began, usage)


def config(cells):
    """Of so many cells: n from 1, m from 1000, k from 1 to 10."""
    n = {10**3: 10, 10**4: 25}.get(cells, 100)
    return {
        "$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": f"{cells} cells",
        "question": "What does a sweep of so many cells take?", "seed": 1, "trials": 1, "queries": 20,
        "shared_across": ["/filter/k"], "expected_flags": [],
        "grid": {
            "keys": {"source": "uniform"}, "n": {"range": [1, n]},
            "filter": {"kind": "standard", "m": {"range": [1000, 999 + cells // 10 // n]}, "k": {"range": [1, 10]}},
            "hash": {"name": "xxhash3_64"},
        },
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=6, choices=range(3, 8))
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/release/bloomlab"))
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    if not os.access(given.program, os.X_OK):
        parser.error(f"--program: {given.program} cannot be executed; build it, or name another")
    if given.out and not given.out.is_dir():
        parser.error(f"--out: {given.out} is no folder")
    program = given.program.resolve()
    work = pathlib.Path(tempfile.mkdtemp(dir=given.out))
    try:
        sys.exit(measured(program, work, given.largest))
    finally:
        shutil.rmtree(work)


def measured(program, work, largest):
    said = work / "said"
    steps, took = ("check", "run", "report"), []
    for exponent in range(3, largest + 1):
        file, out = work / "sweep.json", work / f"results{exponent}"
        file.write_text(json.dumps(config(10**exponent)))
        row = [timed([program, "check", file], said), timed([program, "run", file, "--out", out, "--jobs", "1"], said)]
        row.append(timed([program, "report", out, "--out", work / "report"], said))
        shutil.rmtree(work / "report")
        size = (out / "sweep.json").stat().st_size
        print(f"10^{exponent} cells, a result of {size / 1e6:.1f} MB", flush=True)
        for step, one in zip(steps, row):
            print(f"  {step}: {one}", flush=True)
        took.append(row)
    if len(took) > 1:
        for step, before, after in zip(steps, *took[-2:]):
            grown = (math.log10(getattr(after, what) / getattr(before, what)) for what in ("wall", "cpu", "memory"))
            print(f"{step}: from 10^{largest - 1} to 10^{largest} cells the exponents of time, of processor time and of memory are "
                  + ", ".join(f"{exponent:.2f}" for exponent in grown))  # fmt: skip

    whole, killed, shards = out, work / "killed", work / "shards"
    run = [program, "run", file, "--jobs", "1", "--out"]
    for wait in (took[-1][1].wall / 2**power for power in range(1, 6)):
        shutil.rmtree(killed, ignore_errors=True)
        child = subprocess.Popen([*run, killed], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(wait)
        child.send_signal(signal.SIGKILL)
        child.wait()
        left = [path.relative_to(killed).as_posix() for path in killed.rglob("*") if path.is_file()]
        if ".partial/sweep.jsonl" in left:
            break
    else:
        sys.exit("no run could be killed while it kept a journal")
    others = [timed([*run, killed], said)]
    print(f"killed after {wait:.3g} s, which left {', '.join(left)}, and resumed: {others[0]}", flush=True)
    for shard in ("1/3", "2/3", "3/3"):
        others.append(timed([*run, shards, "--shard", shard], said))
        print(f"shard {shard}: {others[-1]}", flush=True)
    others.append(timed([*run, shards], said))
    print(f"the shards merged: {others[-1]}", flush=True)

    digests = []
    for folder in (whole, killed, shards):
        others.append(timed([program, "canon", folder], said))
        digests.append(next(line for line in said.read_text().splitlines() if line.endswith(" sweep.json")))
    print(f"canon: {others[-1]}; {'one digest for all three' if len(set(digests)) == 1 else 'the digests differ'}")
    most = max(one.memory for row in took + [others] for one in row)
    print(f"the most memory: {most / 1e6:.0f} MB")
    return 0 if len(set(digests)) == 1 and most < MOST else 1


if __name__ == "__main__":
    main()
