"""Standard output of `oaken mcp` carries frames and nothing else, whatever comes in and however much is logged."""

import json
import subprocess

from oaken import expect


def checks(demo, report):
    report.check("stdio: standard output is frames only", lambda: only_frames(demo))
    report.check("stdio: no token, no server", lambda: no_token(demo))


def frame(number, method, params=None):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})


def only_frames(demo):
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "frames", "version": "1"}}
    lines = [
        frame(1, "initialize", hello),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        frame(2, "tools/list"),
        frame(3, "ping"),
        frame(4, "no/such/method"),
        frame(5, "tools/call", {"name": "status", "arguments": {}}),
        frame(6, "tools/call", {"name": "status", "arguments": {"\u202emade up": "\u001b]0;x\u0007"}}),
        frame(7, "tools/call", {"name": "read_message", "arguments": {"message_ids": ["m_0000000000"]}}),
        frame(8, "tools/call", {"name": "send_message", "arguments": {}}),
        frame(9, "tools/call", {"name": "search", "arguments": {"query": "invoice " * 2000}}),
        frame(10, "tools/list", {"cursor": "made up"}),
    ]
    lines += [frame(100 + n, "tools/call", {"name": "list_accounts", "arguments": {}}) for n in range(200)]
    words, environment = demo.mcp_command()
    server = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=environment | {"OAKEN_LOG": "trace", "RUST_BACKTRACE": "1"},
    )
    answered = set()
    for line in lines:
        server.stdin.write(line + "\n")
        server.stdin.flush()
        if '"id"' in line:
            answered.add(read_frame(server.stdout))
    # What is no frame at all may end the session, but may not be answered with anything that is no frame.
    for line in ("", "{", "[1,2", "not json", '{"jsonrpc":"1.0"}', '"a string"', "\x00\x01"):
        server.stdin.write(line + "\n")
    server.stdin.close()
    for line in server.stdout:
        is_frame(line)
    expect(server.wait(30) is not None, "the server does not end with its input")
    expected = {json.loads(line)["id"] for line in lines if '"id"' in line}
    expect(expected <= answered, f"unanswered: {sorted(expected - answered)}")


def read_frame(pipe):
    line = pipe.readline()
    expect(line, "the server ended")
    return is_frame(line).get("id")


def is_frame(line):
    try:
        read = json.loads(line)
    except ValueError:
        raise AssertionError(f"not a frame: {line[:200]!r}") from None
    expect(isinstance(read, dict) and read.get("jsonrpc") == "2.0", f"not a frame: {line[:200]!r}")
    return read


def no_token(demo):
    words, environment = demo.mcp_command()
    for token in (None, "", "oak_agent_made_up", demo.person_token):
        changed = {k: v for k, v in environment.items() if k != "OAKEN_AGENT_TOKEN"}
        if token is not None:
            changed["OAKEN_AGENT_TOKEN"] = token
        ended = subprocess.run(words, input=frame(1, "ping") + "\n", capture_output=True, text=True, env=changed, timeout=60)
        expect(ended.returncode == 4 and ended.stdout == "", f"exit {ended.returncode}, printed {ended.stdout[:100]!r}")
