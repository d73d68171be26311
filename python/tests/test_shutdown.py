"""The end of the interpreter while daemon threads are in a call."""

import subprocess
import sys
import time
import unittest

#: Ends the interpreter as soon as a daemon thread is in a call that would take a minute.
PROGRAM = """
import threading, quartz
begun = threading.Event()
circuit = quartz.Circuit(4)
for number in range(300):
    circuit.h(number % 4).cx(number % 4, (number + 1) % 4).t(number % 3)
def work():
    {call}
threading.Thread(target=work, daemon=True).start()
begun.wait()
"""

CALLS = {
    "optimize": "quartz.optimize(circuit, time=60, threads=1, progress=lambda *_: begun.set())",
    # The thread needs the GIL again and again while the interpreter ends.
    "short calls": """
    while True:
        begun.set()
        circuit.to_qasm()""",
}


class Shutdown(unittest.TestCase):
    def test_is_clean(self):
        for name, call in CALLS.items():
            with self.subTest(call=name):
                start = time.monotonic()
                done = subprocess.run([sys.executable, "-c", PROGRAM.format(call=call)], capture_output=True, text=True,
                                      timeout=50, check=False)  # fmt: skip
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertLess(time.monotonic() - start, 50)


if __name__ == "__main__":
    unittest.main()
