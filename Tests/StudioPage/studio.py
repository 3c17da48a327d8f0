"""A studio of its own for each test: the program, filming `sim:` into a folder that goes away."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import urllib.request

PROGRAM = os.environ.get("OVERCRANK", ".build/debug/overcrank")


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
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log)
        told = self._told()
        self.token = told["token"]
        self.base = told["address"].split("#")[0].rstrip("/")
        self.address = f"{self.base}/#{self.token}"
        return self

    def _told(self):
        text = ""
        while line := self._process.stdout.readline():
            text += line.decode()
            try:
                return json.loads(text)
            except ValueError:
                continue
        self._log.seek(0)
        raise RuntimeError(f"the studio did not start: {self._log.read().decode()}")

    def __exit__(self, *_):
        self.end()
        self._process.stdout.close()
        self._log.close()
        self._folder.cleanup()

    def end(self):
        """Ends it as Ctrl-C does, and gives its exit code."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
                raise
        return self._process.returncode

    def get(self, path):
        request = urllib.request.Request(self.base + path, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def files(self, pattern):
        return sorted(self.takes.rglob(pattern))
