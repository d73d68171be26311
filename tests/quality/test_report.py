"""Checks the HTML document of quartz-opt --report with an HTML parser.

test_report.py FOLDER_OF_THE_COMMANDS
"""

import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 else ROOT / "build/bin").resolve()

VOID = {"meta"}  # elements without an end


class Document(html.parser.HTMLParser):
    """The elements of a document; fails if they are not nested correctly."""

    def __init__(self, text):
        super().__init__()
        self.elements = []  # (name, attributes)
        self.texts = {}  # the texts in each kind of element
        self.open = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open, self.getpos())
        self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def count(self, tag):
        return sum(name == tag for name, _ in self.elements)


def optimize(text, name="in.qasm", *arguments):
    """Returns the report about a circuit."""
    with tempfile.TemporaryDirectory() as folder:
        circuit = pathlib.Path(folder, name)
        circuit.write_text(text, encoding="utf-8")
        report = pathlib.Path(folder, "report.html")
        subprocess.run(
            [COMMANDS / "quartz-opt", name, "-o", "out.qasm", "-g", "nam", "-t", "0s", "--quiet",
             "--threads", "1", "--report", report, *arguments],
            check=True, cwd=folder, env={"XDG_CACHE_HOME": folder},
        )
        return report.read_text(encoding="utf-8")


def classes_of(document):
    return {each.get("class") for _, each in document.elements}


HEAD = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[3];\ncreg c[3];\n'
SMALL = HEAD + "t q[0]; cx q[0],q[1]; tdg q[0]; ccx q[0],q[1],q[2]; measure q[0] -> c[0];\n"


class Report(unittest.TestCase):
    def test_has_every_section(self):
        document = Document(optimize(SMALL))
        self.assertEqual(
            document.texts["h2"],
            ["Circuits", "Gates by kind", "Cost during the search", "Gates removed by each pass",
             "Check of the result", "How to repeat the run"])
        self.assertEqual(document.texts["h3"], ["total"])
        self.assertTrue(any("equal" in text for text in document.texts["p"]))
        self.assertEqual(document.count("svg"), 3)
        self.assertEqual(document.count("polyline"), 1)

    def test_needs_no_other_file(self):
        text = optimize(SMALL)
        document = Document(text)
        self.assertEqual({"script", "link", "img", "iframe", "object"}
                         & {name for name, _ in document.elements}, set())
        for _, attributes in document.elements:
            self.assertEqual({"src", "href", "srcset", "data"} & set(attributes), set())
        self.assertIsNone(re.search(r"https?:|url\(|@import", text))

    def test_draws_every_operation_of_a_small_circuit(self):
        document = Document(optimize(SMALL))
        titles = document.texts["title"]
        headline = document.texts["h1"][0]
        self.assertRegex(headline, r"^\d+ gates for \d+, \d+% fewer, proved equal$")
        self.assertEqual(titles[:6], [f"in.qasm: {headline}", "t q[0]", "cx q[0],q[1]", "tdg q[0]",
                                      "ccx q[0],q[1],q[2]", "measure q[0] -> c[0]"])
        summaries = document.texts["summary"]
        self.assertEqual(summaries[0], "Before: 4 gates and 1 other operation on 3 qubits")
        self.assertTrue(all("open" in each for name, each in document.elements if name == "details"))
        self.assertNotIn("note", classes_of(document))

    def test_draws_circuits_below_300_operations_completely(self):
        document = Document(optimize(HEAD + "h q[0]; t q[0];\n" * 149))
        self.assertEqual(document.texts["summary"][0], "Before: 298 gates on 3 qubits")
        self.assertEqual(document.texts["title"][1:299], ["h q[0]", "t q[0]"] * 149)
        self.assertNotIn("note", classes_of(document))

    def test_scrolls_larger_circuits_and_draws_repeated_parts_once(self):
        document = Document(optimize(HEAD + "h q[0]; t q[0]; cx q[0],q[1];\n" * 100))
        self.assertEqual(document.texts["summary"][0], "Before: 300 gates on 3 qubits")
        self.assertIn("×100", document.texts["text"])
        self.assertIn("drawing large", classes_of(document))
        self.assertIn("Repeated parts are drawn once, in a frame with the number of times. ", document.texts["p"])

    def test_says_what_is_not_drawn_of_a_large_circuit(self):
        rotations = "".join(f"rz({i}/1000) q[0]; h q[0];\n" for i in range(1, 501))
        document = Document(optimize(HEAD + rotations))
        self.assertIn("800 of 1000 operations are not drawn.", document.texts["p"])

    def test_draws_the_beginning_of_a_circuit_on_many_qubits(self):
        gates = "".join(f"x q[{i}]; cx q[{i}],q[{i + 100}];\n" for i in range(100))
        document = Document(optimize(HEAD.replace("q[3]", "q[200]") + gates))
        self.assertIn("160 of 200 operations are not drawn, among them all on 160 other qubits.", document.texts["p"])
        self.assertIn("cx q[19],q[119]", document.texts["title"])

    def test_the_title_has_no_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            circuit = pathlib.Path(folder, "in.qasm")
            text = optimize(SMALL, str(circuit))
        self.assertEqual(Document(text).texts["p"][0], "in.qasm")
        self.assertNotIn(folder, text.partition("How to repeat")[0])

    def test_escapes_what_the_user_wrote(self):
        name = "<b>&'.qasm"
        text = optimize(SMALL, name)
        self.assertNotIn("<b>", text)
        command = Document(text).texts["pre"][0]
        self.assertTrue(command.startswith("quartz-opt "), command)
        self.assertIn("'<b>&'\\''.qasm'", command)
        self.assertIn("--gate-set nam", command)
        self.assertIn("--quiet", command)

    def test_a_circuit_without_operations(self):
        document = Document(optimize(HEAD))
        self.assertEqual(document.texts["summary"][0], "Before: 0 gates on 3 qubits")


if __name__ == "__main__":
    unittest.main()
