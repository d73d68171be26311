"""The types of the package: a program of a user passes mypy --strict, and misspelt options are found."""

import importlib.util
import inspect
import pathlib
import re
import subprocess
import sys
import tempfile
import typing
import unittest

import quartz

#: Marks lines in which mypy finds an error, and the kind of that error.
PROGRAM = """
from fractions import Fraction
import quartz
{imports}

def entangled(qubits: int, angle: quartz.Angle) -> quartz.Circuit:
    circuit = quartz.Circuit(qubits, bits=qubits).h(0)
    for target in range(1, qubits):
        circuit.cx(0, target).rz(angle / 2, target).p("pi/8", target).rx(0.5, qubit=target)
    return circuit.append("swap", [0, 1]).barrier().measure(0, 0)

circuit = entangled(3, quartz.pi * Fraction(1, 3) + quartz.Angle("theta"))
names: list[str] = [operation.name for operation in circuit + circuit.copy()]
text: str = circuit.draw(width=80) + circuit.to_qasm(version=3)
result = quartz.optimize(circuit, gate_set="nam", time=0.1, barriers="ignore", program=False)
before: dict[str, int] = result.before
phase: float | None = quartz.check(circuit, result.circuit, time=1).phase
coupling = quartz.CouplingMap([(0, 1)])
pairs: list[tuple[int, int]] = coupling.pairs
options: quartz.SearchOptions = {{"time": 0.1, "coupling": coupling}}
quartz.optimize(circuit, **options)

circuit.rz(0)  # error: call-arg
circuit.h("q")  # error: arg-type
circuit.nosuchgate(0)  # error: attr-defined
quartz.optimize(circuit, tim=1)  # error: call-arg
quartz.optimize(circuit, barriers="drop")  # error: arg-type
quartz.optimize(circuit, time="5s")  # error: arg-type
wrong: quartz.SearchOptions = {{"tim": 1}}  # error: typeddict-unknown-key
{adapters}
"""

ADAPTERS = {
    "qiskit": (
        "import quartz.qiskit\nfrom qiskit import QuantumCircuit  # type: ignore[import-untyped, unused-ignore]",
        """
qiskit_circuit = QuantumCircuit(2)
better = quartz.qiskit.optimize(qiskit_circuit, "nam", time=0.1, progress=True)
better.draw()
pair = quartz.qiskit.optimize(qiskit_circuit, with_result=True, **options)
pair[1].checked
quartz.qiskit.optimize(qiskit_circuit, tim=1)  # error: call-overload
with quartz.qiskit.settings(time=10, permutation="keep"):
    pass
quartz.qiskit.settings(tim=10)  # error: call-arg
quartz.qiskit.settings(permutation="fre")  # error: arg-type
""",
    ),
    "pytket": (
        "import quartz.pytket",
        """
quartz.pytket.QuartzPass(time=0.1)
quartz.pytket.QuartzPass(tim=0.1)  # error: call-arg
""",
    ),
}


def program():
    """Returns the program about the adapters whose packages are installed."""
    installed = [each for name, each in ADAPTERS.items() if importlib.util.find_spec(name)]
    imports, adapters = ("\n".join(parts) for parts in zip(*installed)) if installed else ("", "")
    return PROGRAM.format(imports=imports, adapters=adapters)


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
class Types(unittest.TestCase):
    def run_mypy(self, *arguments, folder):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", f"{folder}/cache", *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout

    def test_errors_of_a_program_are_found_and_nothing_else(self):
        text = program()
        expected = {(number, match[1]) for number, line in enumerate(text.splitlines(), 1)
                    if (match := re.search("# error: (.*)", line))}  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "program.py").write_text(text, encoding="utf-8")
            output = self.run_mypy("program.py", folder=folder)
        found = {(int(number), kind) for number, kind in re.findall(r"^program\.py:(\d+): error: .*\[([\w-]+)\]$", output, re.M)}
        self.assertEqual(found, expected, output)


class Options(unittest.TestCase):
    def test_are_the_arguments_of_optimize(self):
        arguments = set(inspect.signature(quartz.optimize).parameters) - {"circuit", "gate_set"}
        self.assertEqual(set(quartz.SearchOptions.__annotations__), arguments)

    def test_types_are_those_of_optimize(self):
        expected = quartz.optimize.__annotations__
        found = {name: getattr(kind, "__forward_arg__", kind) for name, kind in quartz.SearchOptions.__annotations__.items()}
        self.assertEqual(found, {name: kind for name, kind in expected.items() if name in found})
        self.assertEqual(typing.get_type_hints(quartz.optimize)["program"], bool)


if __name__ == "__main__":
    unittest.main()
