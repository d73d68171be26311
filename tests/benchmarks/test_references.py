"""Reading of published sizes."""

import json
import pathlib
import tempfile
import unittest

from benchmarks import references
from tests.benchmarks.documents import document, entry, result


class References(unittest.TestCase):
    def read(self, content, gate_set="nam"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "reference.json"
            path.write_text(json.dumps(content))
            return references.read(path, gate_set)

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


if __name__ == "__main__":
    unittest.main()
