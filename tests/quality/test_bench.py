"""Tests how the benchmark scripts count and average; the published figures depend on it."""

import argparse
import cmath
import contextlib
import io
import itertools
import json
import math
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(pathlib.Path(__file__).parent)]

import bench  # noqa: E402
import bench_costs  # noqa: E402
import bench_gate_sets  # noqa: E402
import bench_peers  # noqa: E402
import bench_plot  # noqa: E402
import bench_programs  # noqa: E402
import bench_reference  # noqa: E402
import bench_results  # noqa: E402
import bench_tables  # noqa: E402
import check_exporters  # noqa: E402
import flat_qasm  # noqa: E402
from test_circuits import apply_gate, basis_state  # noqa: E402

TEXT = """
OPENQASM 2.0; include "qelib1.inc"; // a comment; with a semicolon
qreg a[2]; qreg b[1]; creg c[1];
h a[0]; /* h a[0]; */
rz(pi*-0.250000) b[0];
rz(3*pi/2) a[1];
rz(0.3) a[1];
barrier a, b;
cx a[1],b[0];
ccz a[0], a[1], b[0];
t b[0];
measure b[0] -> c[0];
"""


class Costs(unittest.TestCase):
    FILE = str(ROOT / "costs/example_errors.json")

    def test_a_list_is_measured_by_its_first_objective(self):
        self.assertEqual(bench_costs.read("t,two-qubit").measure, "t")
        self.assertEqual(bench_costs.read("two-qubit,x.json").measure, "two_qubit")
        self.assertEqual(bench_costs.read(f"{self.FILE},t").measure, "errors")

    def test_a_cost_that_is_neither_a_name_nor_a_file_is_refused(self):
        self.assertEqual(bench.cost_argument(f"t,{self.FILE}").text, f"t,{self.FILE}")
        for text in ("", "beauty", "t,,depth", "none.json"):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                bench.cost_argument(text)

    def test_weights_by_gate_by_place_and_by_default(self):
        weights = bench_costs.read_weights(self.FILE)
        text = "qreg q[4]; cz q[1],q[0]; cz q[3],q[0]; rz(1) q[0]; h q[1]; barrier q;"
        rates = (2.1e-3, 3e-3, 0, 1e-3)  # cz on qubits 0 and 1, cz elsewhere, rz, default
        self.assertAlmostEqual(
            weights.of(flat_qasm.read(text)), -sum(math.log(1 - rate) for rate in rates), places=12
        )
        self.assertAlmostEqual(weights.least(), -math.log(1 - 2.5e-4), places=12)

    def test_both_directions_of_a_pair_and_an_error_rate_of_1(self):
        gates = [
            {"gate": "cz", "qubits": [0, 1], "error_rate": 0.02},
            {"gate": "cz", "qubits": [1, 0], "error_rate": 0.01},
            {"gate": "cz", "qubits": [1, 2], "error_rate": 0.01},
            {"gate": "cz", "qubits": [2, 1], "error_rate": 1.0},
        ]
        document = {"name": "backend", "errors": True, "gates": gates, "default": 1.0}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "backend.json"
            path.write_text(json.dumps(document))
            weights = bench_costs.read_weights(path)
        for text, expected in (
            ("cz q[1],q[0];", -math.log(0.98)),
            ("cz q[1],q[2];", 37),
            ("h q[0];", 37),
        ):
            with self.subTest(text):
                circuit = flat_qasm.read(f"qreg q[3]; {text}")
                self.assertAlmostEqual(weights.of(circuit), expected, places=12)

    def test_only_interchangeable_operands_are_sorted(self):
        self.assertNotEqual(bench_costs.place("cx", (0, 1)), bench_costs.place("cx", (1, 0)))
        self.assertEqual(bench_costs.place("ccx", (1, 0, 2)), bench_costs.place("ccx", (0, 1, 2)))
        self.assertNotEqual(
            bench_costs.place("ccx", (2, 0, 1)), bench_costs.place("ccx", (0, 1, 2))
        )

    def test_a_gate_without_a_weight_is_an_error(self):
        weights = bench_costs.Weights("some", {"x": 1}, {}, None)
        with self.assertRaises(KeyError):
            weights.of(flat_qasm.read("qreg q[1]; h q[0];"))


class GateSets(unittest.TestCase):
    def setUp(self):
        self.bundled = bench_gate_sets.bundled()

    def fitting(self, statements):
        circuit = flat_qasm.read(f"qreg q[2]; {statements}")
        return bench_gate_sets.fitting(circuit, self.bundled).name

    def test_a_circuit_gets_the_smallest_gate_set_with_its_gates(self):
        self.assertEqual(self.fitting("rz(0.1) q[0]; sx q[0]; cx q[0],q[1];"), "ibm")
        self.assertEqual(self.fitting("rx(-3*pi/2) q[0]; cz q[0],q[1]; barrier q;"), "rigetti")
        self.assertEqual(self.fitting("t q[0];"), "clifford_t")

    def test_a_circuit_in_no_gate_set_or_several_is_reported(self):
        with self.assertRaisesRegex(LookupError, "{cz, ry}"):
            self.fitting("ry(0.1) q[0]; cz q[0],q[1];")
        with self.assertRaisesRegex(LookupError, "ibm and .*nam.* alike"):
            self.fitting("rz(0.1) q[0]; cx q[0],q[1];")

    def test_the_first_gate_outside_the_set_is_named(self):
        rigetti = bench_gate_sets.load("rigetti")
        inside = "rx(pi/2) q[0]; rx(-pi) q[0]; rz(0.3) q[0];"
        for outside in ("rx(0.1) q[0]", "h q[0]"):
            circuit = flat_qasm.read(f"qreg q[1]; {inside} {outside};")
            self.assertEqual(rigetti.first_outside(circuit), outside.split()[0])
        self.assertIsNone(rigetti.first_outside(flat_qasm.read(f"qreg q[1]; {inside}")))

    def test_ranges_of_angles_are_respected(self):
        fractional = bench_gate_sets.load("ibm_heron_fractional")
        for angle, outside in (("pi/2", None), ("1e-3", None), ("-0.1", "rzz"), ("1.6", "rzz")):
            circuit = flat_qasm.read(f"qreg q[2]; rx(-3) q[0]; rzz({angle}) q[0],q[1];")
            found = fractional.first_outside(circuit)
            self.assertEqual(found.split("(")[0] if found else None, outside)

    def test_peers_get_rotations_by_fixed_angles_as_named_gates(self):
        basis, written = bench_peers.basis_of(bench_gate_sets.load("rigetti"))
        self.assertEqual(basis, ["sx", "x", "rz", "cz"])
        text = bench_peers.in_rotations("qreg q[1]; sx q[0]; rz(0.2) q[0]; x q[0];", written)
        found = flat_qasm.read(text).statements
        self.assertEqual([(each.name, each.angles) for each in found],
                         [("rx", ("pi/2",)), ("rz", ("0.2",)), ("rx", ("pi",))])  # fmt: skip
        for name in ("nam", "ibm", "ibm_heron", "ibm_u", "clifford_t"):
            gate_set = bench_gate_sets.load(name)
            self.assertEqual(bench_peers.basis_of(gate_set), (list(gate_set.gates), {}))


class Counting(unittest.TestCase):
    def test_counts(self):
        circuit = flat_qasm.read(TEXT)
        self.assertEqual(circuit.qubits, 3)
        self.assertEqual(
            flat_qasm.counts(circuit), {"total": 7, "two_qubit": 2, "t": 3, "depth": 5}
        )
        self.assertEqual(circuit.statements[-1], flat_qasm.Statement("measure", (), (2,), "c[0]"))

    def test_written_circuits_are_read_back(self):
        text = TEXT.replace("ccz a[0], a[1], b[0];", "")
        circuit = flat_qasm.read(text)
        self.assertEqual(flat_qasm.read(flat_qasm.write(circuit)), circuit)

    def test_unsupported_statements_are_refused(self):
        for line in ("h a;", "if(c==1) x a[0];", "gate g q { h q; }", "h d[0];", "h a[2];"):
            with self.subTest(line), self.assertRaises(ValueError):
                flat_qasm.read(f"qreg a[2]; creg c[1]; {line}")
        with self.assertRaises(ValueError):
            flat_qasm.angle_value("__import__('os')")

    def test_angles(self):
        for text, value in {"-pi/4": -math.pi / 4, "2^3*pi": 8 * math.pi, "1e-3+1": 1.001}.items():
            self.assertAlmostEqual(flat_qasm.angle_value(text), value)

    def test_decompositions_into_nam_are_equal_up_to_a_phase(self):
        for name in flat_qasm.IN_NAM:
            qubits = {"cc": 3, "cz": 2, "sw": 2}.get(name[:2], 1)
            wires = tuple(range(qubits))
            statements = [flat_qasm.Statement(name, (), wires)]
            in_nam = flat_qasm.in_nam(flat_qasm.FlatCircuit(qubits, {}, statements))
            phases = []
            for index in range(2**qubits):
                found = basis_state(qubits, index)
                for statement in in_nam.statements:
                    angle = flat_qasm.angle_value(statement.angles[0]) if statement.angles else None
                    found = apply_nam_gate(found, statement.name, angle, statement.qubits)
                expected = apply_textbook_gate(qubits, index, name)
                overlap = sum(
                    left.conjugate() * right for left, right in zip(expected, found, strict=True)
                )
                self.assertAlmostEqual(abs(overlap), 1, msg=name)
                phases.append(overlap)
            for phase in phases:
                self.assertAlmostEqual(phase, phases[0], msg=name)


def apply_nam_gate(amplitudes, name, angle, wires):
    if name == "rz":
        return [
            amplitude * cmath.exp(0.5j * angle * (1 if index >> wires[0] & 1 else -1))
            for index, amplitude in enumerate(amplitudes)
        ]
    return apply_gate(amplitudes, name, angle, wires)


def apply_textbook_gate(qubits, index, name):
    """Returns the gate's column for a basis state."""
    column = basis_state(qubits, index)
    phases = {"z": 1, "s": 1 / 2, "sdg": -1 / 2, "t": 1 / 4, "tdg": -1 / 4, "cz": 1, "ccz": 1}
    if name in phases:
        if index == 2**qubits - 1:
            column[index] = cmath.exp(1j * math.pi * phases[name])
        return column
    return apply_gate(column, name, None, tuple(range(qubits)))


def result(total, verdict="equivalent", **others):
    return {"after": {"total": total, **others}, "verdict": verdict}


FAILED = {"failed": "a crash"}


class Averaging(unittest.TestCase):
    def reduction(self, *befores_and_results):
        circuits = {
            number: {"before": {"total": before}, "results": {"peer": after}}
            for number, (before, after) in enumerate(befores_and_results)
        }
        return bench_results.reduction(circuits, "peer", "total")

    def test_geometric_mean(self):
        self.assertAlmostEqual(
            self.reduction((100, result(50)), (100, result(100))), 1 - math.sqrt(0.5)
        )

    def test_wrong_undecided_and_failed_results_count_as_no_reduction(self):
        for bad in (FAILED, result(1, "not equivalent"), result(1, "undecided")):
            self.assertEqual(self.reduction((10, bad)), 0)
            self.assertAlmostEqual(self.reduction((10, bad), (10, result(5))), 1 - math.sqrt(0.5))

    def test_circuits_of_size_zero(self):
        self.assertEqual(self.reduction((0, result(0))), 0)
        self.assertAlmostEqual(self.reduction((4, result(0))), 0.75)
        self.assertAlmostEqual(bench_results.mean_reduction([(0.5, 0)], least=0.05), 0.9)

    def test_durations(self):
        for text, seconds in {"30s": 30, "500ms": 0.5, "2min": 120, "7": 7}.items():
            self.assertEqual(bench.seconds_of(text), seconds)

    def test_budgets(self):
        self.assertEqual(bench.budget_list("10s,100ms,1"), ["100ms", "1", "10s"])
        self.assertEqual(bench.run_of("500ms"), bench.run_of("0.5s"))
        for text in ("", "1s,,2s", "soon", "0s", "-1s"):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                bench.budget_list(text)

    def test_every_peer_has_a_required_package(self):
        packages = {"matplotlib", *bench_peers.PEERS, *check_exporters.PACKAGES}
        self.assertEqual(set(bench_programs.requirements()), packages)


def document(circuits, runs, sources=(), **others):
    return {
        "folder": "nam", "gate_set": "nam", "cost": "total", "cost_measure": "total",
        "least_cost": 1, "seed": 0, "threads": 1, "rules": None, "extra": "",
        "parts": [], "left_out": {}, "warm_up_seconds": {},
        "runs": {run: {"budget_seconds": float(run[7:-1])} if run[:7] == "quartz " else {}
                 for run in runs},
        "sources": {source: {"seconds": None, "measured": False} for source in sources},
        "circuits": circuits,
    } | others  # fmt: skip


def entry(results, published=None, before=100):
    sizes = dict.fromkeys(("total", "two_qubit", "t", "depth"), before)
    results = {
        run: each if "failed" in each else each | {"after": sizes | each["after"]}
        for run, each in results.items()
    }
    found = {"gate_set": "nam", "before": sizes, "results": results}
    return found | {"published": published or {}}


class Comparing(unittest.TestCase):
    def setUp(self):
        self.document = document(
            {
                "a": entry({"quartz 1s": result(50), "q": result(60), "p": result(40)},
                           {"best published": {"total": 50, "two_qubit": 90}}),
                "b": entry({"quartz 1s": result(70), "q": result(60, "undecided"), "p": FAILED},
                           {"best published": {"total": 80}}),
                "c": entry({"quartz 1s": result(5, "undecided"), "q": result(60), "p": result(60)},
                           {"best published": {"total": 90}}),
            },
            ["quartz 1s", "q", "p"], ["best published"],
        )  # fmt: skip
        self.comparisons = bench_results.compare_all(self.document)["quartz 1s"]

    def words(self, rival, measure):
        found = self.comparisons[rival][measure]
        return [found[word] for word in ("better", "equal", "worse", "not_compared")]

    def test_only_verified_results_are_compared_and_the_others_are_listed(self):
        self.assertEqual(self.words("q", "total"), [["a"], [], [], ["b", "c"]])
        self.assertEqual(self.words("p", "total"), [[], [], ["a"], ["b", "c"]])
        self.assertAlmostEqual(self.comparisons["q"]["total"]["change"], 50 / 60 - 1, places=4)

    def test_the_best_peer(self):
        self.assertEqual(self.words(bench_results.BEST_PEER, "total"), [[], [], ["a"], ["b", "c"]])

    def test_published_sizes_are_compared_in_their_measures(self):
        self.assertEqual(self.words("best published", "total"), [["b"], ["a"], [], ["c"]])
        self.assertEqual(self.words("best published", "two_qubit"), [[], [], ["a"], ["b", "c"]])
        self.assertNotIn("t", self.comparisons["best published"])

    def test_the_summary_lists_unsuccessful_results(self):
        summary = bench_results.summarized(self.document)["summary"]
        self.assertEqual(summary["quartz 1s"]["undecided"], ["c"])
        self.assertEqual(summary["p"]["failed"], ["b"])
        self.assertEqual(summary["p"]["equivalent"], 2)

    def test_winners(self):
        self.assertEqual(bench_tables.winners({"q": 3, "p": 2}), "p")
        self.assertEqual(bench_tables.winners({"q": 2, "p": 2}), "all")
        self.assertEqual(bench_tables.winners({"q": 2, "p": 2, "r": 3}), "q, p")

    def test_every_table_is_printed_and_every_exception_listed(self):
        for circuit in self.document["circuits"].values():
            for each in circuit["results"].values():
                if "after" in each:
                    each |= {"seconds": 1.0, "checked_by": "qcec"}
        self.document["left_out"]["d"] = "no bundled gate set has its gates {rxx}"
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            bench_tables.show(bench_results.summarized(self.document))
        for line in ("not measured: d: no bundled", "undecided: c: quartz 1s", "failed: b: p"):
            self.assertIn(line, text.getvalue())


class Merging(unittest.TestCase):
    def test_circuits_and_runs_measured_separately_are_merged(self):
        one = document({"b": entry({"quartz 1s": result(50)})}, ["quartz 1s"], parts=[1])
        two = document({"a": entry({"quartz 1s": result(70)}),
                        "b": entry({"quartz 0.1s": result(60)})},
                       ["quartz 1s", "quartz 0.1s"], parts=[1, 2])  # fmt: skip
        found = bench_results.merged([one, two])
        self.assertEqual(list(found["circuits"]), ["a", "b"])
        self.assertEqual(set(found["circuits"]["b"]["results"]), {"quartz 1s", "quartz 0.1s"})
        self.assertEqual(bench_results.quartz_runs(found), ["quartz 0.1s", "quartz 1s"])
        self.assertEqual(found["summary"]["quartz 0.1s"]["circuits"], 1)
        self.assertEqual(found["parts"], [1, 2])
        self.assertEqual(one["circuits"]["b"]["results"].keys(), {"quartz 1s"})

    def test_measurements_of_different_things_are_not_merged(self):
        one = document({"a": entry({})}, [])
        others = [
            one | {"cost": "t"},
            one | {"gate_set": "ibm"},
            document({"a": entry({}, before=9)}, []),
        ]
        for other in others:
            with self.assertRaises(ValueError):
                bench_results.merged([one, other])


class CheckingLater(unittest.TestCase):
    def test_unchecked_results_get_a_verdict_and_nothing_else(self):
        asked = []

        def check(_python, left, right):
            asked.append((left.name, right.name))
            return {"verdict": "equivalent", "checked_by": "qcec"}

        with tempfile.TemporaryDirectory() as folder:
            settings = argparse.Namespace(
                json=pathlib.Path(folder, "r.json"), work=pathlib.Path(folder, "work")
            )
            unchecked = result(50) | bench.NOT_CHECKED
            results = {"quartz 1s": unchecked, "tzap": result(60, "not equivalent")}
            runs = ("quartz 1s", "tzap")
            settings.json.write_text(json.dumps(document({"a": entry(results)}, runs)))
            with (
                mock.patch.object(bench, "check", check),
                mock.patch.object(bench_programs, "require_commands"),
                mock.patch.object(bench_programs, "make_venv"),
                contextlib.redirect_stderr(io.StringIO()),
            ):
                checked = bench.check_outputs(settings)
        self.assertEqual(asked, [("input.qasm", "quartz_1s.qasm")])
        self.assertEqual(checked["summary"]["quartz 1s"]["equivalent"], 1)
        self.assertAlmostEqual(checked["summary"]["quartz 1s"]["reduction"]["total"], 0.5)
        self.assertEqual(checked["summary"]["tzap"]["not_equivalent"], ["a"])


class References(unittest.TestCase):
    def read(self, content, gate_set="nam"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "reference.json"
            path.write_text(json.dumps(content))
            return bench_reference.read(path, gate_set)

    def test_a_file_ordered_by_circuit(self):
        sources = self.read({"gate_set": "nam {h,x,rz,cx}", "circuits": {"a": {
            "original": 90, "original_cx": 40, "voqc": 60, "queso_1h": 50, "quarl_24h_gpu": None,
            "quartz_best_any_24h": 55, "qalm_1h_best_of_5": {"total": 45, "cx": 20},
            "tzap_0_8_0_O3": {"total": 58, "cx": 30, "t": 8, "seconds": 0.1},
            "best_known_total": 44, "best_known_cx_nam_set": 19}}})  # fmt: skip
        sizes = {name: source.circuits["a"] for name, source in sources.items()}
        self.assertEqual(sizes, {
            "published voqc": {"total": 60}, "published queso 1h": {"total": 50},
            "upstream quartz best any 24h": {"total": 55},
            "published qalm 1h best of 5": {"total": 45, "two_qubit": 20},
            "published tzap 0 8 0 O3": {"total": 58, "two_qubit": 30, "t": 8},
            "best published": {"total": 44, "two_qubit": 19}})  # fmt: skip
        self.assertEqual(sources["published qalm 1h best of 5"].seconds, 3600)
        self.assertIsNone(sources["published voqc"].seconds)
        measured = [name for name, source in sources.items() if source.measured]
        self.assertEqual(measured, ["published tzap 0 8 0 O3"])

    def test_a_file_ordered_by_source(self):
        sources = self.read({"gate_set": "ibm {rz, sx, x, cx}", "what": "totals",
                             "quarl": {"a": [41, 16], "b": [164, None]}, "quartz": {"a": 52}},
                            "ibm")  # fmt: skip
        sizes = {name: source.circuits for name, source in sources.items()}
        self.assertEqual(sizes, {
            "published quarl": {"a": {"total": 41, "two_qubit": 16}, "b": {"total": 164}},
            "upstream quartz": {"a": {"total": 52}}})  # fmt: skip

    def test_an_earlier_results_file(self):
        earlier = document({"a": entry({"quartz 1s": result(50), "p": result(1, "undecided")})}, [])
        sources = self.read(earlier | {"summary": {}}, "ibm")
        self.assertEqual(list(sources), ["quartz 1s on nam"])
        self.assertEqual(sources["quartz 1s on nam"].circuits["a"]["total"], 50)

    def test_figures_for_another_gate_set_are_refused(self):
        with self.assertRaisesRegex(ValueError, "nam, not ibm"):
            self.read({"gate_set": "nam {h}", "circuits": {}}, "ibm")


class Plotting(unittest.TestCase):
    def setUp(self):
        results = {"quartz 1s": result(50) | {"seconds": 1.0, "whole_process_seconds": 1.2},
                   "q": result(80) | {"seconds": 0.1}, "p": FAILED}  # fmt: skip
        published = {"best published": {"total": 40}, "rare": {"total": 20}}
        self.document = bench_results.summarized(
            document({"a": entry(results, published),
                      "b": entry(results, {"best published": {"total": 40}})},
                     results, ["best published", "rare"])
        )  # fmt: skip

    def assert_points(self, found, expected):
        self.assertEqual([(time, name) for time, _, name in found],
                         [(time, name) for time, _, name in expected])  # fmt: skip
        for (_, left, _), (_, right, _) in zip(found, expected, strict=True):
            self.assertAlmostEqual(left, right)

    def test_runs_are_plotted_at_the_time_they_took(self):
        ours = bench_plot.points(self.document, bench_results.quartz_runs(self.document))
        self.assert_points(ours, [(1.2, 50, "quartz 1s")])
        peers = bench_plot.points(self.document, bench_results.peer_runs(self.document))
        self.assert_points(peers, [(0.1, 20, "q")])  # p has no time

    def test_published_figures_state_their_number_of_circuits(self):
        self.assert_points(
            bench_plot.published(self.document),
            [(None, 60, "best published"), (None, 80, "rare (1 of 2)")],
        )

    def test_labels_are_moved_apart(self):
        moved = bench_plot.spread([1, 0, 1, 9], 2)
        self.assertAlmostEqual(sum(moved), 11)
        self.assertEqual([moved.index(each) for each in sorted(moved)], [1, 0, 2, 3])
        for below, above in itertools.pairwise(sorted(moved)):
            self.assertGreaterEqual(above - below, 2 - 1e-9)
        self.assertEqual(bench_plot.spread([], 1), [])


if __name__ == "__main__":
    unittest.main()
