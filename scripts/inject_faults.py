#!/usr/bin/env python3
"""Flips bits of the files that Quartz keeps, and counts how each fault ends.

    inject_faults.py [--flips N] [--seed N] [--bin FOLDER] [--circuit FILE]

Each kind of file is made once: a rule set, a class table, the proofs of a rule set, a checkpoint, a
journal, and an optimized circuit. Then a copy with one flipped bit is given to the command that reads
it. A fault is caught if the command refuses the file or ends undecided, and harmless if its result is
right nevertheless: quartz-check finds it equal to the input, without the damaged file. Exits with 1
if a command crashes, or takes a damaged journal or a damaged circuit for right where it is not.
"""

import argparse
import collections
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Exit codes of the commands (README.md).
DONE, NOT_EQUAL, UNDECIDED, UNVERIFIED = 0, 10, 11, 12
REFUSED = (1, 2, 3, 4)


class Workplace:
    def __init__(self, folder, commands, circuit):
        self.folder, self.commands, self.circuit = folder, commands, circuit

    def run(self, name, *arguments):
        return subprocess.run([self.commands / name, *map(str, arguments)], cwd=self.folder, capture_output=True,
                              check=False, timeout=300).returncode  # fmt: skip

    def optimize(self, *arguments):
        limit = ["--time", "0.3s"] if "--checkpoint" in arguments else ["--steps", 2000]
        return self.run("quartz-opt", self.circuit, "-o", "out.qasm", "-g", "nam", "--threads", 1, "--quiet", *limit,
                        *arguments)  # fmt: skip

    def is_result_right(self):
        return self.run("quartz-check", self.circuit, "out.qasm") == DONE

    def judged(self, code):
        """Says how a command that optimizes with a damaged file ended."""
        if code in REFUSED or code == UNVERIFIED:
            return "caught"
        return "harmless" if code == DONE and self.is_result_right() else "WRONG"


def files(place):
    """Makes one file of each kind. Returns for each kind its path and what reads it."""
    place.run("quartz-gen", "-g", "nam", "-n", 2, "-q", 2, "-o", "rules.json", "--checkpoint", "proofs", "--quiet")
    place.run("quartz-gen", "table", "-g", "nam", "-q", 2, "--cost", 3, "-o", "table.qct", "--quiet")
    place.optimize("--checkpoint", "kept", "--search", "anneal")
    place.optimize("--journal", "made.qj", "--search", "anneal")
    shutil.copy(place.folder / "out.qasm", place.folder / "made.qasm")
    proofs = max((place.folder / "proofs").iterdir(), key=lambda path: path.stat().st_size)
    kept = {path.name.split("-")[0].split(".")[0]: path for path in (place.folder / "kept").iterdir()}

    def resumed():
        return place.judged(place.optimize("--checkpoint", "kept", "--resume", "--search", "anneal"))

    def checked(code):
        return "caught" if code in (*REFUSED, NOT_EQUAL, UNDECIDED) else "WRONG"

    def circuit():
        verdict = place.run("quartz-check", place.circuit, "made.qasm")
        return "harmless" if verdict == DONE else checked(verdict)

    def proved():
        code = place.run("quartz-gen", "-g", "nam", "-n", 2, "-q", 2, "-o", "again.json", "--checkpoint", "proofs",
                         "--quiet")  # fmt: skip
        if code in REFUSED:
            return "caught"
        same = (place.folder / "again.json").read_bytes() == (place.folder / "rules.json").read_bytes()
        return "harmless" if code == DONE and same else "WRONG"

    return {
        "rule set": (place.folder / "rules.json",
                     lambda: place.judged(place.optimize("--rules", "rules.json", "--search", "backtrack"))),
        "class table": (place.folder / "table.qct",
                        lambda: place.judged(place.optimize("--table", "table.qct", "--search", "anneal"))),
        "proofs": (proofs, proved),
        "checkpoint, index": (kept["checkpoint"], resumed),
        "checkpoint, circuit": (kept["best"], resumed),
        "checkpoint, history": (kept["history"], resumed),
        "journal": (place.folder / "made.qj",
                    lambda: "harmless" if (code := place.run("quartz-check", place.circuit, "made.qasm", "--journal",
                                                             "made.qj")) == DONE else checked(code)),
        "circuit": (place.folder / "made.qasm", circuit),
    }  # fmt: skip


def restore(path, files_before):
    """Gives the folder of a file the files that it had: a command may have replaced some."""
    for other in path.parent.iterdir():
        if other.is_file() and other not in files_before and path.parent.name in ("kept", "proofs"):
            other.unlink()
    for other, content in files_before.items():
        other.write_bytes(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flips", type=int, default=200, help="flipped bits of each kind of file (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin", help="folder of the commands")
    parser.add_argument("--circuit", type=pathlib.Path, default=ROOT / "circuits/tof_3.qasm")
    options = parser.parse_args()
    chosen = random.Random(options.seed)
    wrong = False
    with tempfile.TemporaryDirectory() as name:
        place = Workplace(pathlib.Path(name), options.bin.resolve(), options.circuit.resolve())
        for kind, (path, read) in files(place).items():
            original = path.read_bytes()
            files_before = {each: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}
            if read() != "harmless":
                sys.exit(f"{kind}: the file is refused before it is damaged")
            outcomes = collections.Counter()
            for _ in range(options.flips):
                damaged = bytearray(original)
                bit = chosen.randrange(8 * len(original))
                damaged[bit // 8] ^= 1 << bit % 8
                restore(path, {**files_before, path: bytes(damaged)})
                outcomes[read()] += 1
            restore(path, files_before)
            wrong = wrong or outcomes["WRONG"] != 0
            found = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
            print(f"{kind:20} {len(original):8} bytes, {options.flips} flipped bits: {found}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
