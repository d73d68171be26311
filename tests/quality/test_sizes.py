"""No folder of sources has more files than a reader can look over.

The lengths of functions are checked by clang-tidy (.clang-tidy: readability-function-size).
"""

import collections
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["src", "include", "apps", "python"]
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".inc"}
MOST_FILES_OF_A_FOLDER = 25


class Folders(unittest.TestCase):
    def test_no_folder_has_too_many_files(self):
        files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
        counts = collections.Counter(path.parent.relative_to(ROOT) for path in files)
        self.assertGreater(len(counts), 0)
        self.assertEqual({str(folder): n for folder, n in counts.items() if n > MOST_FILES_OF_A_FOLDER}, {})


if __name__ == "__main__":
    unittest.main()
