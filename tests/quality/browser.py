"""A page in headless Chromium, controlled by the DevTools protocol through pipes."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SECONDS = 60  # for an answer, on a loaded machine


class Page:
    """An open page. Use it in a with statement."""

    def __init__(self):
        self._profile = tempfile.TemporaryDirectory()
        to_browser, self._requests = os.pipe()
        self._answers, from_browser = os.pipe()

        def place_pipes():  # Chromium reads from 3 and writes to 4.
            source, target = os.dup(to_browser), os.dup(from_browser)
            os.dup2(source, 3)
            os.dup2(target, 4)

        command = [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
            "--disable-dev-shm-usage", f"--user-data-dir={self._profile.name}", "about:blank",
        ]
        self._process = subprocess.Popen(
            command, preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._text = b""
        self.events = []  # (name, parameters)
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._requests)
        try:
            self._process.wait(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._answers)
        self._profile.cleanup()

    def call(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._requests, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _read(self):
        """Returns the next message; events are also kept."""
        while b"\0" not in self._text:
            received = os.read(self._answers, 1 << 16)
            if not received:
                raise RuntimeError("Chromium has ended")
            self._text += received
        text, _, self._text = self._text.partition(b"\0")
        message = json.loads(text)
        if "method" in message:
            self.events.append((message["method"], message["params"]))
        return message

    def show(self, path, width, height, dark=False):
        """Loads a file in a window of this size, in pixels, and waits until it is shown."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        end = time.monotonic() + SECONDS
        while not any(name == "Page.loadEventFired" for name, _ in self.events):
            if time.monotonic() > end:
                raise TimeoutError(f"{path} was not loaded")
            self.call("Runtime.evaluate", expression="0")

    def evaluate(self, expression):
        """Returns the value of an expression in JavaScript."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def click(self, selector):
        """Clicks with the mouse in the middle of the first element that a selector of CSS matches."""
        where = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"{where}.scrollIntoView({{block: 'center'}})")
        x, y = self.evaluate(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({where}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self):
        """Returns the whole page as a PNG file."""
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def requests(self):
        """Returns the addresses that the page has requested."""
        return [each["request"]["url"] for name, each in self.events if name == "Network.requestWillBeSent"]

    def errors(self):
        """Returns what the page has written to the console, and its exceptions."""
        names = {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}
        return [each for name, each in self.events if name in names]
