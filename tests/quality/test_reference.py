"""The pages of docs/reference and the files of share/ are what scripts/make_reference.py writes for the current commands.

test_reference.py FOLDER_OF_THE_COMMANDS
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import make_reference  # noqa: E402  (the path comes first)

COMMANDS = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else ROOT / "build/bin"

HELP = """Makes some things.
Usage: quartz-thing [OPTIONS] [SUBCOMMAND]

Arguments:
  input                     what to read
                            [required]

Options:
  -k,--kind NAME|FILE       one of two kinds:
                            a <name>, or a file [required]
  -n,--number N             how many [1 to 16; default: 3; excludes --all;
                            excludes --none]
  --weight-of-the-whole-of-it N
                            its weight [1 to 30; default: 1]
  --symbolic                also with --all [needs --kind]
  --order keep|free         the order [default: keep]

More things:
  --all                     all of them

General:
  -h                        show the basic options, and exit

Subcommands:
  count                     Counts things

Examples:
  quartz-thing --kind a \\
               --all
Ctrl-C stops it,
and writes.

Exit codes:
   0  done
"""
COUNT_HELP = "Counts things\nUsage: quartz-thing count [OPTIONS]\n\nOptions:\n  --fast                    skip\n"

PAGE = """# quartz-thing

<!-- Written by scripts/make_reference.py from --help. -->

Makes some things.

```
quartz-thing [OPTIONS] [SUBCOMMAND]
```

| argument | meaning |
|---|---|
| `input` | what to read (required) |

| option | meaning |
|---|---|
| `-k,--kind NAME\\|FILE` | one of two kinds: a &lt;name>, or a file (required) |
| `-n,--number N` | how many (1 to 16; default: 3; excludes `--all`; excludes `--none`) |
| `--weight-of-the-whole-of-it N` | its weight (1 to 30; default: 1) |
| `--symbolic` | also with `--all` (needs `--kind`) |
| `--order keep\\|free` | the order (default: keep) |

**More things**

| option | meaning |
|---|---|
| `--all` | all of them |

**General**

| option | meaning |
|---|---|
| `-h` | show the basic options, and exit |

| subcommand | meaning |
|---|---|
| `count` | Counts things |

**Examples**

```
quartz-thing --kind a \\
             --all
```

Ctrl-C stops it, and writes.

## quartz-thing count

Counts things

```
quartz-thing count [OPTIONS]
```

| option | meaning |
|---|---|
| `--fast` | skip |

[Exit codes](../how-to.md#exit-codes) are the same for all commands.
"""


class Reference(unittest.TestCase):
    def test_the_pages_are_current(self):
        old = [path.name for path in make_reference.outdated(make_reference.pages(COMMANDS))]
        self.assertEqual(old, [], "run scripts/make_reference.py")

    def test_every_option_of_the_help_has_its_row(self):
        for path, text in make_reference.pages(COMMANDS).items():
            if path.suffix != ".md":
                continue
            rows = re.findall(r"^\| `([^`]*)` \|", text, re.M)
            for row in rows:
                self.assertEqual(row.count("["), row.count("]"), row)
            listed = {option for row in rows for option in re.findall(r"--[\w-]+", row)}
            # A page may mention options of another command.
            mentioned = set(
                re.findall(r"(?<!quartz-gen `)(?<!quartz-opt `)(?<!quartz-opt )--[a-z][\w-]*", text)
            )
            self.assertEqual(mentioned - listed, set(), path.name)

    def test_no_page_is_left_over(self):
        names = {path.name for path in make_reference.PAGES.glob("*.md")}
        self.assertEqual(names, {"README.md", "python.md", *(f"{name}.md" for name in make_reference.COMMANDS)})
        files = {path for path in make_reference.SHARE.rglob("*") if path.is_file()}
        self.assertLessEqual(files, make_reference.pages(COMMANDS).keys())


class Format(unittest.TestCase):
    def test_a_page_has_every_part_of_the_help(self):
        def help_of(_command, *subcommand):
            return COUNT_HELP if subcommand else HELP

        self.assertEqual(make_reference.page_of("quartz-thing", help_of), PAGE)


if __name__ == "__main__":
    unittest.main()
