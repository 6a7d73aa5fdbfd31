//! What governs: changed at the command line, seen over HTTP, and changed by no token.

use oaken_core::Descriptor;
use serde_json::{Value, json};

use crate::changes::{confirm, confirm_required};
use crate::descriptors;
use crate::doors::{Door, Doors, PERSON, operation};
use crate::reads::alike;

/// Makes each change at the command line. Over HTTP each is refused before.
pub fn changes(doors: &mut Doors) {
    let workspace = json!({ "name": "office" });
    change(doors, "create_workspace", &workspace);
    assert!(
        names(&alike(doors, operation("list_workspaces"), &json!({}))["workspaces"])
            .contains(&workspace["name"])
    );
    settings(doors);
    agents_and_tokens(doors);
    accounts(doors, &workspace["name"]);
}

fn settings(doors: &mut Doors) {
    let value = json!("30");
    let set = change(
        doors,
        "set_setting",
        &json!({ "name": "operations.max_results", "value": value }),
    );
    assert_eq!(set["value"], value);
    let listed = alike(doors, operation("list_settings"), &json!({}));
    assert_eq!(
        find(&listed["settings"], "name", &json!("operations.max_results"))["value"],
        value
    );
    let page = alike_to_persons(doors, operation("list_messages"), &json!({}));
    assert_eq!(page["messages"].as_array().map(Vec::len), Some(30));
    change(doors, "set_setting", &json!({ "name": "operations.max_results" }));

    for (exposure, offered) in [("off", false), ("on", true)] {
        let set = change(
            doors,
            "set_operation_exposure",
            &json!({ "operation": "search", "exposure": exposure }),
        );
        assert_eq!(set["offered"], offered);
        let listed = alike(doors, operation("list_operations"), &json!({}));
        assert_eq!(
            find(&listed["operations"], "name", &json!("search"))["offered"],
            offered
        );
        let said = doors.ask(Door::Stdio, operation("search"), &json!({ "query": "invoice" }));
        assert_eq!(said.is_ok(), offered, "search over MCP, {exposure}");
    }
}

fn agents_and_tokens(doors: &mut Doors) {
    let added = change(doors, "add_agent", &json!({ "name": "another agent" }));
    let agent = json!({ "agent_id": added["agent_id"] });
    let listed = |doors: &mut Doors| alike(doors, operation("list_agents"), &json!({}))["agents"].clone();
    assert_eq!(
        find(&listed(doors), "agent_id", &agent["agent_id"])["revoked"],
        false
    );
    change(doors, "revoke_agent", &agent);
    assert_eq!(
        find(&listed(doors), "agent_id", &agent["agent_id"])["revoked"],
        true
    );

    let made = change(
        doors,
        "create_token",
        &json!({ "name": "another token", "days": 1 }),
    );
    let token = json!({ "token_id": made["token_id"] });
    let listed = |doors: &mut Doors| alike(doors, operation("list_tokens"), &json!({}))["tokens"].clone();
    assert_eq!(
        find(&listed(doors), "token_id", &token["token_id"])["class"],
        "read"
    );
    change(doors, "revoke_token", &token);
    assert_eq!(
        find(&listed(doors), "token_id", &token["token_id"])["revoked"],
        true
    );
}

/// Adding one is for the command line only: it names files and commands of the machine that serves.
fn accounts(doors: &mut Doors, workspace: &Value) {
    let maildir = doors.oaken.home().join("more mail");
    for sub in ["cur", "new", "tmp"] {
        std::fs::create_dir_all(maildir.join(sub)).expect("a Maildir");
    }
    let input =
        json!({ "name": "more mail", "address": "new@example.org", "kind": "maildir", "path": maildir });
    let only: Vec<&'static Descriptor> = descriptors().into_iter().filter(|d| d.cli.only).collect();
    assert!(only.iter().any(|d| d.name == "add_account"), "{only:?}");
    for d in only {
        for (input, confirmation) in [
            (&input, Value::Null),
            (&input, json!(true)),
            (&json!({}), Value::Null),
        ] {
            let said = doors
                .ask_with(Door::Http, d, input, &confirmation)
                .expect_err("over HTTP");
            assert_eq!(said["code"], "not_available", "{}: {said}", d.name);
        }
    }
    confirm_required(doors, Door::Cli, operation("add_account"), &input);
    let added = confirm(doors, Door::Cli, operation("add_account"), &input);
    let account = json!({ "account_id": added["account_id"] });
    let listed = |doors: &mut Doors| alike(doors, operation("list_accounts"), &json!({}))["accounts"].clone();
    assert_eq!(
        find(&listed(doors), "account_id", &account["account_id"])["workspace"],
        "default"
    );

    let mut assigned = account.clone();
    assigned["workspace"] = workspace.clone();
    change(doors, "assign_account", &assigned);
    assert_eq!(
        &find(&listed(doors), "account_id", &account["account_id"])["workspace"],
        workspace
    );
    change(doors, "remove_account", &account);
    assert_eq!(
        find(&listed(doors), "account_id", &account["account_id"]),
        Value::Null
    );
}

/// At the command line it asks for a yes and is given it. A personal token may not, whether it says yes or not.
#[track_caller]
fn change(doors: &mut Doors, name: &str, input: &Value) -> Value {
    let d = operation(name);
    for confirmation in [Value::Null, json!(true)] {
        let said = doors
            .ask_with(Door::Http, d, input, &confirmation)
            .expect_err(name);
        assert_eq!(said["code"], "presence_required", "{name}: {said}");
    }
    let asked = confirm_required(doors, Door::Cli, d, input);
    assert!(!d.preview || asked["count"].as_u64() > Some(0), "{name}: {asked}");
    confirm(doors, Door::Cli, d, input)
}

/// A limit that is a person's alone just now: only a person's doors agree.
fn alike_to_persons(doors: &mut Doors, d: &'static Descriptor, input: &Value) -> Value {
    let [one, other] = PERSON.map(|door| doors.answer(door, d, input));
    assert_eq!(one, other, "{}", d.name);
    one
}

fn find(rows: &Value, key: &str, value: &Value) -> Value {
    rows.as_array()
        .into_iter()
        .flatten()
        .find(|row| &row[key] == value)
        .cloned()
        .unwrap_or_default()
}

fn names(rows: &Value) -> Vec<Value> {
    rows.as_array()
        .into_iter()
        .flatten()
        .map(|row| row["name"].clone())
        .collect()
}
