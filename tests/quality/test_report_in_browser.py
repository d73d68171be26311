"""Shows the HTML document of quartz-opt --report in headless Chromium. Without Chromium, the tests are skipped.

test_report_in_browser.py FOLDER_OF_THE_COMMANDS [FOLDER]

With a second folder, the pictures of the pages are written to it.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 2 else None
COMMANDS = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 else ROOT / "build/bin").resolve()

MEASURED = """OPENQASM 3.0;
include "stdgates.inc";
input float theta;
qubit[2] data_register;
qubit[1] a;
bit[2] c;
h data_register[0];
rz(theta/2 + 3*pi/4) data_register[0];
cx data_register[0], a[0];
ccx data_register[0], a[0], data_register[1];
swap data_register[1], a[0];
crz(0.3) a[0], data_register[0];
barrier data_register[0], data_register[1];
c[0] = measure data_register[0];
if (c[0]) { x data_register[1]; }
reset a[0];
c[1] = measure data_register[1];
"""
SIZES = {"desktop": (1200, 900), "phone": (390, 844)}


@unittest.skipUnless(browser.CHROMIUM, "Chromium is not installed (scripts/install_packages.sh browser)")
class InTheBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.page = browser.Page()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(cls.page.__exit__)
        adder = (ROOT / "circuits/vbe_adder_3.qasm").read_text(encoding="utf-8")
        cls.small = cls.report("small", MEASURED)
        cls.large = cls.report("large", adder)
        layers = "".join(
            f"rz({i}/1000) q[{q}]; cx q[{q}],q[{(q + 1) % 24}];\n" for i in range(1, 40) for q in range(24))
        cls.huge = cls.report("huge", 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[24];\n' + layers)

    @classmethod
    def report(cls, name, text):
        folder = pathlib.Path(cls.folder.name)
        (folder / f"{name}.qasm").write_text(text, encoding="utf-8")
        subprocess.run(
            [COMMANDS / "quartz-opt", f"{name}.qasm", "-o", "out.qasm", "-g", "nam", "--steps", "20000", "--quiet",
             "--threads", "1", "--report", f"{name}.html"],
            check=True, cwd=folder, env={"XDG_CACHE_HOME": str(folder)},
        )
        return folder / f"{name}.html"

    def show(self, path, size="desktop", dark=False):
        self.page.show(path, *SIZES[size], dark=dark)
        if PICTURES is not None:
            scheme = "dark" if dark else "light"
            (PICTURES / f"{path.stem}-{size}-{scheme}.png").write_bytes(self.page.screenshot())

    def visible(self, selector):
        """Returns how many elements of a selector are shown and have a size."""
        return self.page.evaluate(
            f"[...document.querySelectorAll('{selector}')].filter(e => e.checkVisibility() && "
            "e.getBoundingClientRect().width > 0 && e.getBoundingClientRect().height > 0).length")

    def test_loads_without_network_and_without_errors(self):
        for path in (self.small, self.large):
            self.show(path)
            self.assertEqual(self.page.requests(), [path.resolve().as_uri()])
            self.assertEqual(self.page.errors(), [])

    def test_shows_drawings_tables_and_a_plot(self):
        self.show(self.small)
        self.assertEqual(self.visible(".drawing svg"), 2)
        self.assertEqual(self.visible("table"), 4)
        self.assertEqual(self.visible("svg.chart polyline"), 1)
        self.assertEqual(self.visible("h2"), self.page.evaluate("document.querySelectorAll('h2').length"))

    def test_folds_open_and_close_on_a_click(self):
        self.show(self.large)
        self.assertEqual(self.page.evaluate("[...document.querySelectorAll('.pair > details')].map(e => e.open)"), [True, True])
        self.assertEqual(self.visible(".drawing svg"), 2)
        self.page.click("details:nth-of-type(2) summary")
        self.assertEqual(self.visible(".drawing svg"), 1)
        self.page.click("details:nth-of-type(2) summary")
        self.assertEqual(self.visible(".drawing svg"), 2)

    def test_circuits_are_side_by_side_if_the_window_is_wide(self):
        places = "[...document.querySelectorAll('.drawing')].map(e => [e.getBoundingClientRect().x, e.getBoundingClientRect().y])"
        self.show(self.small)
        before, after = self.page.evaluate(places)
        self.assertLess(before[0] + 400, after[0])
        self.assertEqual(before[1], after[1])
        self.show(self.small, "phone")
        before, after = self.page.evaluate(places)
        self.assertEqual(before[0], after[0])
        self.assertLess(before[1], after[1])

    def test_the_headline_is_on_the_first_screen_above_everything_else(self):
        for size in SIZES:
            self.show(self.large, size)
            top, bottom = self.page.evaluate("(r => [r.top, r.bottom])(document.querySelector('h1').getBoundingClientRect())")
            self.assertLess(bottom, 200)
            self.assertLess(top, self.page.evaluate("document.querySelector('table').getBoundingClientRect().top"))

    def test_large_drawings_scroll(self):
        self.show(self.huge)
        heights = self.page.evaluate("[...document.querySelectorAll('.drawing')].map(e => [e.clientHeight, e.scrollHeight, e.clientWidth, e.scrollWidth])")
        for height, whole_height, width, whole_width in heights:
            self.assertLess(height, 600)
            self.assertGreater(whole_height, height)
            self.assertGreater(whole_width, width)

    def test_no_text_is_wider_than_its_box_or_cut_off(self):
        self.show(self.small)
        self.assertGreater(self.page.evaluate("document.querySelectorAll('rect + text').length"), 5)
        self.assertEqual(self.page.evaluate(
            "[...document.querySelectorAll('rect + text')].filter(e => e.getBoundingClientRect().width > "
            "e.previousElementSibling.getBoundingClientRect().width).map(e => e.textContent)"), [])
        self.assertEqual(self.page.evaluate(
            "[...document.querySelectorAll('svg text')].filter(e => e.getBoundingClientRect().left < "
            "e.ownerSVGElement.getBoundingClientRect().left || e.getBoundingClientRect().right > "
            "e.ownerSVGElement.getBoundingClientRect().right).map(e => e.textContent)"), [])

    def test_no_page_is_wider_than_the_window(self):
        for path in (self.small, self.large, self.huge):
            for size in SIZES:
                self.show(path, size)
                self.assertLessEqual(
                    self.page.evaluate("document.documentElement.scrollWidth"), SIZES[size][0], (path.name, size))

    def test_no_table_is_cut_off_on_a_phone(self):
        for path in (self.small, self.large, self.huge):
            self.show(path, "phone")
            self.assertEqual(self.page.evaluate(
                "[...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth)"
                ".map(e => e.textContent.slice(0, 40))"), [], path.name)

    def test_no_column_is_squeezed_on_a_phone(self):
        self.show(self.small, "phone")
        self.assertEqual(self.page.evaluate(
            "[...document.querySelectorAll('td')].filter(e => e.getBoundingClientRect().height > 120)"
            ".map(e => e.textContent)"), [])

    def test_texts_have_contrast_in_both_color_schemes(self):
        # WCAG 2: at least 4.5 for text of this size.
        contrast = """(() => {
          const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
          const luminance = color => {
            canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
            const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(c => c / 255)
              .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
          };
          const ground = e => e.previousElementSibling?.tagName === 'rect'
            ? getComputedStyle(e.previousElementSibling).fill : 'Canvas';
          const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          document.body.style.colorScheme = getComputedStyle(document.documentElement).colorScheme;
          const probe = document.createElement('div');
          document.body.append(probe);
          return Math.min(...[...document.querySelectorAll('p, td, th, svg text')].map(e => {
            probe.style.color = ground(e);
            const own = e.ownerSVGElement ? getComputedStyle(e).fill : getComputedStyle(e).color;
            return ratio(luminance(own), luminance(getComputedStyle(probe).color));
          }));
        })()"""
        for dark in (False, True):
            self.show(self.small, dark=dark)
            self.assertGreater(self.page.evaluate(contrast), 4.5, "dark" if dark else "light")

    def test_pictures_in_all_sizes_and_schemes(self):
        for size in SIZES:
            for dark in (False, True):
                self.show(self.small, size, dark)
                self.assertTrue(self.page.screenshot().startswith(b"\x89PNG"))


if __name__ == "__main__":
    unittest.main()
