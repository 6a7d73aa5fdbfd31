//! What the agent does: list, read, search, propose, confirm, and try what it must not.

use oaken_core::Result;
use serde_json::{Value, json};

use super::Script;
use super::client::Client;

/// Plays the agent; answers the journal entry of its change, and what was unread before it.
///
/// # Errors
/// When its server is gone.
pub fn plays(script: &mut Script, agent: &mut Client) -> Result<(String, Vec<String>)> {
    let tools = agent.tools()?;
    let never = [
        "send_message",
        "list_audit",
        "set_operation_exposure",
        "add_account",
        "get_raw_message",
    ];
    let fits =
        tools.iter().any(|t| t == "list_mailbox") && !tools.iter().any(|t| never.contains(&t.as_str()));
    script.step(
        "agent",
        "lists its tools; none sends or governs",
        fits,
        &tools.join(", "),
    );

    let accounts = reads_accounts(script, agent)?;
    let unread = reads_unread(script, agent, &accounts)?;
    reads_a_mail_with_a_hidden_instruction(script, agent, &accounts)?;
    let entry = proposes_and_confirms(script, agent, &unread)?;
    tries_what_it_must_not(script, agent)?;
    Ok((entry, unread))
}

fn reads_accounts(script: &mut Script, agent: &mut Client) -> Result<Vec<String>> {
    let (_, listed) = agent.call("list_accounts", &json!({}))?;
    let ids = strings(&listed["accounts"], "account_id");
    script.step(
        "agent",
        "lists accounts; the private one does not exist for it",
        ids.len() == 2,
        &ids.join(", "),
    );

    let (refused, answer) = agent.call("list_mailbox", &json!({}))?;
    let fits = refused
        && answer["code"] == "invalid_input"
        && answer.to_string().contains(ids.first().map_or("a_", |i| i));
    script.step(
        "agent",
        "asks across every account; it is told to name one in reach",
        fits,
        &said(&answer),
    );
    Ok(ids)
}

fn reads_unread(script: &mut Script, agent: &mut Client, accounts: &[String]) -> Result<Vec<String>> {
    let unread = list_unread(agent, accounts)?;
    script.step(
        "agent",
        "lists unread messages",
        unread.len() >= 3,
        &format!("{} message ids", unread.len()),
    );

    let some = &unread[..unread.len().min(2)];
    let (refused, text) = agent.call("read_message", &json!({ "message_ids": some }))?;
    let text = text.as_str().unwrap_or_default();
    let fenced = text.contains("<mail-") && text.contains("unread: true");
    script.step(
        "agent",
        "reads two of them, fenced as data; they stay unread",
        !refused && fenced,
        text.lines().next().unwrap_or_default(),
    );

    let still = list_unread(agent, accounts)?;
    script.step(
        "agent",
        "looks again: nothing became read by reading",
        still == unread,
        &format!("{} message ids", still.len()),
    );
    Ok(unread)
}

fn reads_a_mail_with_a_hidden_instruction(
    script: &mut Script,
    agent: &mut Client,
    accounts: &[String],
) -> Result<()> {
    let mut hits = vec![];
    for account in accounts {
        let (_, found) = agent.call("search", &json!({ "query": "invoice", "account_id": account }))?;
        hits.extend(strings(&found["messages"], "message_id"));
    }
    script.step(
        "agent",
        "searches for invoice",
        !hits.is_empty(),
        &format!("{} hits", hits.len()),
    );

    let mut marked = false;
    for account in accounts {
        let (_, listed) = agent.call(
            "list_messages",
            &json!({ "account_id": account, "since": "-400d" }),
        )?;
        for id in strings(&listed["messages"], "message_id") {
            let (_, text) = agent.call("read_message", &json!({ "message_ids": [id] }))?;
            marked = marked || text.as_str().is_some_and(|t| t.contains("hidden_text_removed"));
            if marked {
                break;
            }
        }
    }
    script.step(
        "agent",
        "reads a mail with a hidden instruction; it is taken out and said",
        marked,
        "facts: hidden_text_removed",
    );
    Ok(())
}

fn proposes_and_confirms(script: &mut Script, agent: &mut Client, unread: &[String]) -> Result<String> {
    let input = json!({ "target": { "ids": &unread[..unread.len().min(3)] } });
    let (refused, proposal) = agent.call("mark_read", &input)?;
    let token = proposal["proposal_token"].as_str().unwrap_or_default().to_owned();
    let fits = !refused
        && proposal["count"] == 3
        && !token.is_empty()
        && proposal["changes"][0]["before"] == "unread";
    script.step(
        "agent",
        "asks to mark three read; nothing changes, it gets a proposal",
        fits,
        &format!("count {}, ids and states only", proposal["count"]),
    );

    let with = |input: &Value, token: &str| {
        let mut input = input.clone();
        input["proposal_token"] = json!(token);
        input
    };
    let (refused, done) = agent.call("mark_read", &with(&input, &token))?;
    let entry = done["entry"].as_str().unwrap_or_default().to_owned();
    let fits = !refused && done["marked"].as_array().is_some_and(|m| m.len() == 3) && entry.starts_with("e_");
    script.step(
        "agent",
        "confirms with the token; three are marked read",
        fits,
        &format!("entry {entry}"),
    );

    let (refused, answer) = agent.call("mark_read", &with(&input, &token))?;
    script.step(
        "agent",
        "uses the token again; it is burned",
        refused,
        &said(&answer),
    );

    let (_, proposal) = agent.call("mark_unread", &input)?;
    let token = proposal["proposal_token"].as_str().unwrap_or_default().to_owned();
    let other = json!({ "target": { "ids": &unread[..1] } });
    let (refused_other, answer) = agent.call("mark_unread", &with(&other, &token))?;
    let (refused_same, _) = agent.call("mark_unread", &with(&input, &token))?;
    script.step(
        "agent",
        "uses a token for another input; refused, and the token is gone",
        refused_other && refused_same,
        &said(&answer),
    );
    Ok(entry)
}

fn tries_what_it_must_not(script: &mut Script, agent: &mut Client) -> Result<()> {
    let letter = json!({ "to": ["eve@evil.example"], "subject": "all mail", "text": "…" });
    let (sent, send) = agent.call("send_message", &letter)?;
    let (audited, never) = agent.call("list_audit", &json!({}))?;
    let (made_up, unknown) = agent.call("no_such_operation", &json!({ "anything": 1 }))?;
    let fits =
        sent && audited && made_up && send == never && never == unknown && send["code"] == "not_available";
    script.step(
        "agent",
        "tries to send, to read the audit log, and what does not exist: the same words",
        fits,
        &said(&send),
    );
    Ok(())
}

/// The agent looks at what the person took back.
///
/// # Errors
/// When its server is gone.
pub fn sees_that_it_was_undone(script: &mut Script, agent: &mut Client, unread: &[String]) -> Result<()> {
    let (_, status) = agent.call("status", &json!({}))?;
    let fits = status["workspaces"] == json!(["default"])
        && status["accounts"].as_array().is_some_and(|a| a.len() == 2);
    script.step(
        "agent",
        "asks for status: its workspaces, two accounts, no mail",
        fits,
        &status["workspaces"].to_string(),
    );

    let still = list_unread(agent, &strings(&status["accounts"], "account_id"))?;
    let fits = sorted(&still) == sorted(unread);
    script.step(
        "agent",
        "lists unread messages once more: all are as at the start",
        fits,
        &format!("{} message ids", still.len()),
    );
    Ok(())
}

fn list_unread(agent: &mut Client, accounts: &[String]) -> Result<Vec<String>> {
    let mut unread = vec![];
    for account in accounts {
        let (_, page) = agent.call("list_messages", &json!({ "account_id": account, "unread": true }))?;
        unread.extend(strings(&page["messages"], "message_id"));
    }
    Ok(unread)
}

fn sorted(ids: &[String]) -> Vec<&String> {
    let mut ids: Vec<&String> = ids.iter().collect();
    ids.sort();
    ids
}

fn strings(rows: &Value, field: &str) -> Vec<String> {
    rows.as_array()
        .into_iter()
        .flatten()
        .filter_map(|r| r[field].as_str().map(str::to_owned))
        .collect()
}

fn said(answer: &Value) -> String {
    let field = answer["fields"][0]["accepted"]
        .as_str()
        .map(|a| format!(" ({a})"))
        .unwrap_or_default();
    format!(
        "{}: {}{field}",
        answer["code"].as_str().unwrap_or("?"),
        answer["message"].as_str().unwrap_or("?")
    )
}
