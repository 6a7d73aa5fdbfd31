//! The newcomer's task, done: one YAML file and one handler file in a copy of the tree, `cargo codegen`, a build, and
//! the new operation is at all three doors. Nothing else is touched, and nothing else has to be.

mod copy;

use std::path::Path;
use std::process::Command;

use oaken_tests::daemon::Daemon;
use oaken_tests::installation::Installation;
use oaken_tests::mcp::McpStdio;
use serde_json::json;

const DECLARATION: &str = "\
operation: count_messages
title: Count
summary: Count the messages of an account or of all.
class: read
ceiling: on
input:
  account_id: { type: AccountId, required: false, doc: \"Only this account.\" }
output:
  count: { type: integer, min: 0, doc: \"How many there are.\" }
cli: messages count
examples: [{ input: {} }]
";

const HANDLER: &str = "\
//! `count_messages`: how many messages there are.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};
use oaken_mail::reader::MessageQuery;

use crate::{CountMessages, CountMessagesInput, CountMessagesOutput};

impl Read for CountMessages {
    async fn run(cx: &ReadCx, input: &CountMessagesInput) -> Result<CountMessagesOutput> {
        let page = cx.mail.messages(&MessageQuery {
            account: input.account_id.as_ref(),
            folder: None,
            label: None,
            unread: None,
            flagged: None,
            from: None,
            since: None,
            before: None,
            cursor: None,
        })?;
        Ok(CountMessagesOutput { count: page.total })
    }
}
";

#[test]
fn one_declaration_and_one_handler_are_an_operation_at_all_three_doors() {
    let copy = copy::of_the_tree();
    copy.write("spec/operations/messages/count_messages.yaml", DECLARATION);
    copy.write(
        "runtime/operations/src/handlers/messages/count_messages.rs",
        HANDLER,
    );

    let stale = copy.cargo(&["codegen", "--check"]);
    assert!(
        !stale.status.success(),
        "cargo codegen --check does not see that the reference lacks the operation"
    );
    succeeds(copy.cargo(&["codegen"]));
    succeeds(copy.cargo(&["codegen", "--check"]));
    succeeds(copy.cargo(&["build", "--locked", "-p", "oaken-app", "--bin", "oaken"]));
    is_at_all_three_doors(&copy.target().join("debug/oaken"));
}

#[track_caller]
fn succeeds(output: std::process::Output) {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[track_caller]
fn is_at_all_three_doors(program: &Path) {
    let demo = Installation::of(program);
    let daemon = Daemon::demo(&demo);

    let accounts = demo.oaken(&["accounts", "list"]).done();
    let account = accounts["accounts"][0]["account_id"]
        .as_str()
        .expect("an account")
        .to_owned();
    let listed = demo.oaken(&["messages", "list", "--account-id", &account]).done();
    let expected = json!({ "count": listed["total"] });
    assert!(expected["count"].as_i64() > Some(0), "{listed}");

    let at_the_command_line = demo
        .oaken(&["messages", "count", "--account-id", &account])
        .done();
    assert_eq!(at_the_command_line, expected);

    let input = json!({ "account_id": account });
    let over_http = daemon
        .http(&demo.create_token("newcomer", "read"))
        .call("count_messages", &input)
        .done();
    assert_eq!(over_http, expected);

    let mut agent = McpStdio::start(&demo, &demo.add_agent("newcomer"));
    assert!(agent.tools().contains(&"count_messages".to_owned()));
    // Of the three accounts an agent reaches two; the first listed for it is one of them.
    let reached = agent.call("list_accounts", &json!({}));
    let account = reached.answer["accounts"][0]["account_id"].clone();
    let counted = agent.call("count_messages", &json!({ "account_id": account }));
    let known = daemon
        .http(&demo.create_token("again", "read"))
        .call("count_messages", &json!({ "account_id": account }));
    assert!(!counted.is_error, "{}", counted.answer);
    assert_eq!(counted.answer, known.done());

    let helped = Command::new(program)
        .args(["messages", "--help"])
        .output()
        .expect("oaken can be started");
    assert!(String::from_utf8_lossy(&helped.stdout).contains("Count the messages of an account or of all."));
}
