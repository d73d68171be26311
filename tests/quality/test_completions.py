"""The man pages and completions in share/, as mandoc, groff, bash, zsh and fish understand them.

test_completions.py FOLDER_OF_THE_COMMANDS

That they are current is a test of test_reference.py.
"""

import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARE = ROOT / "share"
sys.path.insert(0, str(ROOT / "scripts"))
import command_help  # noqa: E402  (the path comes first)

COMMANDS = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else ROOT / "build/bin"
# The pages have no date, because the version says what they describe.
EXPECTED_LINT = re.compile(r'missing date, using "": TH$')


def output_of(*line, **options):
    return subprocess.run(
        line, capture_output=True, text=True, check=True, timeout=60, stdin=subprocess.DEVNULL, **options
    ).stdout


def listed(kind):
    """Returns the names that quartz-opt --list prints."""
    return set(output_of(str(COMMANDS / "quartz-opt"), "--list", kind).split())


def help_of(command, *subcommand):
    return output_of(str(COMMANDS / command), *subcommand, "--help")


def options_of(command, *subcommand):
    return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", help_of(command, *subcommand), re.M))


def bash_replies(line, folder):
    """Returns what bash offers for the last word of a line. Bash treats the = of an option as a word."""
    words = re.findall(r"=|[^\s=]+", line) + ([""] if line.endswith(" ") else [])
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_${1//-/_}"; printf "%s\\n" "${COMPREPLY[@]}"'
    file = SHARE / "bash-completion/completions" / words[0]
    return set(output_of("bash", "--norc", "-c", script, "bash", str(file), *words, cwd=folder).split("\n")) - {""}


def fish_replies(line, folder):
    """Returns what fish offers for the last word of a line."""
    file = SHARE / f"fish/vendor_completions.d/{line.split()[0]}.fish"
    script = "source $argv[1]; complete --do-complete $argv[2]"
    environment = {**os.environ, "HOME": str(folder / "inputs")}
    text = output_of("fish", "--no-config", "-c", script, str(file), line, cwd=folder, env=environment)
    return {row.split("\t")[0] for row in text.splitlines()}


class Zsh:
    """An interactive zsh with the completions."""

    def __init__(self, folder):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": str(folder), "PS1": ""})
        functions = SHARE / "zsh/site-functions"
        self.send(f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; unsetopt zle_bracketed_paste\n")
        # Shows the line as it is after completion, in place of running it.
        self.send("accept() { print -r -- \"<<$BUFFER>>\"; BUFFER=; zle .accept-line }; zle -N accept-line accept\n")

    def send(self, text):
        os.write(self.terminal, text.encode())

    def completed(self, line):
        """Returns the line after the tabulator key and Enter."""
        self.send(f"{line}\t\r")
        seen = ""
        while not (match := re.search(r"<<(quartz-[^>]*)>>", seen)):
            ready, _, _ = select.select([self.terminal], [], [], 60)
            if not ready:
                raise AssertionError(f"zsh did not complete {line!r}: {seen!r}")
            seen += os.read(self.terminal, 4096).decode(errors="replace")
        return match[1]

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


class ManPages(unittest.TestCase):
    def test_they_have_no_warnings(self):
        for command in command_help.COMMANDS:
            page = str(SHARE / f"man/man1/{command}.1")
            lint = subprocess.run(["mandoc", "-Tlint", page], capture_output=True, text=True, check=False, timeout=60)
            others = [line for line in lint.stdout.splitlines() if not EXPECTED_LINT.search(line)]
            self.assertEqual(others, [])
            groff = subprocess.run(
                ["groff", "-man", "-ww", "-z", page], capture_output=True, text=True, check=True, timeout=60
            )
            self.assertEqual(groff.stderr, "")

    def test_they_show_every_option_and_exit_code(self):
        for command in command_help.COMMANDS:
            text = output_of("mandoc", "-Tascii", "-Owidth=400", str(SHARE / f"man/man1/{command}.1"))
            text = re.sub(r".\x08", "", text)
            for option in options_of(command):
                self.assertRegex(text, rf"(?m)^ +(-\w, )?{option}\b", command)
            for code in re.findall(r"^ +(\d+)  ", help_of(command), re.M):
                self.assertRegex(text, rf"(?m)^ +{code} ", command)
            self.assertIn("EXIT STATUS", text)


class Completions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "inputs").mkdir()
        (cls.folder / "in.qasm").touch()
        (cls.folder / "two words.qasm").touch()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def replies(self, line):
        """Returns what bash and fish offer, of which both must be the same, without short options
        and with the folders as bash writes them."""
        bash = {reply for reply in bash_replies(line, self.folder) if not re.fullmatch(r"-\w", reply)}
        fish = {reply.rstrip("/") for reply in fish_replies(line, self.folder)}
        fish = {re.sub(r"^--[\w-]+=", "", reply) for reply in fish if not re.fullmatch(r"-\w", reply)}
        self.assertEqual(bash, fish, line)
        return bash

    def test_all_options_are_offered(self):
        for command in command_help.COMMANDS:
            self.assertEqual(self.replies(f"{command} --"), options_of(command))
        for subcommand in ["prove", "table", "count"]:
            self.assertEqual(self.replies(f"quartz-gen {subcommand} --"), options_of("quartz-gen", subcommand))

    def test_names_of_values_are_offered(self):
        files = {"in.qasm", "inputs", "two words.qasm"}
        self.assertEqual(bash_replies("quartz-opt --gate-set ", self.folder), listed("gate-sets") | files)
        self.assertEqual(self.replies("quartz-opt -g ibm_heron_"), {"ibm_heron_fractional"})
        self.assertEqual(self.replies("quartz-gen table -g ibm_u"), {"ibm_u"})
        self.assertEqual(self.replies("quartz-gen prove --gate-set ibm_u"), {"ibm_u"})
        self.assertEqual(self.replies("quartz-opt --search "), listed("searches"))
        self.assertEqual(bash_replies("quartz-opt --cost ", self.folder), listed("costs") | files)
        self.assertEqual(self.replies("quartz-opt --dialect q"), {"qiskit", "quantinuum"})
        self.assertEqual(self.replies("quartz-opt --list "), {"gate-sets", "costs", "searches"})
        self.assertEqual(self.replies("quartz-opt --dialect=p"), {"plain"})

    def test_values_after_a_comma_are_offered(self):
        self.assertEqual(self.replies("quartz-opt --search fold,si"), {"fold,simplify"})
        self.assertEqual(self.replies("quartz-opt --search=fold,si"), {"fold,simplify"})
        self.assertIn("t,two-qubit", bash_replies("quartz-opt --cost t,two", self.folder))

    def test_files_folders_and_subcommands_are_offered(self):
        self.assertEqual(self.replies("quartz-opt in"), {"in.qasm", "inputs"})
        self.assertEqual(self.replies("quartz-check in.qasm two"), {"two words.qasm"})
        self.assertEqual(self.replies("quartz-opt --checkpoint in"), {"inputs"})
        self.assertEqual(self.replies("quartz-opt --time "), set())
        self.assertEqual(self.replies("quartz-gen t"), {"table"})

    def test_zsh_completes(self):
        zsh = Zsh(self.folder)
        try:
            for line, expected in {
                "quartz-opt --exac": "quartz-opt --exactness=",
                "quartz-opt --exactness num": "quartz-opt --exactness numeric",
                "quartz-opt -g ibm_heron_": "quartz-opt -g ibm_heron_fractional",
                "quartz-opt --search fold,simp": "quartz-opt --search fold,simplify",
                "quartz-opt --cost t,dep": "quartz-opt --cost t,depth",
                "quartz-opt --coupling au": "quartz-opt --coupling auto",
                "quartz-opt --dialect=br": "quartz-opt --dialect=braket",
                "quartz-opt in.": "quartz-opt in.qasm",
                "quartz-gen ta": "quartz-gen table",
                "quartz-gen table --two": "quartz-gen table --two-qubit-weight=",
                "quartz-check --jo": "quartz-check --journal=",
            }.items():
                # After a name of a list, zsh adds a comma, which a blank replaces.
                self.assertEqual(zsh.completed(line).rstrip(" ,"), expected)
        finally:
            zsh.close()

    def test_the_shells_accept_the_files(self):
        for path in SHARE.glob("zsh/*/_*"):
            output_of("zsh", "-n", str(path))
        for path in SHARE.glob("fish/*/*.fish"):
            output_of("fish", "-n", str(path))
        for path in SHARE.glob("bash-completion/*/*"):
            output_of("bash", "-n", str(path))


if __name__ == "__main__":
    unittest.main()
