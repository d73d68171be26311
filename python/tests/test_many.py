"""quartz.optimize_many, on executors of this process, of its machine, and of other packages."""

import concurrent.futures
import contextlib
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import quartz

import sample_circuits as circuits

STEPS = {"gate_set": "nam", "steps": 20000, "seed": 5}
TEXTS = [circuits.random_qasm(20 + 5 * number, 4, number) for number in range(6)]
BAD = "OPENQASM 2.0; qreg q[1]; nosuchgate q[0];"


def results_of(outcomes):
    """Returns the texts of the results. Fails for an error."""
    for outcome in outcomes:
        if outcome.error is not None:
            raise outcome.error
    return [outcome.result.circuit.to_qasm() for outcome in outcomes]


def expected():
    return [quartz.optimize(text, threads=1, **STEPS).circuit.to_qasm() for text in TEXTS]


def uncoupled():
    """Returns the outcomes of circuits that violate a coupling map."""
    return quartz.optimize_many(TEXTS[:2], coupling=[(0, 1)], **STEPS)


def processes(count):
    return concurrent.futures.ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))


class OnExecutors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.expected = expected()
        cls.uncoupled = uncoupled()

    def check_executor(self, executor):
        """Results are those of one process, errors concern only their circuits, and each outcome is reported once."""
        reported = []
        outcomes = quartz.optimize_many([TEXTS[0], BAD, *TEXTS[1:]], executor=executor, on_outcome=reported.append, **STEPS)
        self.assertEqual([outcome.index for outcome in outcomes], list(range(len(TEXTS) + 1)))
        self.assertIsInstance(outcomes[1].error, quartz.InputError)
        self.assertIsNone(outcomes[1].result)
        self.assertIn("nosuchgate", str(outcomes[1]))
        self.assertEqual(results_of([outcomes[0], *outcomes[2:]]), self.expected)
        self.assertEqual(sorted(outcome.index for outcome in reported), list(range(len(TEXTS) + 1)))
        # An error that only the worker finds.
        uncoupled = quartz.optimize_many(TEXTS[:2], executor=executor, coupling=[(0, 1)], **STEPS)
        for outcome, expected in zip(uncoupled, self.uncoupled):
            self.assertIs(type(outcome.error), quartz.InputError)
            self.assertEqual(str(outcome.error), str(expected.error))
            self.assertEqual(str(pickle.loads(pickle.dumps(outcome.error))), str(expected.error))

    def test_threads_by_default(self):
        self.check_executor(None)

    def test_texts_call_the_custom_gates_of_the_set(self):
        gates = quartz.GateSet.load(str(pathlib.Path(__file__).resolve().parents[2] / "gatesets/examples/xy.json"))
        text = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; xy(pi/4) q[0],q[1];'
        (outcome,) = quartz.optimize_many([text], gates, search="fold")
        self.assertIsNone(outcome.error)
        self.assertIn("xy(", outcome.result.circuit.to_qasm())

    def test_a_pool_of_threads(self):
        with concurrent.futures.ThreadPoolExecutor(3) as executor:
            self.check_executor(executor)

    def test_a_pool_of_processes(self):
        with processes(2) as executor:
            self.check_executor(executor)

    def test_dask(self):
        try:
            import distributed
        except ImportError as error:
            raise unittest.SkipTest("Dask is not installed") from error
        cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with cluster, distributed.Client(cluster) as client:
            self.check_executor(client.get_executor())

    def test_mpi4py(self):
        try:
            import mpi4py.futures  # noqa: F401
        except ImportError as error:
            raise unittest.SkipTest("mpi4py is not installed") from error
        with tempfile.TemporaryDirectory() as folder:
            done = run_under_mpi(3, pathlib.Path(folder))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("equal to one process", done.stdout)

    def test_ray(self):
        try:
            import ray

            import quartz.ray
        except ImportError as error:
            raise unittest.SkipTest("Ray is not installed") from error
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        try:
            with quartz.ray.RayExecutor() as executor:
                self.check_executor(executor)
            with self.assertRaisesRegex(RuntimeError, "shutdown"):
                executor.submit(int)
            self.check_cancelling(quartz.ray.RayExecutor(num_cpus=2))
        finally:
            ray.shutdown()


    def check_cancelling(self, executor):
        """What has begun on an executor that runs one call at a time is finished, and the rest is cancelled."""
        with tempfile.TemporaryDirectory() as folder:
            begun, may_end = pathlib.Path(folder) / "begun", pathlib.Path(folder) / "may_end"
            futures = [executor.submit(wait_for, begun, may_end) for _ in range(4)]
            while not begun.exists():
                self.assertEqual([future.exception() for future in futures if future.done()], [])
                time.sleep(0.01)
            cancelled = [future.cancel() for future in futures]
            may_end.touch()
            executor.shutdown()
        self.assertEqual(sorted(cancelled), [False, True, True, True])
        self.assertEqual([future.cancelled() for future in futures], cancelled)
        self.assertEqual(futures[cancelled.index(False)].result(), "finished")


def wait_for(begun, may_end):
    begun.touch()
    while not may_end.exists():
        time.sleep(0.01)
    return "finished"


#: A program for mpirun: the first process has the executor, the others are its workers.
MPI_PROGRAM = """
import sys
import unittest
sys.path.insert(0, {tests!r})
from mpi4py.futures import MPICommExecutor
import quartz
import test_many

with MPICommExecutor(root=0) as executor:
    if executor is not None:
        case = test_many.OnExecutors()
        case.expected = test_many.expected()
        case.uncoupled = test_many.uncoupled()
        case.check_executor(executor)
        print("equal to one process", flush=True)
"""


#: What Open MPI needs to run as root, with more processes than cores, and without a remote shell.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_plm_rsh_agent": "",
    "OMPI_MCA_plm": "isolated",
}


def run_under_mpi(ranks, folder):
    program = folder / "program.py"
    program.write_text(MPI_PROGRAM.format(tests=str(pathlib.Path(__file__).resolve().parent)))
    try:
        return subprocess.run(
            ["mpirun", "-n", str(ranks), sys.executable, "-B", program],
            env=os.environ | MPI_ENVIRONMENT, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise unittest.SkipTest("mpirun is not installed") from error


def end_worker():
    os._exit(3)


class Errors(unittest.TestCase):
    def test_a_worker_that_dies_costs_no_result_that_was_there(self):
        reported = []
        with processes(1) as executor:
            killed = executor.submit(end_worker)
            self.assertIsInstance(killed.exception(), concurrent.futures.process.BrokenProcessPool)
            outcomes = quartz.optimize_many(TEXTS[:2], executor=executor, on_outcome=reported.append, **STEPS)
        self.assertEqual([type(outcome.error).__name__ for outcome in outcomes], ["BrokenProcessPool"] * 2)
        self.assertEqual(len(reported), 2)

    def test_an_executor_that_is_shut_down_cancels_what_it_has_not_begun(self):
        with concurrent.futures.ThreadPoolExecutor(1) as executor:

            def shut_down(_outcome):
                executor.shutdown(wait=False, cancel_futures=True)

            outcomes = quartz.optimize_many(TEXTS * 5, executor=executor, on_outcome=shut_down, **STEPS)
        self.assertIsNone(outcomes[0].error)
        self.assertIsInstance(outcomes[-1].error, concurrent.futures.CancelledError)

    def test_what_the_function_raises_ends_the_call(self):
        def fail(outcome):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            quartz.optimize_many(TEXTS * 50, on_outcome=fail, **{**STEPS, "steps": 2000})

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(TypeError, "did you mean 'time'"):
            quartz.optimize_many(TEXTS, tim=1)
        with self.assertRaisesRegex(TypeError, "circuits is a str, expected several"):
            quartz.optimize_many(TEXTS[0], "nam")
        with self.assertRaisesRegex(TypeError, "circuits is a quartz._core.Circuit, expected several"):
            quartz.optimize_many(quartz.Circuit.from_qasm(TEXTS[0]), "nam")
        with self.assertRaisesRegex(TypeError, "executor is a str, expected an executor"):
            quartz.optimize_many(TEXTS, "nam", executor="threads")
        with self.assertRaisesRegex(TypeError, "on_outcome"):
            quartz.optimize_many(TEXTS, progress=print)
        with self.assertRaises(quartz.UsageError):
            quartz.optimize_many(TEXTS, "no_such_set")
        self.assertEqual(quartz.optimize_many([], "nam"), [])
        self.assertIsInstance(quartz.optimize_many([3], "nam")[0].error, TypeError)

    def test_options_that_are_bad_for_all_circuits_are_refused_at_once(self):
        for error, options in (
            (quartz.UsageError, {"time": -1}),
            (TypeError, {"time": "5s"}),
            (quartz.UsageError, {"cost": ["total", "foo"]}),
            (quartz.UsageError, {"check": "foo"}),
            (quartz.UsageError, {"steps": 0}),
            (quartz.UsageError, {"search": "nosuchsearch"}),
            (quartz.UsageError, {"ancillas": 1, "permutation": "free"}),
            (quartz.InputError, {"rules": "no/such/file.json"}),
            (TypeError, {"coupling": [(0, 1.5)]}),
            (TypeError, {"on_outcome": 3}),
        ):
            with self.subTest(options=options), self.assertRaises(error):
                quartz.optimize_many(TEXTS[:2], "nam", **options)
        for circuits_of_another_type in (5, b"qreg q[1];"):
            with self.assertRaisesRegex(TypeError, r"circuits is an? (int|bytes), expected several"):
                quartz.optimize_many(circuits_of_another_type)

    def test_options_that_are_good_for_circuits_that_measure_are_taken(self):
        circuit = quartz.Circuit(2, bits=1).h(0).h(0).cx(0, 1).measure(1, 0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for options in ({"final_state": "discarded"}, {"program": True}, {"coupling": iter([(0, 1)])}):
                outcomes = quartz.optimize_many([circuit] * 2, "nam", steps=10, **options)
                self.assertEqual([outcome.error for outcome in outcomes], [None, None])

    def test_a_device_whose_gates_are_those_of_no_bundled_set(self):
        pair = {"gate": "cz", "qubits": [0, 1], "parameters": []}
        device = quartz.Backend.parse(json.dumps({"backend_name": "own", "qubits": [[], []], "gates": [pair]}))
        with self.assertRaisesRegex(quartz.UsageError, "no bundled gate set"):
            quartz.optimize_many([quartz.Circuit(2).cz(0, 1)], backend_json=device)
        (outcome,) = quartz.optimize_many([quartz.Circuit(2).cz(0, 1)], "ibm_heron", backend_json=device, steps=10)
        self.assertIsNone(outcome.error)

    def test_files_of_rules_are_left_to_workers_elsewhere(self):
        class Elsewhere(concurrent.futures.Executor):
            def submit(self, function, *arguments):
                future = concurrent.futures.Future()
                future.set_exception(LookupError("elsewhere"))
                return future

        outcomes = quartz.optimize_many(TEXTS[:2], "nam", executor=Elsewhere(), rules="no/such/file.json")
        self.assertEqual([str(outcome.error) for outcome in outcomes], ["elsewhere"] * 2)

    def test_a_bar_counts_circuits(self):
        try:
            import tqdm  # noqa: F401
        except ImportError as error:
            raise unittest.SkipTest("tqdm is not installed") from error
        with tempfile.TemporaryFile("w+") as file, contextlib.redirect_stderr(file):
            quartz.optimize_many(TEXTS[:3], progress=True, **STEPS)
            file.seek(0)
            self.assertIn("3/3", file.read())


class Interrupts(unittest.TestCase):
    """Ctrl-C: what was not begun is cancelled, and what was is ended with the best circuit so far."""

    def interrupted(self, executor, seconds=1.5):
        """Returns the outcomes of long searches, and the seconds that they took after SIGINT."""
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(seconds, send)
        timer.start()
        self.addCleanup(timer.join)
        texts = [circuits.random_qasm(400, 8, seed) for seed in range(8)]
        outcomes = quartz.optimize_many(texts, "nam", executor=executor, time=600)
        return outcomes, time.monotonic() - sent[0]

    def check(self, outcomes):
        kinds = ["cancelled" if outcome.error else outcome.result.stop_reason for outcome in outcomes]
        self.assertLessEqual(set(kinds), {"cancelled", "interrupted", "exhausted", "converged"})
        self.assertIn("cancelled", kinds)
        for outcome in outcomes:
            if outcome.error is not None:
                self.assertIsInstance(outcome.error, concurrent.futures.CancelledError)
            else:
                self.assertTrue(outcome.result.checked)
        return kinds

    def test_in_threads(self):
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            outcomes, seconds = self.interrupted(executor)
        self.assertLess(seconds, 60)
        self.assertIn("interrupted", self.check(outcomes))

    def test_in_processes(self):
        # In a terminal, Ctrl-C reaches the processes of the pool too.
        program = (
            "import os, signal, sys, threading, multiprocessing\n"
            f"sys.path.insert(0, {str(pathlib.Path(__file__).resolve().parent)!r})\n"
            "import test_many\n"
            "if __name__ == '__main__':\n"
            "    os.setpgrp()\n"
            "    os.kill = lambda process, number: os.killpg(0, number)\n"
            "    with test_many.processes(2) as executor:\n"
            "        executor.submit(int).result()\n"
            "        test_many.quartz.optimize_many(test_many.TEXTS, executor=executor, **test_many.STEPS)\n"
            "        case = test_many.Interrupts()\n"
            "        outcomes, _ = case.interrupted(executor, seconds=2)\n"
            "        print(*case.check(outcomes))\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "program.py"
            file.write_text(program)
            done = subprocess.run([sys.executable, "-B", file], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("interrupted", done.stdout)


if __name__ == "__main__":
    unittest.main()
