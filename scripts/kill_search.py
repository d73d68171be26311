#!/usr/bin/env python3
"""Kills quartz-opt at random moments and continues each search from its checkpoint.

    kill_search.py CIRCUIT GATE_SET [--kills N] [--seed N] [--threads N] [--bin FOLDER] [--any-loss]

After every kill, the checkpoint must be complete, its circuit must be equal to the input
(quartz-check), and it must be as good as the best circuit that the progress line had shown a second
before the kill. At the end, the result must be equal to the input by its journal alone, which spans
all processes. Prints what every kill lost: how old the first better circuit was that the checkpoint
did not have. At the end it prints what was lost of the time spent, too. Exits with 1 if one of this does not hold.
"""

import argparse
import json
import os
import pathlib
import pty
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

# The progress line: "8 s left: 360 gates for 900, 60% fewer".
PROGRESS = re.compile(rb"left: (\d+) gates")
# Seconds from the start of a search to its end.
FIRST_KILL = 0.5
LAST_KILL = 2.5
# Largest age of a better circuit that a kill may lose, in seconds. The progress line shows it within
# 0.4 s after it was found.
ALLOWED = 0.6
# Largest part of the time spent that a kill may lose, in seconds. A search keeps it once a second.
ALLOWED_TIME = 2.0


class Progress(threading.Thread):
    """Reads the progress lines of a process on a terminal, with the time of each cost."""

    def __init__(self, terminal):
        super().__init__(daemon=True)
        self.terminal = terminal
        self.costs = []  # (time, cost), as shown
        self.start()

    def run(self):
        rest = b""
        while True:
            try:
                block = os.read(self.terminal, 65536)
            except OSError:  # the process has ended
                return
            if not block:
                return
            now = time.monotonic()
            rest += block
            for found in PROGRESS.finditer(rest):
                self.costs.append((now, int(found.group(1))))
            rest = rest[-200:]


def lost_seconds(costs, kept, killed):
    """Returns how long before the kill a circuit better than the kept one was first shown."""
    better = [when for when, cost in costs if cost < kept]
    return killed - better[0] if better else 0.0


def cost_of(command, circuit, gate_set):
    """Returns the first figure that the search minimizes, as the statistics give it."""
    with tempfile.NamedTemporaryFile(suffix=".json") as stats:
        subprocess.run([*command, str(circuit), "-o", "/dev/null", "-g", gate_set, "-t", "0s",
                        "--no-check", "--quiet", "--stats", stats.name], check=True)  # fmt: skip
        read = json.load(open(stats.name, encoding="utf-8"))
    name = read["cost"].split(",")[0].replace("-", "_")
    return read["before"][name]


def start_on_terminal(command):
    """Starts a command whose standard error is a terminal; returns it with its progress."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    return process, Progress(ours)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("circuit")
    parser.add_argument("gate_set")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", default="1")
    parser.add_argument("--any-loss", action="store_true", help="accept any loss: it depends on the machine's load")
    parser.add_argument("--bin", default="build/bin", help="folder of quartz-opt and quartz-check")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    folder = pathlib.Path(arguments.bin)
    random.seed(arguments.seed)
    opt = [str(folder / "quartz-opt")]
    check = [str(folder / "quartz-check"), arguments.circuit]
    worst = worst_time = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        kept = pathlib.Path(scratch) / "checkpoint"
        search = [*opt, arguments.circuit, "-o", f"{scratch}/out.qasm", "-g", arguments.gate_set,
                  "--threads", arguments.threads, "--checkpoint", str(kept), "--resume"]  # fmt: skip
        spent = 0.0
        for kill in range(arguments.kills):
            process, progress = start_on_terminal([*search, "-t", f"{spent + 10:.1f}s"])
            while not (kept / "checkpoint.json").exists() and process.poll() is None:
                time.sleep(0.01)
            began = time.monotonic()
            time.sleep(random.uniform(FIRST_KILL, LAST_KILL))
            killed = time.monotonic()
            process.kill()
            process.wait()
            index = json.loads((kept / "checkpoint.json").read_text(encoding="utf-8"))
            best = kept / index["circuit"]["file"]
            subprocess.run([*check, str(best)], check=True, stdout=subprocess.DEVNULL)
            kept_cost = cost_of(opt, best, arguments.gate_set)
            lost = lost_seconds(progress.costs, kept_cost, killed)
            worst = max(worst, lost)
            assert index["seconds"] > spent, "the time of a checkpoint grows"
            worst_time = max(worst_time, killed - began - (index["seconds"] - spent))
            spent = index["seconds"]
            assert progress.costs, "the progress line was read"
            print(f"kill {kill + 1}: {progress.costs[-1][1]} shown, {kept_cost} kept, state {index['state']}, {spent:.1f} s spent, lost {lost:.2f} s", flush=True)
        journal = f"{scratch}/out.qj"
        subprocess.run([*search, "-t", f"{spent + 0.5:.2f}s", "--journal", journal, "--quiet"], check=True)
        done = subprocess.run([*check, f"{scratch}/out.qasm", "--journal", journal],
                              check=True, capture_output=True, text=True)  # fmt: skip
        print(done.stdout.strip().replace("\n", ", "))
    print(f"lost at most {worst:.2f} s of what was found, and {worst_time:.2f} s of the time spent")
    return 0 if worst <= ALLOWED and worst_time <= ALLOWED_TIME or arguments.any_loss else 1


if __name__ == "__main__":
    sys.exit(main())
