"""The OpenAPI document as others check it: two validators, and requests that schemathesis makes from it."""

import json
import os
import sys
import urllib.request

from oaken import expect, run_tool

DOCUMENT = os.path.abspath(os.path.join("docs", "reference", "openapi.json"))
REDOCLY = os.path.join(".tools", "npm", "node_modules", "@redocly", "cli", "bin", "cli.js")
BIN = os.path.dirname(sys.executable)
HERE = os.path.dirname(os.path.abspath(__file__))
LOGS = os.path.abspath(os.path.join("target", "test-logs"))
SEED = "20261130"
SECONDS = os.environ.get("OAKEN_SCHEMATHESIS_SECONDS", "150")


def checks(demo, report):
    report.check("openapi-spec-validator", lambda: run_tool([os.path.join(BIN, "openapi-spec-validator"), DOCUMENT]))
    report.check("redocly lint", lambda: run_tool([os.environ["NODE"], REDOCLY, "lint", DOCUMENT]))
    report.check("the daemon serves the same document", lambda: same(demo))
    report.check("schemathesis over all operations", lambda: schemathesis(demo))


def same(demo):
    with open(DOCUMENT, encoding="utf-8") as file:
        written = json.load(file)
    with urllib.request.urlopen(f"http://{demo.address}/api/v1/openapi.json") as served:
        expect(json.load(served) == written, "docs/reference/openapi.json is not what is served")


def schemathesis(demo):
    """All phases and all checks, with a token that may change things, on made-up mail."""
    os.makedirs(LOGS, exist_ok=True)
    run_tool(
        [
            os.path.join(BIN, "schemathesis"), "--config-file", os.path.join(HERE, "schemathesis.toml"),
            "run", DOCUMENT, "--url", f"http://{demo.address}",
            "--header", f"Authorization: Bearer {demo.person_token}",
            "--exclude-checks", "positive_data_acceptance",  # schemathesis_hooks.py has a stricter reading of it
            "--max-examples", "40", "--max-time", SECONDS, "--seed", SEED, "--workers", "2",
            "--continue-on-failure", "--output-truncate", "true",
        ],
        timeout=600,
        cwd=LOGS,
        env=os.environ | {"SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": HERE, "OAKEN_DOCUMENT": DOCUMENT},
    )
    expect(demo.process.poll() is None, "the daemon ended")
