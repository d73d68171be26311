"""Arguments of another type or out of range: the message names the argument, what it is, and what was found."""

import tempfile
import unittest
import warnings

import numpy
import quartz

CIRCUIT = quartz.Circuit(2).h(0).cx(0, 1)


class Arguments(unittest.TestCase):
    def require_message(self, error, function, name, value, message):
        with self.assertRaises(error) as caught:
            getattr(quartz, function)(*([CIRCUIT] if function == "optimize" else [CIRCUIT, CIRCUIT]), **{name: value})
        self.assertEqual(str(caught.exception), f"{function}(): {name} is {message}, not {value!r}")

    def test_of_another_type(self):
        for name, value, message in (
            ("time", "5s", "a number of seconds, 0 or more"),
            ("time", True, "a number of seconds, 0 or more"),
            ("check_time", "1", "a number of seconds, 0 or more"),
            ("threads", 1.5, "a number of threads from 0 to 1024, where 0 means all cores"),
            ("threads", "2", "a number of threads from 0 to 1024, where 0 means all cores"),
            ("seed", 0.5, "a whole number of up to 64 bits, 0 or more"),
            ("steps", "many", "a whole number, 1 or more"),
            ("check_memory", "1 GiB", "a number of bytes above 0"),
            ("table_memory", 1e9, "a whole number of bytes, 0 or more"),
            ("resume", "no", "True or False"),
            ("journal", 1, "True or False"),
            ("program", "no", "True or False"),
            ("program", 0, "True or False"),
            ("rules", 5, "a rule set or a path"),
            ("search", 5, "a string"),
            ("epsilon", "0.1", "a number from 0 to 1"),
            ("barriers", None, "a string"),
        ):
            if value is not None:
                with self.subTest(name=name, value=value):
                    self.require_message(TypeError, "optimize", name, value, message)
        for name, value, message in (
            ("time", "5s", "a number of seconds, 0 or more"),
            ("memory", "1 GiB", "a number of bytes above 0"),
            ("program", "no", "True or False"),
        ):
            with self.subTest(name=name, value=value):
                self.require_message(TypeError, "check", name, value, message)

    def test_out_of_range(self):
        for name, value, message in (
            ("time", -1, "a number of seconds, 0 or more"),
            ("time", float("inf"), "a number of seconds, 0 or more"),
            ("time", float("nan"), "a number of seconds, 0 or more"),
            ("threads", 10**9, "a number of threads from 0 to 1024, where 0 means all cores"),
            ("threads", -1, "a number of threads from 0 to 1024, where 0 means all cores"),
            ("seed", -1, "a whole number of up to 64 bits, 0 or more"),
            ("seed", 2**64, "a whole number of up to 64 bits, 0 or more"),
            ("check_memory", -1, "a number of bytes above 0"),
            ("check_memory", 0, "a number of bytes above 0"),
            ("epsilon", -0.1, "a number from 0 to 1"),
            ("epsilon", 1.5, "a number from 0 to 1"),
            ("epsilon", float("nan"), "a number from 0 to 1"),
            ("qasm", 4, "2 or 3"),
        ):
            with self.subTest(name=name, value=value):
                self.require_message(quartz.UsageError, "optimize", name, value, message)
        for name, value, message in (
            ("time", -1, "a number of seconds, 0 or more"),
            ("memory", -1, "a number of bytes above 0"),
            ("seed", -1, "a whole number of up to 64 bits, 0 or more"),
            ("epsilon", -1, "a number from 0 to 1"),
            ("epsilon", 2, "a number from 0 to 1"),
        ):
            with self.subTest(name=name, value=value):
                self.require_message(quartz.UsageError, "check", name, value, message)

    def test_costs_in_a_list(self):
        listed = quartz.optimize(CIRCUIT, cost=["t", quartz.Cost.load("two-qubit,total", quartz.GateSet.load("nam"))], time=0)
        self.assertEqual(list(listed.cost_after), ["t", "two-qubit", "total"])
        for bad in (3, ["t", 3], {"t": 1}):
            with self.assertRaisesRegex(TypeError, r"^cost is .*, expected a quartz.Cost, the name of a cost, a path, or a list of these$"):
                quartz.optimize(CIRCUIT, cost=bad, time=0)
        with self.assertRaises(quartz.UsageError):
            quartz.optimize(CIRCUIT, cost=[], time=0)

    def test_messages_name_the_arguments_of_python(self):
        with self.assertRaisesRegex(quartz.UsageError, r"the cost 'error' is that of a device, .*\(backend_json\)"):
            quartz.optimize(CIRCUIT, cost="error")
        with tempfile.TemporaryDirectory() as folder:
            quartz.optimize(CIRCUIT, time=0, checkpoint=folder)
            with self.assertRaisesRegex(quartz.UsageError, "has a checkpoint; continue it with resume, or name another folder"):
                quartz.optimize(CIRCUIT, time=0, checkpoint=folder)
        with self.assertRaisesRegex(TypeError, "^circuit is an int, expected a quartz.Circuit"):
            quartz.optimize(3)

    def test_pairs_and_devices_of_another_type(self):
        for bad in ([(0, 1.5)], [(0, 1, 2)], [3], ["01"], 5):
            with self.subTest(bad=bad), self.assertRaisesRegex(TypeError, r"^coupling is .*, expected a quartz.CouplingMap, pairs"):
                quartz.optimize(CIRCUIT, coupling=bad, time=0)
        quartz.optimize(CIRCUIT, coupling=numpy.array([[0, 1]]), time=0)
        with self.assertRaisesRegex(TypeError, "^backend_json is 3, expected a quartz.Backend, a path"):
            quartz.optimize(CIRCUIT, backend_json=3)

    def test_warnings_are_those_of_the_line_of_the_caller(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            quartz.optimize(quartz.Circuit(1), "clifford_t", ancillas=1, steps=10)
        self.assertEqual([each.filename for each in caught], [__file__])

    def test_of_generate(self):
        for arguments, error in (({"threads": 10**9}, quartz.UsageError), ({"gates": "3"}, TypeError), ({"proof_time": 0}, quartz.UsageError)):
            (name,) = arguments
            with self.assertRaisesRegex(error, rf"generate\(\): {name} is "):
                quartz.generate("nam", **arguments)

    def test_numbers_of_numpy_are_numbers(self):
        result = quartz.optimize(CIRCUIT, time=numpy.float64(0), threads=numpy.int64(1), seed=numpy.uint8(3))
        self.assertEqual(result.threads, 1)

    def test_the_library_limits_threads_itself(self):
        with self.assertRaisesRegex(quartz.UsageError, "at most 1024"):
            quartz.ClassTable.build(quartz.GateSet.load("nam"), qubits=2, cost=2, threads=10**9)

    def test_options_that_do_not_exist_are_refused_when_a_pass_is_made(self):
        from quartz.interchange.optimization import Options

        with self.assertRaisesRegex(TypeError, r"no option 'tim'; did you mean 'time'\?"):
            Options(others={"tim": 1})
        with self.assertRaisesRegex(TypeError, "program is True or False, not 'no'"):
            Options(others={"program": "no"})


if __name__ == "__main__":
    unittest.main()
