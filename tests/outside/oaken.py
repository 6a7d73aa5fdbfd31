"""A demo daemon for the checks: its address, an agent's token, personal tokens, its program and its directory."""

import json
import os
import re
import subprocess
import tempfile
import threading
import time


class Demo:
    """Runs `oaken demo` on a free port in a temporary directory until the context ends."""

    def __init__(self):
        self.program = os.environ["OAKEN_BIN"]

    def __enter__(self):
        self.home = tempfile.TemporaryDirectory(prefix="oakout")
        self.data = os.path.join(self.home.name, "data")
        self.environment = {"HOME": self.home.name, "PATH": os.environ["PATH"], "OAKEN_LOG": "warn"}
        self.process = subprocess.Popen(
            [self.program, "--data", self.data, "demo", "--listen", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment,
        )
        self.log = []
        self._follow(self.process.stderr)
        self.address = self._address()
        self._follow(self.process.stdout)
        self.agent_token = self.cli("agents", "add", "outside", "--yes")["token"]
        self.person_token = self.cli("tokens", "create", "outside", "--class", "change", "--yes")["token"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.home.cleanup()

    def _address(self):
        for line in self.process.stdout:
            found = re.search(r"http://(127\.0\.0\.1:\d+)", line)
            if found:
                return found.group(1)
        raise RuntimeError("oaken demo does not listen: " + "".join(self.log))

    def _follow(self, pipe):
        threading.Thread(target=lambda: self.log.extend(pipe), daemon=True).start()

    @property
    def mcp_url(self):
        return f"http://{self.address}/mcp"

    def mcp_command(self):
        """The words that start this demo's MCP server on standard input and output, and its environment."""
        words = [self.program, "--data", self.data, "mcp"]
        return words, self.environment | {"OAKEN_AGENT_TOKEN": self.agent_token}

    def cli(self, *arguments):
        """The JSON that a command answers; it has to end well."""
        done = subprocess.run(
            [self.program, "--data", self.data, "--json", *arguments],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment, timeout=120,
        )
        if done.returncode != 0:
            raise RuntimeError(f"oaken {' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)


class Report:
    """Prints a line a check, and counts."""

    def __init__(self):
        self.failed = 0

    def check(self, name, run):
        begin = time.monotonic()
        try:
            run()
        except Exception as failure:  # whatever it is, it is this check's failure, and the others run all the same
            self.failed += 1
            print(f"FAIL {name}: {type(failure).__name__}: {failure}", flush=True)
        else:
            print(f"ok {name} ({time.monotonic() - begin:.1f} s)", flush=True)


def run_tool(words, timeout=300, **more):
    """Runs a program of others; what it said is the failure's text where it did not end well."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, **more)
    if done.returncode != 0:
        # Some quote whole requests; a line's beginning says which.
        said = "\n".join(line[:400] for line in (done.stdout + done.stderr).splitlines())
        raise RuntimeError(f"exit {done.returncode}\n{said[-20000:]}")
    return done.stdout


def expect(condition, what):
    """Fails with a sentence where the condition does not hold."""
    if not condition:
        raise AssertionError(what)
