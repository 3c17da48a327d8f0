"""A studio for tests: the program, recording `sim:` into a temporary folder."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import urllib.request

PROGRAM = os.environ.get("OVERCRANK", ".build/debug/overcrank")

# A machine may be busy: each wait ends as soon as its condition holds, and no test checks its duration.
LONGEST_WAIT = float(os.environ.get("STUDIO_PAGE_WAIT", 300))


class Studio:
    """`overcrank studio` until the end of a `with`."""

    def __init__(self, *arguments, camera="sim:"):
        self.arguments = [*arguments] + ([camera] if camera else [])

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="studio-page-")
        self.folder = pathlib.Path(self._folder.name)
        self.takes = self.folder / "takes"
        self.takes.mkdir()
        self._log = open(self.folder / "log", "w+b")
        command = [os.path.abspath(PROGRAM), "studio", *self.arguments, "--no-open", "--json", "--port", "0", "--folder", self.takes]
        environment = dict(os.environ, XDG_CONFIG_HOME=self.folder / "config")
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log, env=environment)
        told = self._told()
        self.token = told["token"]
        self.base = told["address"].split("#")[0].rstrip("/")
        self.address = f"{self.base}/#{self.token}"
        self._first = None
        return self

    def _told(self):
        text = ""
        while line := self._process.stdout.readline():
            text += line.decode()
            try:
                return json.loads(text)
            except ValueError:
                continue
        raise RuntimeError(f"the studio did not start: {self.errors}")

    def __exit__(self, *_):
        self.end()
        self._process.stdout.close()
        self._log.close()
        self._folder.cleanup()

    def end(self):
        """Ends it as Ctrl-C does, and returns its exit code."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(LONGEST_WAIT)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
                raise
        return self._process.returncode

    @property
    def exit_code(self):
        """The exit code, or `None` while it runs."""
        return self._process.poll()

    @property
    def errors(self):
        """Its messages at the terminal so far."""
        return (self.folder / "log").read_text(errors="replace")

    # Its API.

    def ask(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=LONGEST_WAIT) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def get(self, path):
        return self.ask("GET", path)

    @property
    def state(self):
        return self.get("/api/state")

    def until(self, told, test):
        """Waits for a state, and returns it."""
        end = time.monotonic() + LONGEST_WAIT
        while True:
            state = self.state
            if test(state):
                return state
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain for {told}: {json.dumps(state)}")
            time.sleep(0.05)

    def reset(self):
        """Restores the first settings: armed, and without a take."""
        state = self.until("an end of what is done", lambda state: state["phase"] not in ("starting", "saving"))
        if state["phase"] in ("filming", "gathering"):
            self.ask("POST", "/api/stop")
            state = self.until("the take's end", lambda state: state["phase"] in ("armed", "reviewing"))
        if state["phase"] == "reviewing":
            self.ask("POST", "/api/arm")
        state = self._standing_by()
        if self._first is None:
            self._first = state
        if state["settings"] != self._first["settings"]:
            self.ask("PUT", "/api/settings", self._first["settings"])
            state = self._standing_by()
        mode = self._first["camera"]["mode"]
        if state["camera"]["mode"] != mode:
            self.ask("PUT", "/api/camera", {"mode": {key: mode[key] for key in ("fourcc", "width", "height", "interval")}})
            self._standing_by()
        # No take has the clips of a group, so they would stay.
        for group in self.get("/api/groups"):
            for clip in reversed(group["clips"]):
                self.ask("DELETE", f"/api/groups/{group['id']}/clips/{clip['index']}")
        for take in self.get("/api/takes"):
            self.ask("DELETE", f"/api/takes/{take['id']}")
        for photo in self.files("*.jpg"):
            photo.unlink()

    def _standing_by(self):
        return self.until(
            "armed",
            lambda state: state["phase"] == "armed" and not state["clips"] and state["photos_in_progress"] == 0)

    def files(self, pattern):
        return sorted(self.takes.rglob(pattern))
