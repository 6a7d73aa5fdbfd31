"""MCP as others check it: the inspector's lint of the tools, and the conformance suite's fixture-free scenarios."""

import glob
import json
import os
import subprocess
import tempfile

from oaken import expect, run_tool
from proxy import BearerProxy

MODULES = os.path.join(".tools", "npm", "node_modules", "@modelcontextprotocol")
INSPECTOR = os.path.join(MODULES, "inspector", "clients", "launcher", "build", "index.js")
CONFORMANCE = os.path.join(MODULES, "conformance", "dist", "index.js")

# Those that ask for no fixture tool, prompt or resource of the suite's own.
SCENARIOS = [
    ("server-initialize", "2025-11-25"),
    ("ping", "2025-11-25"),
    ("tools-list", "2025-11-25"),
    ("dns-rebinding-protection", "2025-11-25"),
    ("tools-list", "2026-07-28"),
    ("dns-rebinding-protection", "2026-07-28"),
    ("http-header-validation", "2026-07-28"),
    ("server-stateless", "2026-07-28"),
]

# The one tool that server-stateless asks for; a production build has no tool of that name.
FIXTURE = "'test_missing_capability'"


def checks(demo, report):
    node = os.environ["NODE"]
    for era in ("legacy", "modern"):
        report.check(f"inspector --strict over HTTP, {era}", lambda e=era: over_http(node, demo, e))
    report.check("inspector --strict over stdio", lambda: over_stdio(node, demo))
    with BearerProxy(demo.address, demo.agent_token) as proxy:
        for scenario, version in SCENARIOS:
            report.check(f"conformance {scenario} {version}", lambda s=scenario, v=version: conforms(node, proxy, s, v))


def inspector(node, *arguments):
    return run_tool([node, INSPECTOR, "--cli", *arguments], timeout=120)


def over_http(node, demo, era):
    bearer = f"Authorization: Bearer {demo.agent_token}"
    listed = inspector(
        node, demo.mcp_url, "--header", bearer, "--protocol-era", era, "--method", "tools/list", "--strict"
    )
    expect(json.loads(listed)["tools"], "no tools")


def over_stdio(node, demo):
    words, environment = demo.mcp_command()
    variables = [word for name, value in environment.items() for word in ("-e", f"{name}={value}")]
    listed = inspector(node, *variables, *words, "--method", "tools/list", "--strict")
    expect(json.loads(listed)["tools"], "no tools")


def conforms(node, proxy, scenario, version):
    """Every check of a scenario, but for those that need a tool of the suite's own."""
    url = f"http://127.0.0.1:{proxy.port}/mcp"
    words = [node, CONFORMANCE, "server", "--url", url, "--scenario", scenario, "--spec-version", version]
    with tempfile.TemporaryDirectory() as out:
        # It fails where anything does; what failed stands in its report.
        subprocess.run([*words, "-o", out], capture_output=True, stdin=subprocess.DEVNULL, timeout=120, check=False)
        (report,) = glob.glob(os.path.join(out, "*", "checks.json"))
        with open(report, encoding="utf-8") as file:
            made = json.load(file)
    failed = [c for c in made if c["status"] == "FAILURE" and FIXTURE not in c.get("errorMessage", "")]
    passed = [c for c in made if c["status"] == "SUCCESS"]
    expect(passed and not failed, f"{len(passed)} passed; failed: {[(c['id'], c.get('errorMessage')) for c in failed]}")
