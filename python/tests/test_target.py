"""Gate sets, costs, coupling maps, rule sets, class tables, and quartz.generate."""

import json
import math
import pathlib
import tempfile
import unittest

import quartz

import sample_circuits as circuits

WEIGHTS = {
    "format": "quartz-cost",
    "version": 1,
    "name": "mine",
    "gates": [{"gate": "cx", "weight": 10}, {"gate": "cx", "qubits": [0, 1], "weight": 2.5}],
    "default": 1,
}


class GateSets(unittest.TestCase):
    def test_bundled_ones_load_by_name(self):
        self.assertIn("ibm_heron", quartz.GateSet.bundled())
        nam = quartz.GateSet.load("nam")
        self.assertEqual((nam.name, nam.gates), ("nam", ["h", "x", "rz", "cx"]))
        self.assertEqual(nam.default_cost.name, "total")

    def test_a_file_and_its_text_give_the_same_set(self):
        text = json.dumps(
            {
                "format": "quartz-gate-set",
                "version": 1,
                "name": "mine",
                "gates": [{"gate": "h"}, {"gate": "s"}, {"gate": "cz"}],
            }
        )
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine.json"
            path.write_text(text)
            self.assertEqual(quartz.GateSet.load(str(path)).digest, quartz.GateSet.parse(text).digest)

    def test_errors_have_their_place(self):
        with self.assertRaises(quartz.InputError) as caught:
            quartz.GateSet.parse('{"format": "quartz-gate-set",\n"version": "one"}', name="mine")
        self.assertEqual((caught.exception.file, caught.exception.line), ("mine", 2))
        with self.assertRaises(quartz.UsageError):
            quartz.GateSet.load("no_such_set")

    def test_translate(self):
        circuit = quartz.Circuit.from_qasm(circuits.TOFFOLI_TWICE)
        translated = quartz.GateSet.load("nam").translate(circuit)
        self.assertLessEqual(set(translated.counts()), {"h", "x", "rz", "cx"})
        self.assertEqual(quartz.check(circuit, translated).verdict, "equal")


class CustomGates(unittest.TestCase):
    """Gates belong to the set that declares them: two sets give one name to different gates."""

    PROGRAM = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; entangle q[0],q[1];'

    def setUp(self):
        self.sets = {
            body: quartz.GateSet.parse(
                json.dumps(
                    {
                        "format": "quartz-gate-set",
                        "version": 1,
                        "name": "entangling",
                        "gates": [{"gate": "h"}, {"gate": f"gate entangle a, b {{ {body} a, b; }}"}],
                    }
                )
            )
            for body in ("cx", "cz")
        }

    def test_programs_and_circuits_know_the_gates_of_their_set(self):
        for body, own in [*self.sets.items(), *self.sets.items()]:
            plain = self.PROGRAM.replace("entangle", body)
            circuit = quartz.Circuit.from_qasm(self.PROGRAM, gate_set=own)
            self.assertEqual([each.name for each in circuit], ["entangle"])
            self.assertEqual(quartz.check(circuit, plain).verdict, "equal")
            self.assertEqual(quartz.check(self.PROGRAM, plain, gate_set=own).verdict, "equal")
            built = quartz.Circuit(2).append("entangle", [0, 1], gate_set=own)
            self.assertEqual(quartz.check(built, plain).verdict, "equal")
            result = quartz.optimize(self.PROGRAM, own, steps=10, threads=1, search="fold")
            self.assertEqual(result.after, {"entangle": 1})
            self.assertEqual(result.checked.verdict, "equal")

    def test_no_other_program_knows_them(self):
        with self.assertRaisesRegex(quartz.InputError, "unknown gate 'entangle'"):
            quartz.Circuit.from_qasm(self.PROGRAM)
        with self.assertRaisesRegex(quartz.InputError, "unknown gate 'entangle'"):
            quartz.check(self.PROGRAM, self.PROGRAM)
        with self.assertRaisesRegex(quartz.UsageError, 'no gate "entangle"'):
            quartz.Circuit(2).append("entangle", [0, 1])

    def test_files_may_name_them(self):
        weights = json.dumps(dict(WEIGHTS, gates=[{"gate": "entangle", "weight": 10}]))
        for own in self.sets.values():
            circuit = quartz.Circuit(2).h(0).append("entangle", [0, 1], gate_set=own)
            self.assertEqual(quartz.Cost.parse(weights, gate_set=own).values(circuit), {"mine": 11.0})
        with self.assertRaisesRegex(quartz.InputError, "unknown gate 'entangle'"):
            quartz.Cost.parse(weights)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rules.json"
            own = self.sets["cz"]
            quartz.generate(own, gates=2, qubits=2).rules.write(file)
            self.assertEqual(quartz.RuleSet.load(file, own).gate_set_digest, own.digest)
            with self.assertRaisesRegex(quartz.InputError, "unknown gate"):
                quartz.RuleSet.load(file)


class Costs(unittest.TestCase):
    def test_names_files_and_texts(self):
        nam = quartz.GateSet.load("nam")
        circuit = quartz.Circuit.from_qasm('OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; cx q[0],q[1]; cx q[1],q[2];')
        mine = quartz.Cost.parse(json.dumps(WEIGHTS))
        self.assertEqual(mine.values(circuit), {"mine": 12.5})
        joined = quartz.Cost.join([quartz.Cost.load("two-qubit", nam), mine])
        self.assertEqual(joined.name, "two-qubit,mine")
        self.assertEqual(joined.values(circuit), {"two-qubit": 2, "mine": 12.5})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine.json"
            path.write_text(json.dumps(WEIGHTS))
            self.assertEqual(quartz.Cost.load(f"total,{path}", nam).values(circuit), {"total": 2, "mine": 12.5})

    def test_bundled_error_tables(self):
        self.assertIn("ibm_heron_errors", quartz.costs.bundled())
        heron = quartz.GateSet.load("ibm_heron")
        cost = quartz.Cost.load(str(quartz.costs.bundled()["ibm_heron_errors"]), heron)
        value = cost.values(quartz.Circuit.from_qasm('OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; cz q[0],q[1];'))
        self.assertTrue(0 < value["ibm_heron_errors"] < -math.log(0.9))

    def test_bad_lists_are_refused(self):
        nam = quartz.GateSet.load("nam")
        for bad in ("", "no_such_cost", "total,total"):
            with self.assertRaises(quartz.UsageError):
                quartz.Cost.load(bad, nam)


class CouplingMaps(unittest.TestCase):
    def test_direction(self):
        undirected = quartz.CouplingMap([(0, 1)])
        self.assertIn((1, 0), undirected)
        directed = quartz.CouplingMap([(0, 1)], directed=True)
        self.assertIn((0, 1), directed)
        self.assertNotIn((1, 0), directed)
        self.assertEqual((len(directed), directed.directed), (1, True))

    def test_of_a_circuit(self):
        coupling = quartz.CouplingMap.of(quartz.Circuit.from_qasm(circuits.MEASURED))
        self.assertEqual(len(coupling), 1)

    def test_a_pair_of_the_same_qubit_is_refused(self):
        with self.assertRaises(quartz.UsageError):
            quartz.CouplingMap([(1, 1)])
        with self.assertRaisesRegex(quartz.UsageError, "pairs of qubits, whose numbers are from 0 to 4294967295, not -1$"):
            quartz.CouplingMap([(0, -1)])
        for bad in ([(0, 1.5)], [(0, 1, 2)], [0, 1], 3, "01"):
            with self.assertRaisesRegex(TypeError, r"a list of pairs of qubits such as \[\(0, 1\), \(1, 2\)\], not of"):
                quartz.CouplingMap(bad)

    def test_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "line.json"
            path.write_text('{"format": "quartz-coupling", "version": 1, "pairs": [[0, 1], [1, 2]]}')
            self.assertEqual(len(quartz.CouplingMap.load(path)), 2)


class Backends(unittest.TestCase):
    def setUp(self):
        entry = self.gate_entry
        self.properties = json.dumps({
            "backend_name": "toy",
            "qubits": [[], [], [{"name": "readout_length", "unit": "ns", "value": 1500}]],
            "gates": [entry("rz", [0], 0, 0), entry("sx", [0], 1e-3, 30), entry("x", [0], 1e-3, 30),
                      entry("cz", [0, 1], 0.01, 100), entry("cz", [1, 2], 0.02, 200), entry("cz", [0, 2], 1, 100)],
        })  # fmt: skip
        self.configuration = json.dumps({
            "backend_name": "toy", "n_qubits": 3, "basis_gates": ["id", "rz", "sx", "x", "cz"],
            "coupling_map": [[0, 1], [1, 2], [0, 2]],
        })  # fmt: skip

    @staticmethod
    def gate_entry(gate, qubits, error, nanoseconds):
        values = [{"name": "gate_error", "unit": "", "value": error},
                  {"name": "gate_length", "unit": "ns", "value": nanoseconds}]  # fmt: skip
        return {"gate": gate, "qubits": qubits, "parameters": values}

    def test_what_a_file_says(self):
        backend = quartz.Backend.parse(self.properties)
        self.assertEqual((backend.name, backend.gates, backend.qubits), ("toy", ["cz", "rz", "sx", "x"], [0, 1, 2]))
        self.assertEqual(backend.gate_set_name(), "ibm_heron")
        self.assertEqual(len(backend.coupling), 2)
        circuit = quartz.Circuit.from_qasm('OPENQASM 2.0;include "qelib1.inc";qreg q[3];sx q[0];cz q[1],q[2];cz q[0],q[1];')
        self.assertEqual(backend.duration.values(circuit), {"duration": 300})
        self.assertAlmostEqual(backend.error.values(circuit)["error"], -math.log(0.999 * 0.98 * 0.99), places=7)
        alone = quartz.Backend.parse(self.configuration)
        self.assertEqual((alone.error, alone.duration, len(alone.coupling)), (None, None, 3))

    def test_optimize_for_a_device(self):
        program = ('OPENQASM 2.0;include "qelib1.inc";qreg q[3];'
                   "cz q[0],q[1];cz q[1],q[2];sx q[0];sx q[0];cz q[1],q[2];")  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / name for name in ("props.json", "conf.json")]
            files[0].write_text(self.properties)
            files[1].write_text(self.configuration)
            for backend in (files[0], str(files[0]), files, quartz.Backend.load(files)):
                result = quartz.optimize(program, backend_json=backend, cost="two-qubit,error,duration", steps=1000, threads=1)
                self.assertEqual(result.statistics["gate_set"], "ibm_heron")
                self.assertEqual(result.cost_before["duration"], 500)
                self.assertEqual(result.cost_after["duration"], 130)
                self.assertTrue(result.checked)
            wide = 'OPENQASM 2.0;include "qelib1.inc";qreg q[4];h q[3];'
            with self.assertRaisesRegex(quartz.InputError, "qubit 3"):
                quartz.optimize(wide, backend_json=files[0])
            with self.assertRaisesRegex(quartz.UsageError, "no error rate of h"):
                quartz.optimize(program, "nam", "error", backend_json=files[0])

    def test_errors_have_their_place(self):
        with self.assertRaisesRegex(quartz.InputError, r"^props.json:1:\d+: gates\[0\].parameters\[0\].value: expected"):
            quartz.Backend.parse(self.properties.replace('"value": 0}', '"value": -1}', 1), name="props.json")


class Rules(unittest.TestCase):
    def test_generated_rules_can_be_written_and_read(self):
        phases = []
        result = quartz.generate("nam", gates=2, qubits=2, threads=1, progress=lambda *call: phases.append(call[0]))
        self.assertEqual(result.proofs_found, result.proofs_tried)
        self.assertEqual((len(result.rules), result.rules.rule_count), (result.classes, result.rule_count))
        with tempfile.TemporaryDirectory() as folder:
            for name in ("rules.json", "rules.json.zst"):
                path = pathlib.Path(folder) / name
                result.rules.write(path)
                self.assertEqual(quartz.RuleSet.load(path).rule_count, result.rule_count)

    def test_bundled_ones(self):
        rules = quartz.RuleSet.bundled(quartz.GateSet.load("nam"))
        self.assertEqual((rules.gate_set, rules.rule_count), ("nam", 80))

    def test_imported_rules_are_proved(self):
        circuits = [[[1, 1, 1, 2, [], []], [["x", ["Q0"], ["Q0"]], ["rz", ["Q0"], ["Q0", "P0"]]]],
                    [[1, 1, 2, 3, [], []], [["neg", ["P1"], ["P0"]], ["rz", ["Q0"], ["Q0", "P1"]], ["x", ["Q0"], ["Q0"]]]],
                    [[1, 1, 1, 1, [], []], [["x", ["Q0"], ["Q0"]]]]]  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "set.json"
            path.write_text(json.dumps([[], {"0_0": circuits}]))
            result = quartz.import_rules(path, "nam", threads=1)
            self.assertEqual((result.circuits_read, result.proofs_tried, result.proofs_found), (3, 2, 0))
            path.write_text(json.dumps([[], {"0_0": circuits[:2]}]))
            result = quartz.import_rules(path, "nam", threads=1)
            self.assertEqual((result.proofs_found, result.rule_count, result.circuits_omitted), (1, 2, 0))
            path.write_text("[[], {")
            with self.assertRaises(quartz.InputError):
                quartz.import_rules(path, "nam")

    def test_sizes_out_of_range_are_refused(self):
        with self.assertRaises(quartz.UsageError):
            quartz.generate("nam", gates=3, qubits=40)


class ClassTables(unittest.TestCase):
    def test_a_written_table_can_be_opened(self):
        nam = quartz.GateSet.load("nam")
        table = quartz.ClassTable.build(nam, qubits=2, cost=3, threads=1)
        self.assertIsNone(table.file)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "nam.table"
            table.write(path)
            again = quartz.ClassTable.load(path, nam)
            self.assertEqual(again.classes, table.classes)
            self.assertEqual((again.gate_set, again.qubits, again.cost), ("nam", 2, 3))
            self.assertEqual(again.file, path)
            with self.assertRaises(quartz.InputError):
                quartz.ClassTable.load(path, quartz.GateSet.load("ibm"))


if __name__ == "__main__":
    unittest.main()
