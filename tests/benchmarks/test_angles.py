"""The benchmark `angles`: its circuits, and when Quartz is better."""

import math
import unittest

from benchmarks import angles, qasm


class Angles(unittest.TestCase):
    def test_angles_depend_on_the_seed_alone(self):
        self.assertEqual(angles.angles_of(5, 1), angles.angles_of(5, 1))
        self.assertNotEqual(angles.angles_of(5, 1), angles.angles_of(5, 2))
        self.assertTrue(all(0 <= angle < 2 * math.pi for angle in angles.angles_of(50, 3)))

    def test_a_circuit_has_the_angle_exactly(self):
        for angle in angles.angles_of(20, 0):
            statement = qasm.read(angles.circuit_of(angle)).statements[0]
            self.assertEqual(qasm.angle_value(statement.angles[0]), angle)

    def test_distances_have_the_names_of_micro_benchmarks(self):
        self.assertEqual(angles.perf_name(1e-3), "approximated_rotations/1e-3")
        self.assertEqual(angles.perf_name(1e-10), "approximated_rotations/1e-10")

    def test_better_means_never_more_and_fewer_in_the_mean(self):
        self.assertTrue(angles.is_better([3, 4], [3, 5]))
        self.assertFalse(angles.is_better([3, 4], [3, 4]))
        self.assertFalse(angles.is_better([3, 4], [2, 9]))

    def test_a_row_has_the_mean_and_the_largest_number(self):
        row = angles.row_of(1e-5, "quartz", [2, 4], 0.5)
        self.assertEqual(row, ["1e-05", "quartz", "3.0", "4", "0.50"])
        self.assertEqual(angles.row_of(1e-5, "quartz", [2, 4], None)[-1], "")


if __name__ == "__main__":
    unittest.main()
