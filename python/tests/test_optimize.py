"""quartz.optimize: results, options, progress, Ctrl-C, threads."""

import os
import pathlib
import pickle
import signal
import tempfile
import threading
import unittest
import warnings

import numpy
import quartz

import sample_circuits as circuits
import textbook_unitaries as matrices


def optimize(circuit, **arguments):
    """Optimizes with a number of steps and a small table, so that results do not depend on the time."""
    return quartz.optimize(circuit, **{"steps": 20000, "threads": 1, **arguments})


class Results(unittest.TestCase):
    def test_are_equal_to_the_input_and_cheaper(self):
        for seed in range(3):
            text = circuits.random_qasm(40, 4, seed)
            given = quartz.Circuit.from_qasm(text)
            result = optimize(text)
            numpy.testing.assert_allclose(
                matrices.unitary_of(result.circuit), matrices.unitary_of(given), atol=1e-9
            )
            self.assertLess(result.circuit.gate_count, given.gate_count)
            self.assertEqual(result.before, given.counts())
            self.assertEqual(result.after, result.circuit.counts())
            self.assertEqual(result.cost_after, {"total": result.circuit.gate_count})
            self.assertTrue(result.checked)
            self.assertEqual(result.checked.verdict, "equal")
            self.assertEqual(result.stop_reason, "step limit")

    def test_paths_texts_and_circuits_are_accepted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.qasm"
            path.write_text(circuits.TOFFOLI_TWICE)
            circuit = quartz.Circuit.from_file(path)
            texts = {optimize(each).circuit.to_qasm() for each in (path, str(path), circuit, circuits.TOFFOLI_TWICE)}
        self.assertEqual(len(texts), 1)

    def test_measurements_conditions_and_names_are_kept(self):
        result = optimize(circuits.MEASURED)
        self.assertEqual(result.circuit.bit_registers, {"c": 2})
        self.assertEqual(result.after["measure"], 1)
        self.assertTrue(result.checked)

    def test_free_parameters_are_kept(self):
        result = optimize(circuits.PARAMETRIZED)
        (gate,) = result.circuit
        self.assertEqual(gate.parameters, (quartz.Angle("3*theta+pi/4"),))

    def test_survive_pickling(self):
        result = optimize(circuits.TOFFOLI_TWICE)
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual((again.circuit, again.checked), (result.circuit, result.checked))

    def test_have_drawings_and_tables_for_notebooks(self):
        result = optimize(circuits.TOFFOLI_TWICE)
        html = result._repr_html_()
        self.assertTrue(html.startswith("<div"))
        self.assertIn("<td>ccx</td><td>2</td><td>0</td><td>0</td>", html)
        self.assertEqual(html.count("<svg"), 3)
        self.assertIn(f"Checked: {result.checked}", html)
        self.assertIn("total ", str(result))
        self.assertLess(len(repr(result)), 2000)

    def test_have_the_report_of_the_command(self):
        result = optimize(circuits.random_qasm(40, 4, 2), seed=3, explain=True)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.html"
            document = result.report(path)
            self.assertEqual(path.read_text(encoding="utf-8"), document)
        self.assertTrue(document.startswith("<!DOCTYPE html>"))
        for heading in ("Circuits", "Gates by kind", "Cost during the search", "Gates removed by each pass",
                        "Rewrites that led to the result", "Check of the result", "How to repeat the run"):
            self.assertIn(f"<h2>{heading}</h2>", document)
        self.assertNotIn("Rewrites that led to the result", optimize(circuits.random_qasm(40, 4, 2)).report())
        with self.assertRaises(OSError):
            result.report("/no/such/folder/report.html")

    def test_have_the_statistics_of_the_command(self):
        result = optimize(circuits.TOFFOLI_TWICE)
        self.assertEqual(result.statistics["after"]["total"], result.circuit.gate_count)
        self.assertEqual(result.statistics["input"]["gates"], result.before)
        self.assertEqual(result.statistics["gate_set"], "nam")
        self.assertTrue(result.statistics["verified"])

    def test_have_the_history_of_the_cost(self):
        result = optimize(circuits.random_qasm(60, 4, 5), cost="two-qubit,total")
        self.assertTrue(result.cost_history)
        costs = [tuple(cost.values()) for _, cost in result.cost_history]
        self.assertEqual(costs, sorted(costs, reverse=True))
        times = [seconds for seconds, _ in result.cost_history]
        self.assertEqual(times, sorted(times))
        self.assertEqual([*result.cost_history[0][1]], ["two-qubit", "total"])
        self.assertGreaterEqual(costs[-1], tuple(result.cost_after.values()))

    def test_say_how_they_can_be_repeated(self):
        given = quartz.Circuit.from_qasm(circuits.TOFFOLI_TWICE)
        result = optimize(given, seed=7, coupling=numpy.array([(0, 1), (1, 2), (0, 2)]), progress=lambda *_: None)
        self.assertEqual(result.call, "quartz.optimize(circuit, threads=1, seed=7, coupling=coupling, steps=20000)")
        again = eval(result.call, {"quartz": quartz, "circuit": given, "coupling": [(0, 1), (1, 2), (0, 2)]})
        self.assertEqual(again.circuit, result.circuit)
        self.assertEqual(again.given, given)

    def test_say_which_passes_paid(self):
        result = optimize(circuits.TOFFOLI_TWICE)
        self.assertIn("fold", " ".join(each.description for each in result.passes))
        self.assertTrue(any(each.gates_removed > 0 for each in result.passes))


class Options(unittest.TestCase):
    def test_gate_set_and_cost(self):
        result = optimize(circuits.TOFFOLI_TWICE, gate_set="ibm_heron", cost="two-qubit,ibm_heron_errors")
        self.assertLessEqual(set(result.after), {"rz", "sx", "x", "cz"})
        self.assertEqual(list(result.cost_after), ["two-qubit", "ibm_heron_errors"])
        self.assertEqual(result.cost_after["two-qubit"], result.circuit.two_qubit_count)

    def test_the_cost_of_the_gate_set_is_the_default(self):
        self.assertEqual(list(optimize(circuits.TOFFOLI_TWICE, gate_set="ibm_heron").cost_after), ["two-qubit", "two-qubit-depth", "total"])

    def test_coupling(self):
        text = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; cx q[0],q[1]; cx q[1],q[2]; cx q[0],q[1];'
        for coupling in ("auto", [(0, 1), (1, 2)], quartz.CouplingMap([(0, 1), (1, 2)])):
            result = optimize(text, coupling=coupling)
            self.assertTrue(all(set(gate.qubits) != {0, 2} for gate in result.circuit))
        with self.assertRaises(quartz.InputError):
            optimize(text, coupling=[(0, 1)])

    def test_gates_of_the_program_stay(self):
        text = (
            'OPENQASM 3.0; include "stdgates.inc"; gate pair a, b { h a; cx a, b; cx a, b; t b; t b; } '
            "qubit[2] q; pair q[0], q[1]; pair q[1], q[0];"
        )
        result = optimize(text, keep_gates=True)
        self.assertEqual(result.after, {"pair": 2})
        self.assertEqual(result.circuit.gate_count, 4)
        self.assertTrue(result.checked)
        self.assertIn("gate pair q0,q1 {", result.circuit.to_qasm())
        self.assertEqual(pickle.loads(pickle.dumps(result.circuit)), result.circuit)
        numpy.testing.assert_allclose(
            result.circuit.unitary(), quartz.Circuit.from_qasm(text).unitary(), atol=1e-9
        )
        with self.assertRaisesRegex(quartz.UsageError, "keep_gates"):
            optimize(text, keep_gates=True, ancillas=1)

    def test_a_program_starts_in_zero_and_ends_in_its_measurements(self):
        text = """OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg c[1];
            cx q[0],q[1]; h q[1]; ccx q[0],q[1],q[2]; t q[1]; measure q[1] -> c[0];"""
        plain = quartz.optimize(text, "nam", time=0)
        program = quartz.optimize(text, "nam", time=0, program=True)
        self.assertGreater(plain.after["cx"], 0)
        self.assertEqual(program.after, {"h": 1, "measure": 1})
        self.assertTrue(program.checked)
        self.assertTrue(quartz.check(text, program.circuit, program=True))
        self.assertFalse(quartz.check(text, program.circuit))

    def test_nothing_is_known_of_states_beyond_a_barrier(self):
        text = """OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[2];
            barrier q; cx q[0],q[1]; barrier q; cx q[0],q[1]; barrier q; measure q -> c;"""
        for edges in ({"program": True}, {"initial_state": "zero"}, {"final_state": "discarded"}):
            kept = quartz.optimize(text, "nam", time=0, **edges)
            self.assertEqual(kept.after["cx"], 2, edges)
            self.assertEqual(kept.known_states, {"gates_removed": 0, "gates_replaced": 0})
        ignored = quartz.optimize(text, "nam", time=0, program=True, barriers="ignore")
        self.assertNotIn("cx", ignored.after)
        self.assertEqual(ignored.known_states, {"gates_removed": 2, "gates_replaced": 0})
        self.assertEqual(ignored.statistics["known_states"], ignored.known_states)

    def test_ancillas(self):
        text = """OPENQASM 2.0; include "qelib1.inc"; qreg q[5];
            ccx q[0],q[1],q[2]; ccx q[2],q[3],q[4]; ccx q[0],q[1],q[2];"""
        result = quartz.optimize(text, "nam", cost="t,total", steps=20_000, ancillas=10)
        self.assertGreater(result.ancillas, 0)
        self.assertIn(f", with {result.ancillas} ancilla", str(result))
        self.assertGreater(result.statistics["after"]["measurements"], 0)
        self.assertEqual(result.statistics["after"]["qubits"], 5 + result.ancillas)
        self.assertEqual(result.statistics["after"]["t_depth"], result.circuit.t_depth)
        self.assertEqual(result.circuit.num_qubits, 5 + result.ancillas)
        self.assertTrue(quartz.check(text, result.circuit, ancillas=True))
        without = quartz.optimize(text, "nam", cost="t,total", steps=20_000)
        self.assertEqual(without.ancillas, 0)
        self.assertLess(result.cost_after["t"], without.cost_after["t"])
        with self.assertRaisesRegex(quartz.UsageError, "^ancillas cannot be combined with coupling: "):
            quartz.optimize(text, "nam", ancillas=1, coupling=[(0, 1)])

    def test_equal_rotations_become_fewer_with_ancillas(self):
        text = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; rz(0.3) q[0]; rz(0.3) q[1]; rz(0.3) q[2];'
        result = quartz.optimize(text, "clifford_t", time=1, epsilon=1e-2, ancillas=2)
        self.assertEqual(result.ancillas, 1)
        self.assertEqual(result.approximated_rotations, 2)
        self.assertLess(result.checked.distance, 1e-2)
        self.assertTrue(quartz.check(text, result.circuit, ancillas=True, epsilon=1e-2))
        without = quartz.optimize(text, "clifford_t", time=0, epsilon=1e-2)
        self.assertLess(result.cost_after["t"], without.cost_after["t"])

    def test_rotations_are_approximated_within_epsilon(self):
        text = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; rz(0.3) q[0]; h q[0]; rz(0.3) q[0]; h q[0]; rz(pi/4) q[0];'
        result = quartz.optimize(text, "clifford_t", time=0, epsilon=1e-3)
        self.assertEqual(result.checked.verdict, "equal within epsilon")
        self.assertEqual(result.approximated_rotations, 2)
        self.assertEqual(result.statistics["approximated_rotations"], 2)
        with self.assertRaisesRegex(quartz.InputError, "with an epsilon above 0, rotations are approximated"):
            quartz.optimize(text, "clifford_t", time=0)
        self.assertEqual(quartz.optimize(text, "nam", time=0, epsilon=1e-3).approximated_rotations, 0)

    def test_qubits_may_end_in_another_order(self):
        text = """OPENQASM 2.0; include "qelib1.inc"; qreg q[3];
            h q[0]; swap q[0],q[1]; cx q[1],q[2]; swap q[1],q[2]; t q[2];"""
        result = quartz.optimize(text, "nam", time=0, permutation="free")
        self.assertEqual(result.after, {"h": 1, "cx": 1, "rz": 1})
        self.assertEqual(result.permutation, (1, 2, 0))
        self.assertIn("// output permutation: [1, 2, 0]", result.circuit.to_qasm())
        self.assertTrue(quartz.check(text, result.circuit, permutation="free"))
        self.assertFalse(quartz.check(text, result.circuit))
        coupled = quartz.optimize(text, "nam", time=0, permutation="free", coupling="auto")
        self.assertTrue(quartz.check(text, coupled.circuit, permutation="free"))

    def test_gate_sets_that_are_not_universal(self):
        text = """{"format": "quartz-gate-set", "version": 1, "name": "few", "gates": [%s],
            "alphabet": {"parameters": 1, "expressions": ["p0"]}}"""
        for names, body in (
            # Simplified, the first one has rz, the second one cx; the third one has a gate on four qubits.
            ("cx h rzz t", "h q[0]; rzz(0.3) q[1],q[0]; h q[0];"),
            ("ecr p swap", "ecr q[0],q[1]; swap q[0],q[1]; swap q[1],q[2]; swap q[0],q[1]; p(0.3) q[2]; p(0.1) q[2];"),
            ("c3x cx", "c3x q[0],q[1],q[2],q[3]; cx q[0],q[1]; cx q[0],q[1];"),
        ):
            few = quartz.GateSet.parse(text % ", ".join(f'{{"gate": "{name}"}}' for name in names.split()))
            circuit = f'OPENQASM 2.0; include "qelib1.inc"; qreg q[4]; creg c[1]; {body} measure q[0] -> c[0];'
            for options in ({}, {"program": True}, {"search": "anneal"}):
                if "c3x" in names and "search" in options:  # no class table has gates on four qubits
                    with self.assertRaisesRegex(quartz.UsageError, "c3x on more than 3 qubits"):
                        optimize(circuit, gate_set=few, rules=quartz.RuleSet.empty(few), **options)
                    continue
                result = optimize(circuit, gate_set=few, rules=quartz.RuleSet.empty(few), **options)
                self.assertTrue(result.checked)
                self.assertLessEqual(set(result.after), {*names.split(), "measure"})

    def test_rules_and_tables(self):
        nam = quartz.GateSet.load("nam")
        with tempfile.TemporaryDirectory() as folder:
            table = quartz.ClassTable.build(nam, cost=3)
            with self.assertRaisesRegex(quartz.UsageError, "table"):
                optimize(circuits.TOFFOLI_TWICE, table=table)
            table.write(pathlib.Path(folder) / "table")
            result = optimize(circuits.TOFFOLI_TWICE, table=table, rules=quartz.RuleSet.empty(nam), cache=False)
            self.assertTrue(result.checked)

    def test_steps_make_runs_repeatable(self):
        texts = {optimize(circuits.random_qasm(40, 4, 7), seed=5).circuit.to_qasm() for _ in range(2)}
        self.assertEqual(len(texts), 1)

    def test_version_of_the_result(self):
        self.assertTrue(optimize(circuits.TOFFOLI_TWICE, qasm=3).circuit.to_qasm().startswith("OPENQASM 3"))
        with self.assertRaises(quartz.UsageError):
            optimize(circuits.PARAMETRIZED, qasm=2)

    def test_journal_and_rules_are_returned_if_requested(self):
        result = optimize(circuits.TOFFOLI_TWICE, journal=True, emit_rules=True)
        self.assertIsInstance(result.journal, bytes)
        self.assertTrue(result.journal)
        self.assertIsInstance(result.rules, quartz.RuleSet)
        self.assertIsNone(optimize(circuits.TOFFOLI_TWICE).journal)

    def test_the_check_can_be_left_out(self):
        result = optimize(circuits.TOFFOLI_TWICE, check="off")
        self.assertEqual(result.checked.verdict, "not checked")
        self.assertFalse(result.checked)

    def test_bad_values_are_refused_by_name(self):
        for name, value in {"check": "maybe", "barriers": "eat", "exactness": "no", "search": "no", "time": -1, "steps": 0}.items():
            with self.assertRaisesRegex(quartz.UsageError, name if name != "search" else "auto"):
                optimize(circuits.TOFFOLI_TWICE, **{name: value})
        for name, value in {"threads": "two", "seed": 1.5, "cost": 3, "rules": 3}.items():
            with self.assertRaisesRegex(TypeError, "" if name == "cost" else name):
                optimize(circuits.TOFFOLI_TWICE, **{name: value})
        with self.assertRaises(TypeError):
            optimize(circuits.TOFFOLI_TWICE, no_such_option=1)
        with self.assertRaises(quartz.UsageError):
            optimize(circuits.TOFFOLI_TWICE, gate_set="no_such_set")
        with self.assertRaisesRegex(TypeError, "expected a quartz.Circuit"):
            optimize(3)


class Progress(unittest.TestCase):
    def test_a_function_gets_seconds_and_the_best_cost(self):
        calls = []
        quartz.optimize(circuits.random_qasm(60, 4, 1), time=1, threads=1, progress=lambda *call: calls.append(call))
        self.assertTrue(calls)
        for seconds, best_cost in calls:
            self.assertGreaterEqual(seconds, 0)
            self.assertEqual(list(best_cost), ["total"])

    def test_what_it_raises_ends_the_search(self):
        def fail(seconds, best_cost):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            quartz.optimize(circuits.random_qasm(60, 4, 1), time=600, threads=1, progress=fail)

    def test_a_bar_is_shown_if_there_is_tqdm(self):
        try:
            import tqdm  # noqa: F401
        except ImportError:
            with self.assertWarns(RuntimeWarning):
                optimize(circuits.TOFFOLI_TWICE, progress=True)
            return
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            optimize(circuits.TOFFOLI_TWICE, progress=True)


class Interruption(unittest.TestCase):
    def test_ctrl_c_keeps_the_best(self):
        def interrupt(seconds, best_cost):
            os.kill(os.getpid(), signal.SIGINT)

        text = circuits.random_qasm(60, 4, 2)
        result = quartz.optimize(text, time=600, threads=1, progress=interrupt)
        self.assertEqual(result.stop_reason, "interrupted")
        self.assertTrue(result.checked)
        numpy.testing.assert_allclose(
            matrices.unitary_of(result.circuit), matrices.unitary_of(quartz.Circuit.from_qasm(text)), atol=1e-9
        )

    def test_ctrl_c_ends_a_generation(self):
        def interrupt(*progress):
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            quartz.generate("nam", gates=6, qubits=3, threads=1, progress=interrupt)


class Threads(unittest.TestCase):
    def test_several_calls_at_once_give_the_same_results(self):
        texts = [circuits.random_qasm(40, 4, seed) for seed in range(4)]
        alone = [optimize(text).circuit.to_qasm() for text in texts]
        together = [None] * len(texts)

        def run(index):
            together[index] = optimize(texts[index]).circuit.to_qasm()

        threads = [threading.Thread(target=run, args=(index,)) for index in range(len(texts))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(together, alone)

    def test_other_threads_go_on_during_a_search(self):
        began = threading.Event()
        goes_on = threading.Event()

        def show(seconds, best_cost):
            began.set()
            if goes_on.is_set():
                raise LookupError("the other thread went on")

        def other():
            began.wait()
            goes_on.set()

        thread = threading.Thread(target=other)
        thread.start()
        with self.assertRaises(LookupError):
            quartz.optimize(circuits.random_qasm(60, 4, 3), time=600, threads=1, progress=show)
        thread.join()

    def test_a_forked_process_can_search(self):
        expected = optimize(circuits.TOFFOLI_TWICE, threads=2).circuit.gate_count
        child = os.fork()
        if child == 0:
            try:
                os._exit(optimize(circuits.TOFFOLI_TWICE, threads=2).circuit.gate_count)
            finally:
                os._exit(255)
        _, status = os.waitpid(child, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), expected)


if __name__ == "__main__":
    unittest.main()
