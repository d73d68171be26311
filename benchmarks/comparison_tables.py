"""The rows of `bench.py compare`, and its tables: by circuit, wins, ties and losses, and the losses."""

from __future__ import annotations

import collections
import dataclasses
import pathlib
from collections.abc import Iterable, Sequence
from typing import Any

# A peer whose results have an error of about 1e-8 is compared, but not in wins, ties and losses.
APPROXIMATE = {"bqskit"}


@dataclasses.dataclass
class Row:
    """Two-qubit gates of one circuit, by all optimizers. None where there is no result."""

    target: str
    circuit: str
    assumptions: str
    before: int | None
    ours: int | None
    seconds: float
    verified: bool
    note: str  # why there is no result of ours, or under which other options it was found
    peers: dict[str, int | None]
    peer_verdicts: dict[str, str] = dataclasses.field(default_factory=dict)
    peer_variants: dict[str, str] = dataclasses.field(default_factory=dict)
    peer_failures: dict[str, str] = dataclasses.field(default_factory=dict)

    def lower_peers(self) -> list[str]:
        """Returns the peers with fewer gates than ours, or with a result where we have none."""
        return [
            peer
            for peer, count in self.peers.items()
            if count is not None and (self.ours is None or count < self.ours)
        ]

    def losing_peers(self) -> list[str]:
        """Returns the peers with fewer gates whose results are exact and not known to be wrong."""
        return [
            peer
            for peer in self.lower_peers()
            if peer not in APPROXIMATE and self.peer_verdicts.get(peer) != "not equal"
        ]

    def is_loss(self) -> bool:
        return bool(self.losing_peers())

    def best_peer(self) -> int | None:
        """Returns the fewest gates of the exact peers with no wrong result."""
        counts = [
            count
            for peer, count in self.peers.items()
            if count is not None
            and peer not in APPROXIMATE
            and self.peer_verdicts.get(peer) != "not equal"
        ]
        return min(counts, default=None)

    def is_win(self) -> bool:
        best = self.best_peer()
        return self.ours is not None and best is not None and self.ours < best

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def cell(count: int | None) -> str:
    return "-" if count is None else str(count)


def line(row: Row) -> str:
    """Returns one circuit as a line of text."""
    peers = "  ".join(f"{peer} {cell(count):>5}" for peer, count in row.peers.items())
    mark = "LOSS" if row.is_loss() else "win" if row.is_win() else ""
    checked = f"  {row.note}" if row.verified else f"  NOT VERIFIED: {row.note}"
    return (
        f"{row.target:21}{row.circuit:31}{row.assumptions:12}before {cell(row.before):>5}  {peers}"
        f"  ours {cell(row.ours):>5}  {row.seconds:5.1f} s  {mark}{checked}"
    ).rstrip()


def groups(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """Returns the rows by target and assumptions."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row.target, row.assumptions), []).append(row)
    return found


def markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the lines of a table; the first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]


def summary(rows: Sequence[Row]) -> str:
    """Returns a table for each target and assumption, and one of wins, ties and losses."""
    lines: list[str] = []
    totals = [["target", "assumed", "circuits", "before", "best peer", "ours", "fewer", "as many",
               "more", "not verified"]]  # fmt: skip
    for (target, assumptions), found in groups(rows).items():
        peers = list(found[0].peers)
        table = [["circuit", "before", *peers, "ours", "seconds"]]
        table += [
            [row.circuit, cell(row.before), *(cell(row.peers.get(peer)) for peer in peers),
             cell(row.ours), f"{row.seconds:.1f}"]
            for row in found
        ]  # fmt: skip
        lines += ["", f"### {target}, assumed: {assumptions}", "", *markdown(table)]
        complete = [row for row in found if None not in (row.ours, row.best_peer(), row.before)]
        wins, losses = (sum(test(row) for row in found) for test in (Row.is_win, Row.is_loss))
        sums = [sum(values) for values in zip(
            *((row.before, row.best_peer(), row.ours) for row in complete), strict=True)]  # fmt: skip
        totals.append([target, assumptions, str(len(found)), *map(str, sums or ["-"] * 3),
                       str(wins), str(len(found) - wins - losses), str(losses),
                       str(sum(not row.verified for row in found))])  # fmt: skip
    return "\n".join([*lines, "", *markdown(totals), "", *loss_lines(rows), *failures(rows)])


def failures(rows: Sequence[Row]) -> list[str]:
    """Returns the reasons for which peers have no result, and how often."""
    reasons = collections.Counter(
        f"- {peer} has no result: {reason}"
        for row in rows
        for peer, reason in row.peer_failures.items()
    )
    return [f"{reason} ({count})" for reason, count in sorted(reasons.items())]


def loss_lines(rows: Sequence[Row]) -> list[str]:
    """Returns the circuits on which a peer has fewer gates, one a line, the greatest loss first."""

    def loss_of(row: Row) -> float:
        best = row.best_peer()
        return float("inf") if row.ours is None or best is None else (row.ours - best) / row.ours

    lines = []
    for row in sorted((row for row in rows if row.is_loss()), key=loss_of, reverse=True):
        peers = ", ".join(
            f"{peer} {row.peers[peer]} ({row.peer_variants.get(peer)}; checked:"
            f" {row.peer_verdicts.get(peer)})"
            for peer in row.losing_peers()
        )
        ours = row.note if row.ours is None else str(row.ours)
        lines.append(
            f"- {row.circuit}, {row.target}, assumed {row.assumptions}: before {cell(row.before)},"
            f" ours {ours}, {peers}"
        )
    return lines


def losses(rows: Sequence[Row], folder: pathlib.Path) -> str:
    """Returns the text of a file with all losses, and where the circuits are."""
    lines = loss_lines(rows)
    lower = [
        f"- {row.circuit}, {row.target}, assumed {row.assumptions}: ours {cell(row.ours)}, {peer}"
        f" {row.peers[peer]}, checked: {row.peer_verdicts.get(peer)}"
        for row in rows
        for peer in row.lower_peers()
        if peer not in row.losing_peers()
    ]
    wrong = [f"- {line(row)}" for row in rows if not row.verified]
    return "\n".join(
        [
            f"# Losses: {len(lines)} of {len(rows)} comparisons",
            "",
            f"Input: {folder}/inputs/TARGET/CIRCUIT.qasm. Outputs:"
            f" {folder}/results/TARGET/CIRCUIT.ASSUMED.OPTIMIZER.qasm",
            "",
            *lines,
            "",
            "## Fewer gates by approximate or wrong results",
            "",
            *lower,
            "",
            "## Not verified, or refused",
            "",
            *wrong,
            "",
        ]
    )
