"""The Python MCP client, in both eras of the protocol, over stdio and over HTTP: list, read, propose, confirm."""

import asyncio
import json

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from oaken import expect

MODERN = "2026-07-28"


def checks(demo, report):
    for transport in ("stdio", "http"):
        for mode in ("legacy", "auto", MODERN):
            report.check(f"python mcp over {transport}, {mode}", lambda t=transport, m=mode: asyncio.run(session(demo, t, m)))


async def session(demo, transport, mode):
    if transport == "stdio":
        words, environment = demo.mcp_command()
        server = StdioServerParameters(command=words[0], args=words[1:], env=environment)
        await plays(Client(server, mode=mode), mode)
        return
    headers = {"Authorization": f"Bearer {demo.agent_token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        await plays(Client(streamable_http_client(demo.mcp_url, http_client=http), mode=mode), mode)


async def plays(client, mode):
    async with client as agent:
        version = agent.protocol_version
        expect((version == MODERN) == (mode != "legacy"), f"{mode} negotiated {version}")
        tools = (await agent.list_tools()).tools
        names = [tool.name for tool in tools]
        expect("list_messages" in names and "read_message" in names, f"tools: {names}")
        expect(not {"send_message", "list_audit", "add_account"} & set(names), f"tools: {names}")
        expect(len(names) <= 20, f"{len(names)} tools")

        accounts = await done(agent, "list_accounts", {})
        account = accounts["accounts"][0]["account_id"]
        listed = await done(agent, "list_messages", {"account_id": account, "unread": True})
        expect(listed["messages"], "no unread message")
        message = listed["messages"][0]["message_id"]

        read = await agent.call_tool("read_message", {"message_ids": [message]})
        text = read.content[0].text
        expect(not read.is_error and "<mail-" in text and "</mail-" in text, f"read: {text[:200]}")

        change = {"target": {"ids": [message]}}
        proposal = await done(agent, "mark_read", change)
        expect(proposal["count"] == 1, f"proposal: {proposal}")
        confirmed = await done(agent, "mark_read", change | {"proposal_token": proposal["proposal_token"]})
        expect(confirmed["marked"] == [message], f"confirmed: {confirmed}")
        again = await agent.call_tool("mark_read", change | {"proposal_token": proposal["proposal_token"]})
        expect(again.is_error, "a token was taken twice")
        # Left as it was found, so that the next session finds it unread again.
        proposal = await done(agent, "mark_unread", change)
        await done(agent, "mark_unread", change | {"proposal_token": proposal["proposal_token"]})

        refused = [await answer(agent, tool, {}) for tool in ("send_message", "list_audit", "no_such_tool")]
        expect(refused[0] == refused[1] == refused[2], f"different words: {refused}")


async def done(agent, tool, arguments):
    result = await agent.call_tool(tool, arguments)
    expect(not result.is_error, f"{tool}: {result.content[0].text}")
    expect(json.loads(result.content[0].text) == result.structured_content, f"{tool}: two answers in one")
    return result.structured_content


async def answer(agent, tool, arguments):
    result = await agent.call_tool(tool, arguments)
    expect(result.is_error, f"{tool} was not refused")
    return json.loads(result.content[0].text)
