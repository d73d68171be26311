"""The picture of the README: every row of the tables that has a time is a point, and its label can be read."""

import itertools
import unittest
import xml.etree.ElementTree

from benchmarks import figures, suite_picture

DOCUMENT = figures.read()


class SuitePicture(unittest.TestCase):
    def setUp(self):
        self.points = suite_picture.points(DOCUMENT)
        self.labels = suite_picture.labels(self.points)

    def test_every_time_in_the_tables_is_a_point(self):
        rows = suite_picture.measurement(DOCUMENT, "nam_suite")
        published = suite_picture.measurement(DOCUMENT, "nam_suite_published")
        with_time = [row for row in rows + published if "seconds" in row]
        self.assertEqual(len(self.points), len(with_time))
        for row in with_time:
            self.assertTrue(any(f"{abs(row['total']):.1f}%" in each.label for each in self.points), row)

    def test_labels_touch_neither_each_other_nor_a_point(self):
        for a, b in itertools.combinations(self.labels, 2):
            self.assertFalse(a.box.overlaps(b.box), f"{a.text}, {b.text}")
        for label, point in itertools.product(self.labels, self.points):
            mark = suite_picture.Box(point.x - 5, point.y - 5, point.x + 5, point.y + 5)
            self.assertFalse(label.box.overlaps(mark), f"{label.text}, {point.label}")

    def test_labels_have_space_between_them_and_are_not_crossed_by_the_curve(self):
        for a, b in itertools.combinations(self.labels, 2):
            self.assertFalse(a.box.widened(suite_picture.SPACE).overlaps(b.box), f"{a.text}, {b.text}")
        for label, line in itertools.product(self.labels, itertools.pairwise(suite_picture.curve(self.points))):
            self.assertFalse(label.box.is_crossed(*line), label.text)

    def test_a_line_through_a_box(self):
        box = suite_picture.Box(10, 10, 20, 20)
        self.assertTrue(box.is_crossed((0, 15), (30, 15)))
        self.assertTrue(box.is_crossed((0, 0), (30, 30)))
        self.assertFalse(box.is_crossed((0, 0), (30, 5)))
        self.assertFalse(box.is_crossed((21, 15), (30, 15)))
        self.assertFalse(box.is_crossed((0, 40), (30, 10)))

    def test_a_label_without_a_place_is_an_error(self):
        crowd = [suite_picture.Point(400, 200 + i, "a label of some length", "measured") for i in range(40)]
        with self.assertRaises(ValueError):
            suite_picture.labels(crowd)

    def test_more_time_is_further_to_the_right_and_fewer_gates_higher(self):
        self.assertLess(suite_picture.x_of(1), suite_picture.x_of(60))
        self.assertLess(suite_picture.y_of(40), suite_picture.y_of(30))

    def test_it_is_well_formed_and_has_both_themes(self):
        text = suite_picture.picture(DOCUMENT)
        xml.etree.ElementTree.fromstring(text)
        self.assertIn("prefers-color-scheme: dark", text)

    def test_it_is_in_the_repository(self):
        for path, draw in figures.PICTURES.items():
            self.assertEqual(path.read_text(encoding="utf-8"), draw(DOCUMENT))


if __name__ == "__main__":
    unittest.main()
