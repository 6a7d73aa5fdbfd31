//! What the demo prints: three commands to try, and the lines that hand the mailbox to an agent.

use std::net::SocketAddr;

use oaken_core::Result;

use super::install::Demo;
use crate::mcp::install::{claude_code, server};
use crate::mcp::stdio::TOKEN_VARIABLE;
use crate::paths::Paths;

/// The guide. Each line that is a command can be copied as it stands.
///
/// # Errors
/// When this program's own path cannot be told.
pub fn text(paths: &Paths, demo: &Demo, address: SocketAddr) -> Result<String> {
    let client = server(paths, demo.agent_token.clone())?;
    // Where nothing was said of places, `--demo` leads another terminal to the same ones.
    let usual = Paths::of_demo(None).is_ok_and(|p| p.data == paths.data);
    let oaken = if usual && std::env::var_os("XDG_DATA_HOME").is_none() {
        format!("{} --demo", client.program())
    } else {
        client.words()
    };
    Ok(format!(
        "Demo mailbox ready: Mira Okafor, 3 accounts, {messages} messages. All made up; nothing leaves this machine.

Try, in another terminal:
  {oaken} mailbox list
  {oaken} search '\"by Friday\"'
  {oaken} operations list

Hand it to your agent (it reads two of the three accounts, proposes changes, and never sends).
Claude Code:
  {claude}
Claude Desktop, Codex, Cursor, VS Code, Gemini CLI:
  {TOKEN_VARIABLE}={agent} {oaken} mcp install --print
Over HTTP: http://{address}/mcp with the header Authorization: Bearer {agent}

HTTP API (this token may read):
  curl -s http://{address}/api/v1/operations/list_mailbox -H 'Authorization: Bearer {person}' -H 'Content-Type: application/json' -d '{{\"view\":\"unread\"}}'

Watch an agent try everything:
  {program} demo --tour

Ctrl-C stops. The next start makes the mailbox anew, with new tokens.
",
        messages = demo.messages,
        claude = claude_code(&client),
        agent = demo.agent_token,
        person = demo.person_token,
        program = client.program(),
    ))
}
